"""How well a trained head orders clips that it has never seen, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.stats import bootstrap
from beholder.stats.bradley_terry import from_pairs
from beholder.stats.correlation import spearman_brown
from beholder.stats.resampled_correlation import spearman
from beholder.video.recipe.preferences import Preferences
from beholder.video.recipe.splits import apart, units

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DRAWS = 2000
HALVINGS = 10


class Estimate(NamedTuple):
    """A number with its 95 % interval; NaN where there is too little to say."""

    value: float
    lo: float = float("nan")
    hi: float = float("nan")

    def __str__(self) -> str:
        if np.isnan(self.value):
            return "undefined"
        return f"{self.value:.3f}" + ("" if np.isnan(self.lo) else f" [{self.lo:.3f}, {self.hi:.3f}]")


@dataclass(frozen=True, eq=False)
class HeldOut:
    """What came out on the clips that were held out."""

    places: Ints  # of the clips among all
    cas: Floats
    strengths: Floats  # θ from the comparisons that touch a held-out clip
    spearman: Estimate
    accuracy: Estimate  # share of the comparisons of two held-out clips whose winner has the higher CAS
    decided: int  # such comparisons
    reliability: float  # of the ranks of the strengths, by halves of the comparisons; NaN where these say nothing
    parts: int  # that were never compared with one another
    drawn: int  # what is drawn for the intervals: prompts, or clips where there are none


def held_out(preferences: Preferences, test: Ints, cas: Floats, *, prior: float, seed: int = 0) -> HeldOut:
    """CAS of held-out clips against Bradley–Terry strengths from comparisons that nothing was trained on.

    Intervals: bootstrap over prompts, or over clips where there are no prompts.
    """
    mask = apart(preferences, test)
    first, second, value = preferences.first[mask], preferences.second[mask], preferences.value[mask]
    fit = from_pairs(first, second, value, len(preferences.items), prior=prior, errors=False)
    theta = fit.strengths[test]
    _, unit = np.unique(units(preferences)[test], return_inverse=True)
    many = int(unit.max()) + 1
    rng = np.random.default_rng(seed)
    often = np.concatenate(list(bootstrap.counts(many, draws=DRAWS, rng=rng))) if many > 2 else None
    rank = _estimate(
        float(spearman(cas, theta)[0]), None if often is None else spearman(cas, theta, often[:, unit]), most=1.0
    )
    place = np.full(len(preferences.items), -1)
    place[test] = np.arange(len(test))
    inner = (place[first] >= 0) & (place[second] >= 0) & (value != 0.5)
    one, other, won = place[first][inner], place[second][inner], value[inner] > 0.5
    right = np.where(cas[one] == cas[other], 0.5, (cas[one] > cas[other]) == won)
    together = None if often is None else _both(often, unit[one], unit[other])
    accuracy = _estimate(float(right.mean()) if len(right) else float("nan"), _weighted(right, together), most=1.0)
    return HeldOut(
        places=test,
        cas=cas,
        strengths=theta,
        spearman=rank,
        accuracy=accuracy,
        decided=len(right),
        reliability=_reliability(first, second, value, test, items=len(preferences.items), prior=prior, rng=rng),
        parts=len(np.unique(fit.parts[test])),
        drawn=many,
    )


def _reliability(
    first: Ints, second: Ints, value: Floats, test: Ints, *, items: int, prior: float, rng: np.random.Generator
) -> float:
    """How well the ranks would come out again: ρ of strengths from random halves of the comparisons, stepped up.

    By Spearman and Brown's 2ρ / (1 + ρ), from the mean of some halvings.
    """
    found = []
    for _ in range(HALVINGS):
        half = rng.permutation(len(value)) % 2 == 0
        one, other = (
            from_pairs(first[some], second[some], value[some], items, prior=prior, errors=False).strengths[test]
            for some in (half, ~half)
        )
        found.append(float(spearman(one, other)[0]))
    mean = float(np.mean(found))
    return spearman_brown(mean) if mean > 0 else float("nan")


def _both(often: Floats, one: Ints, other: Ints) -> Floats:
    """How often a comparison stands in each draw: as its prompt, or as each copy of one clip with each of the other."""
    return np.asarray(np.where(one == other, often[:, one], often[:, one] * often[:, other]))


def _weighted(right: Floats, often: Floats | None) -> Floats | None:
    if often is None or not len(right):
        return None
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(often @ right / often.sum(axis=1))


def _estimate(value: float, draws: Floats | None, *, most: float) -> Estimate:
    """A value with the central 95 % of its draws."""
    if draws is None or np.isnan(value):
        return Estimate(value)
    lo, hi = bootstrap.interval(draws.reshape(-1, 1))
    return Estimate(value, float(lo[0]), min(most, float(hi[0])))
