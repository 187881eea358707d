"""How often each model is in the best set when units are drawn anew."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.stats.dominance import Relation, dominance, layers, ordinary, undominated

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

FEW = 100  # models up to which all fronts of draws are found at once; above, moocore finds them faster one by one
ROOM = 20_000_000  # entries of a table of pairs by unit, or by draw: 80 MB
WIDE = 255  # components that moocore takes; above, pairs are compared up to the first component that bars
REACH = 16  # components that such a comparison costs, with its overhead
WORK = 1_000_000_000  # comparisons of numbers that the draws of one verdict may cost: a few seconds


class Contest(NamedTuple):
    """Vectors under a relation: a dominates b iff `relation(losses[a], rivals[b])` says so."""

    losses: Floats  # models × components
    relation: Relation = ordinary
    rivals: Floats | None = None  # the losses of b, where they are others (the lower ends of intervals)

    @property
    def dominance(self) -> Bools:
        """Who dominates whom."""
        return dominance(self.losses, self.relation, self.rivals)

    @property
    def plain(self) -> bool:
        """Whether this is ordinary dominance between numbers."""
        return self.relation is ordinary and self.rivals is None

    @property
    def narrow(self) -> bool:
        """Whether it has no more components than moocore takes."""
        return bool(self.losses.shape[1] <= WIDE)


def affordable(contest: Contest, units: int, draws: int) -> int:
    """How many draws can be afforded: all, unless there are very many models or units.

    >>> affordable(Contest(np.zeros((12, 20))), 20, 1000)
    1000
    """
    models, components = contest.losses.shape
    price = models**2 * components  # comparisons in one draw
    if contest.plain:
        price = 500 * models if contest.narrow else models**2 * REACH  # both measured; the first is moocore's
    return within_budget(price, min(draws, 2 ** min(units, 60)), draws)  # equal draws are looked at once


def within_budget(price: int, different: int, draws: int) -> int:
    """All draws, where the different ones cost no more than a verdict may; else as many as that, 20 at least.

    >>> within_budget(1000, 50, 1000), within_budget(10_000_000, 1000, 1000)
    (1000, 100)
    """
    most = max(20, WORK // max(price, 1))
    return draws if different <= most else most


def membership(contest: Contest, units: Ints, drawn: Iterable[Floats]) -> Floats:
    """In what share of draws each model is in the best set; NaN without draws.

    `units` is the unit of each component, `drawn` how often each unit stands in each draw, in blocks. A draw leaves
    out the components of units that are not in it; a unit that stands in it twice changes nothing.

    >>> contest = Contest(np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 3.0]]))
    >>> membership(contest, np.array([0, 1]), [np.array([[1.0, 1.0], [2.0, 0.0]])])
    array([1. , 0.5, 0. ])
    """
    blocks = [block > 0 for block in drawn]
    if not sum(map(len, blocks)):
        return np.full(len(contest.losses), np.nan)
    present, often = np.unique(np.concatenate(blocks), axis=0, return_counts=True)
    return np.asarray(often @ _inside(contest, units, present) / often.sum())


def _inside(contest: Contest, units: Ints, present: Bools) -> Bools:
    """Draws × models: who is in the best set when only the present units count."""
    models = len(contest.losses)
    if (models <= FEW or not contest.plain) and present.shape[1] * models**2 <= ROOM:
        barred, gains = _pairs(contest, units, present.shape[1])
        return _fronts(present, barred, gains)
    return np.stack([front(contest, row[units]) for row in present])


def front(contest: Contest, columns: Bools) -> Bools:
    """Who is in the best set by some of the components; equal vectors all are."""
    if not contest.plain:
        return np.asarray(layers(dominance(*contest, columns)) == 1)
    if columns.sum() > WIDE:
        return undominated(contest.losses, columns)
    from moocore import is_nondominated

    return np.asarray(is_nondominated(np.ascontiguousarray(contest.losses[:, columns]), keep_weakly=True))


def _pairs(contest: Contest, units: Ints, many: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Units × pairs (a, b): whether a unit bars a from dominating b, and whether it holds a strict gain."""
    models = len(contest.losses)
    against = contest.losses if contest.rivals is None else contest.rivals
    order = np.argsort(units, kind="stable")
    starts = np.searchsorted(units[order], np.arange(many))
    barred, gains = np.empty((2, many, models, models), dtype=np.float32)
    for a, own in enumerate(contest.losses):
        may, gain = contest.relation(own, against)
        barred[:, a] = np.logical_or.reduceat(~may[:, order], starts, axis=1).T
        gains[:, a] = np.logical_or.reduceat(gain[:, order], starts, axis=1).T
    return barred.reshape(many, -1), gains.reshape(many, -1)


def _fronts(present: Bools, barred: NDArray[np.float32], gains: NDArray[np.float32]) -> Bools:
    """Draws × models, from what each unit says of each pair."""
    models = round(barred.shape[1] ** 0.5)
    parts = np.array_split(present.astype(np.float32), 1 + present.shape[0] * barred.shape[1] // ROOM)
    found = (((some @ barred == 0) & (some @ gains > 0)).reshape(-1, models, models) for some in parts)
    return np.concatenate([_first(dominates) for dominates in found])


def _first(dominates: Bools) -> Bools:
    """The first layer of many relations at once, draws × models × models.

    Whom nobody dominates is in it. Where these reach everybody else, nobody is left over; where they do not, there
    is a circle that no one outside dominates.
    """
    found: Bools = np.logical_not(dominates.any(axis=1))
    reached, before = found, 0
    while not reached.all() and (now := int(reached.sum())) > before:
        before = now
        reached = np.logical_or(reached, (dominates & reached[:, :, None]).any(axis=1))
    for draw in np.flatnonzero(~reached.all(axis=1)):
        found[draw] = layers(dominates[draw]) == 1
    return found
