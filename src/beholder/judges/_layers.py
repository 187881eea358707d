"""Models in layers of dominance, and the words for who dominates whom."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.verdict import Note
from beholder.errors import listed
from beholder.stats.dominance import circles, layers, ordinary
from beholder.stats.fronts import Contest
from beholder.verdicts.wording import only_model

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

NAMED, BY = 12, 3  # dominated models that a sentence names, and dominators of each
MANY = 2000  # models from which moocore sorts: below, the matrix of dominance costs less than 0.2 s


class Sorted(NamedTuple):
    """Models in layers; of each, who dominates it and which circle it belongs to."""

    names: list[str]
    layer: Ints
    dominators: list[Ints]  # of very many models, one of the highest layer each
    circle: Ints

    @property
    def best(self) -> list[str]:
        """The best set A*."""
        return [self.names[at] for at in np.flatnonzero(self.layer == 1)]

    @property
    def rings(self) -> list[Ints]:
        """Models that dominate one another in a circle, circle by circle."""
        several = np.flatnonzero(np.bincount(self.circle) > 1)
        return [np.flatnonzero(self.circle == one) for one in several]


def order_of(names: list[str], contest: Contest) -> Sorted:
    """Layers and dominators; of very many models, only one dominator each."""
    if contest.plain and contest.narrow and len(names) > MANY:
        from moocore import pareto_rank

        layer = np.asarray(pareto_rank(contest.losses), dtype=np.int64) + 1
        return Sorted(names, layer, _witnesses(contest.losses, layer), np.arange(len(names)))
    return order_by(names, contest.dominance)


def order_by(names: list[str], dominates: Bools) -> Sorted:
    """Layers and dominators from who dominates whom; of very many models, only one dominator each, the highest."""
    layer, alone = layers(dominates), np.arange(len(names))
    # Who dominates stands above, unless there is a circle.
    downwards = all((layer[at] < layer[row]).all() for at, row in enumerate(dominates))
    if len(names) > MANY:
        best_first = np.argsort(layer, kind="stable")
        highest = best_first[dominates[best_first].argmax(axis=0)]
        dominators = [np.array([at], dtype=np.int64)[: int(dominates[at, b])] for b, at in enumerate(highest)]
    else:
        dominators = [np.flatnonzero(column) for column in dominates.T]
    return Sorted(names, layer, dominators, alone if downwards else circles(dominates))


def _witnesses(losses: Floats, layer: Ints) -> list[Ints]:
    """For each model after the first layer, one member of that layer that dominates it."""
    witness = np.full(len(losses), -1)
    for member in np.flatnonzero(layer == 1):
        open_ = np.flatnonzero((witness < 0) & (layer > 1))
        may, gain = ordinary(losses[member], losses[open_])
        witness[open_[may.all(axis=1) & gain.any(axis=1)]] = member
    return [np.array([who] if who >= 0 else [], dtype=np.int64) for who in witness]


def dominance_finding(order: Sorted, how: str, where: str) -> str:
    """What follows from the definition, in words, and no more: a member of A* need not dominate every other model."""
    best, n = order.best, len(order.names)
    others = _excluded(order)
    if n == 1:
        return only_model(best[0], where)
    if len(best) == 1 and all(order.names.index(best[0]) in own for own in order.dominators if len(own)):
        if n == 2:
            return f"{best[0]} dominates {listed(others)}{how} on {where}"
        return f"{best[0]} dominates every other model{how} on {where}: {listed(others)}"
    circle = " but within a circle" if any((order.layer[ring] == 1).all() for ring in order.rings) else ""
    whom = f"{len(best)} of {n} models" if others else f"all {n} models"
    verb = "is" if others and len(best) == 1 else "are"
    finding = f"{whom} {verb} undominated{how}{circle} on {where}: {listed(best)}"
    pairs = [f"{name} {'by' if at else 'is dominated by'} {by}" for at, (name, by) in enumerate(others.items())]
    return "; ".join([finding, *pairs[:NAMED], *_unnamed(len(pairs) - NAMED)])


def _unnamed(many: int) -> list[str]:
    """That there are further dominated models, which are models and not dominators of the last one that was named."""
    if many < 1:
        return []
    models = "1 further model is" if many == 1 else f"{many} further models are"
    return [f"{models} dominated; the table says by which"]


def _excluded(order: Sorted) -> dict[str, str]:
    """Of each model outside A*, by which members of A* it is dominated.

    Where a relation is not transitive there may be none; then those of the highest layer that has one are named.
    """
    found = {}
    for who in np.argsort(order.layer, kind="stable")[len(order.best) :]:
        own = order.dominators[who]
        highest = order.layer[own].min()
        found[order.names[who]] = _and_others([order.names[at] for at in own[order.layer[own] == highest]])
    return found


def _and_others(dominators: list[str]) -> str:
    """The first dominators, and how many others there are; one alone is named as well, in no more room.

    >>> _and_others(["a", "b", "c"]), _and_others(["a", "b", "c", "d"]), _and_others(["a", "b", "c", "d", "e"])
    ('a, b, c', 'a, b, c, d', 'a, b, c and 2 others')
    """
    rest = len(dominators) - BY
    return ", ".join(dominators) if rest < 2 else f"{', '.join(dominators[:BY])} and {rest} others"


def note_circles(order: Sorted) -> tuple[Note, ...]:
    """A note on every circle."""
    rings = (listed([order.names[at] for at in ring]) for ring in order.rings)
    text = "dominate one another in a circle, so they cannot be ordered and share a layer"
    return tuple(Note("ties", f"{ring} {text}") for ring in rings)


def dominators(order: Sorted) -> list[str]:
    """By whom each model is dominated: those of the first layer first."""
    first = (own[np.argsort(order.layer[own], kind="stable")] for own in order.dominators)
    return [", ".join(order.names[at] for at in own) for own in first]
