"""Several measures as one number, and what is left when one of them is left out: sums of z-scores and of ranks, and a
regression. Nothing here assumes that more measures are better.

Which way each measure points, and its weight in a regression, is learnt from other groups of items than the one that is
scored: otherwise a combination would be told the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.stats import resampled_correlation
from beholder.stats.ranks import ranks
from beholder.study.ratings import Judged, Ratings, judged

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FOLDS = 10
DOUBT = 2.0  # standard errors: a measure whose ρ is within so many of none is left out


@dataclass(frozen=True)
class Columns:
    """What several measures say of the same items, and people's mean ratings of them."""

    names: tuple[str, ...]
    values: Floats  # items × measures
    people: Floats
    groups: tuple[str, ...]
    known: dict[tuple[str, bytes], float] = field(default_factory=dict, repr=False, compare=False)

    def only(self, names: Sequence[str]) -> Columns:
        """The same with some of the measures; what is known of each stays known."""
        here = [self.names.index(name) for name in names]
        return Columns(tuple(names), self.values[:, here], self.people, self.groups, self.known)

    def rho(self, name: str, here: Ints) -> float:
        """Spearman's ρ of a measure with people's ratings of some items, computed once."""
        key = (name, here.tobytes())
        if key not in self.known:
            said = self.values[here, self.names.index(name)]
            self.known[key] = float(resampled_correlation.spearman(said, self.people[here])[0])
        return self.known[key]

    def folds(self) -> Ints:
        """The fold of each item: groups stay whole, and a group is in the same fold whatever else is in the columns."""
        return np.array(
            [int.from_bytes(blake2b(group.encode(), digest_size=4).digest()) % FOLDS for group in self.groups]
        )


def columns_of(table: Ratings, dimension: str = "") -> tuple[list[str], list[Judged], Columns]:
    """The items of a table of which all measures say something and people too, on one dimension or on all together."""
    whole = table.columns.dropna(axis="columns", how="all").dropna()
    samples = [table.load(str(id)) for id in whole.index]
    opinions = [judged(sample.reference, dimension) for sample in samples]
    here = [at for at, one in enumerate(opinions) if one.values]
    said = Columns(
        tuple(map(str, whole.columns)),
        whole.to_numpy(float)[here],
        np.array([opinions[at].mean for at in here]),
        tuple(samples[at].tags["cluster"] for at in here),
    )
    return [samples[at].id for at in here], [opinions[at] for at in here], said


class Combination(NamedTuple):
    """A combined number of one item, beside what it is with other sets of measures."""

    value: float
    without: dict[str, float]  # by the measure that is left out
    up_to: dict[str, float]  # by the last measure that is taken, in the table's order


@source("")
def z_sum(columns: Columns) -> Floats:
    """The sum of z-scores (population standard deviation), each with the sign that it has in other groups."""
    return _signed_sum(columns, _standardised(columns.values))


@source("")
def rank_sum(columns: Columns) -> Floats:
    """The sum of mean ranks between −½ and ½, each with the sign that it has in other groups."""
    count = max(len(columns.values) - 1, 1)
    centred = (ranks(columns.values, "average") - 1) / count - 0.5  # so that turning one round shifts no fold
    return _signed_sum(columns, centred)


@source("LawsonHanson1974")
def regression(columns: Columns) -> Floats:
    """The ratings foretold by least squares on z-scores with weights that are not negative, learnt in other groups."""
    from scipy.optimize import nnls

    scaled, found = _standardised(columns.values), np.full(len(columns.values), np.nan)
    for here, others in _splits(columns):
        signs = _signs(columns, others)
        given = scaled * signs
        weights, _ = nnls(
            given[others] - given[others].mean(axis=0), columns.people[others] - columns.people[others].mean()
        )
        found[here] = given[here] @ weights
    return found


KINDS: dict[str, Callable[[Columns], Floats]] = {"z_sum": z_sum, "rank_sum": rank_sum, "regression": regression}


def combine(columns: Columns, how: Callable[[Columns], Floats]) -> list[Combination]:
    """A combination of all measures for each item, and of fewer of them."""
    names, whole = columns.names, how(columns)
    without = {name: how(columns.only([other for other in names if other != name])) for name in names}
    up_to = {name: how(columns.only(names[: at + 1])) for at, name in enumerate(names)}
    return [
        Combination(
            float(whole[at]), *({name: float(own[at]) for name, own in each.items()} for each in (without, up_to))
        )
        for at in range(len(whole))
    ]


def _signed_sum(columns: Columns, scaled: Floats) -> Floats:
    found = np.full(len(scaled), np.nan)
    for here, others in _splits(columns):
        found[here] = scaled[here] @ _signs(columns, others)
    return found


def _splits(columns: Columns) -> list[tuple[Ints, Ints]]:
    """Each fold, and the items of the others; where there is no other, all items."""
    folds = columns.folds()
    parts = [(np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)) for fold in np.unique(folds)]
    return [(here, others if len(others) else here) for here, others in parts]


def _signs(columns: Columns, here: Ints) -> Floats:
    """Which way each measure points, by Spearman's ρ with people's ratings; 0 for one that may point either way."""
    rho = np.array([columns.rho(name, here) for name in columns.names])
    known = np.abs(np.nan_to_num(rho)) * np.sqrt(len(here)) > DOUBT
    return np.where(known, np.sign(np.nan_to_num(rho)), 0.0)


def _standardised(values: Floats) -> Floats:
    """z-scores of each column; of a constant one zeros."""
    spread = values.std(axis=0)
    return np.asarray((values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0))
