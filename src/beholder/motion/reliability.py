"""How well people agree with themselves: the ceilings of perceived flow, from trials and observers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.errors import Misuse
from beholder.motion.perceived import Probes, averaged
from beholder.stats.correlation import foretold, partial, pearson

Floats = NDArray[np.float64]


class Reliability(NamedTuple):
    """Agreement of people with people: correlation, partial correlation given the truth, end-point error in px/frame.

    `whole` and `whole_partial` are what the correlations of halves foretell for all trials (Spearman–Brown; where one
    half has one more, by the formula for unequal halves).
    """

    r: float
    partial: float
    epe: float
    whole: float
    whole_partial: float


def split_half(
    probes: Iterable[Probes], *, rng: np.random.Generator, splits: int = 20, by: str = "trial"
) -> Reliability:
    """Random halves of people against one another, dealt anew at each probe; the mean of some splits.

    `by` = "trial" deals out single trials, whoever gave them, so that an observer stands in both halves: that is
    how the ceilings of HuPerFlow are given. "observer" deals out whole observers: what another group of people would
    say.
    """
    people, truth = _pooled(probes)
    dealt = _dealt(people, by)
    found = []
    for _ in range(splits):
        one, other = np.array_split(_shuffled(dealt, rng), 2)
        found.append(_agreement(averaged(one), averaged(other), truth))
    mean = _mean(found)
    sizes = len(dealt) - len(dealt) // 2, len(dealt) // 2
    return mean._replace(whole=foretold(mean.r, *sizes), whole_partial=foretold(mean.partial, *sizes))


def one_against_rest(probes: Iterable[Probes], *, by: str = "trial") -> Reliability:
    """One trial (or one observer) against the mean of all others, the mean over all of them.

    Nothing is foretold for more of them: `whole` is r itself.
    """
    people, truth = _pooled(probes)
    dealt = _dealt(people, by)
    each = [
        _agreement(averaged(dealt[[at]]), averaged(np.delete(dealt, at, axis=0)), truth) for at in range(len(dealt))
    ]
    return _mean(each)


def _dealt(people: Floats, by: str) -> Floats:
    """What is dealt out, along the first axis: single trials, or observers with all of theirs."""
    if by not in ("trial", "observer"):
        raise Misuse(f"got by={by!r}; expected 'trial' or 'observer'")
    found = people.reshape(-1, 1, *people.shape[2:]) if by == "trial" else people
    if len(found) < 2:
        raise Misuse(f"got one {by}; expected two or more, to be compared with one another")
    return found


def _shuffled(dealt: Floats, rng: np.random.Generator) -> Floats:
    """The same in another order at each probe."""
    order = np.argsort(rng.random((len(dealt), dealt.shape[2])), axis=0)
    return np.take_along_axis(dealt, order[:, None, :, None], axis=0)


def _pooled(probes: Iterable[Probes]) -> tuple[Floats, Floats]:
    """People and truth of several movies, joined along the probes."""
    several = list(probes)
    shapes = {own.people.shape[:2] for own in several}
    if len(shapes) != 1:
        raise Misuse(
            f"got movies with observers × trials of {sorted(shapes)}; expected some, and the same number in each"
        )
    return np.concatenate([own.people for own in several], axis=2), np.concatenate([own.truth for own in several])


def _agreement(one: Floats, other: Floats, truth: Floats) -> tuple[float, float, float]:
    return pearson(one, other), partial(one, other, truth), float(np.nanmean(np.hypot(*(one - other).T)))


def _mean(found: list[tuple[float, float, float]]) -> Reliability:
    """The mean of several, with nothing foretold."""
    r, left, epe = (float(x) for x in np.mean(found, axis=0))
    return Reliability(r, left, epe, r, left)
