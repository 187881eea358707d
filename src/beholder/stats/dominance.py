"""Relations of dominance between vectors of losses, and the layers they give."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.jit import compiled

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

GRAIN = 1e-9  # of a tolerance: a difference that equals it but for rounding (0.3 − 0.2 against 0.1) equals it
SMALL = 20_000_000  # comparisons of numbers up to which NumPy is as fast as a compiled loop, and needs no compiler
ROWS = 256  # of a matrix of dominance that are looked at together


class Relation(NamedTuple):
    """When a dominates b: where a_i ≤ b_i + slack_i (strictly: <) for all i, and a_i < b_i − step_i for some i."""

    slack: Floats | float = 0.0
    step: Floats | float = 0.0
    strict: bool = False
    common: bool = False  # whether components that either lacks (NaN) bar nothing

    def __call__(self, a: Floats, b: Floats) -> tuple[Bools, Bools]:
        """For each component, whether a may dominate b as far as it goes, and whether it is a strict gain."""
        may = a < b + self.slack if self.strict else a <= b + self.slack
        lacking = np.isnan(a) | np.isnan(b) if self.common else False
        return may | lacking, a < b - self.step


ordinary = Relation()  # a ≺ b iff a_i ≤ b_i for all i and a_i < b_i for some i, where less is better
strong = Relation(strict=True)  # a ≺ b iff a_i < b_i for all i


def margin(tolerance: Floats) -> Relation:
    """a ≺ b iff a_i ≤ b_i − τ_i for all i, and a ≠ b: better by at least τ everywhere.

    >>> dominance(np.array([[1.0, 1.0], [2.0, 2.0], [2.5, 3.0]]), margin(np.array([1.0, 1.0]))).astype(int)
    array([[0, 1, 1],
           [0, 0, 0],
           [0, 0, 0]])
    """
    return Relation(slack=-tolerance * (1 - GRAIN))


def tolerant(tolerance: Floats) -> Relation:
    """a ≺ b iff a_i ≤ b_i + τ_i for all i and a_i < b_i − τ_i for some i: losses up to τ count as none.

    It is not transitive, and may run in a circle.

    >>> dominance(np.array([[0, 0.9, 1.8], [1.8, 0, 0.9], [0.9, 1.8, 0]]), tolerant(np.ones(3))).astype(int)
    array([[0, 1, 0],
           [0, 0, 1],
           [1, 0, 0]])
    """
    most = tolerance * (1 + GRAIN)
    return Relation(slack=most, step=most)


def boxes(losses: Floats, tolerance: Floats) -> Floats:
    """⌊v_i / τ_i⌋, for ordinary dominance between boxes of side τ that start at 0; where τ is 0, the loss itself.

    >>> boxes(np.array([[0.3, 0.31, 0.7]]), np.array([0.1, 0.1, 0.0]))
    array([[3. , 3. , 0.7]])
    """
    side = np.where(tolerance > 0, tolerance, 1.0)
    return np.where(tolerance > 0, np.floor(losses / side + GRAIN), losses)


def on_common(relation: Relation) -> Relation:
    """The same relation over the components that both vectors have: where either is NaN, nothing is barred or gained.

    It is not transitive, and may run in a circle.
    """
    return relation._replace(common=True)


def dominance(
    losses: Floats, relation: Relation = ordinary, rivals: Floats | None = None, columns: Bools | None = None
) -> Bools:
    """Who dominates whom: [a, b] is True iff a ≺ b.

    `rivals`, if given, are the losses of b: with upper bounds as `losses` and lower bounds as `rivals`, ordinary
    dominance is that of intervals. Of `columns`, if given, only those count that are True. Large tables are compared
    pair by pair, up to the first component that bars: memory is that of the answer.

    >>> dominance(np.array([[1.0, 2.0], [1.0, 3.0], [0.0, 4.0]])).astype(int)
    array([[0, 1, 0],
           [0, 0, 0],
           [0, 0, 0]])
    """
    own, against, limits = _of_columns(losses, relation, rivals, columns)
    if len(losses) * losses.size > SMALL:
        found = np.zeros((len(own), len(against)), dtype=bool)
        _compare_all(own, against, limits, relation.strict, relation.common, found)
        return found
    here = relation._replace(slack=limits[0], step=limits[1])
    rows = (here(one, against) for one in own)
    return np.stack([may.all(axis=1) & gain.any(axis=1) for may, gain in rows])


def undominated(losses: Floats, columns: Bools | None = None) -> Bools:
    """Whom nobody dominates in the ordinary way, by some of the columns: for tables too wide for moocore.

    Likely winners are tried first, and a model that is dominated once is not looked at again.

    >>> undominated(np.array([[1.0, 2.0], [1.0, 3.0], [0.0, 4.0], [1.0, 2.0]]))
    array([ True, False,  True,  True])
    """
    own, *_ = _of_columns(losses, ordinary, None, columns)
    with np.errstate(invalid="ignore"):
        places = np.argsort(np.nan_to_num(own.sum(axis=1)), kind="stable")
    found = np.ones(len(own), dtype=bool)
    _find_undominated(own, places, found)
    return found


def _of_columns(
    losses: Floats, relation: Relation, rivals: Floats | None, columns: Bools | None
) -> tuple[Floats, Floats, Floats]:
    """Losses of a and of b, and slack and step (2 × components), of some of the components."""
    wide = losses.shape[1]
    here = slice(None) if columns is None else columns
    limits = np.stack([np.broadcast_to(np.asarray(part, dtype=float), wide)[here] for part in relation[:2]])
    own = np.ascontiguousarray(losses[:, here])
    against = own if rivals is None else np.ascontiguousarray(rivals[:, here])
    return own, against, limits


@compiled
def _compare_all(own: Floats, against: Floats, limits: Floats, strict: bool, common: bool, found: Bools) -> None:
    """Fill in who dominates whom, pair by pair."""
    wide = own.shape[1]
    for a in range(own.shape[0]):
        for b in range(against.shape[0]):
            may, gain = True, False
            for i in range(wide):
                x, y = own[a, i], against[b, i]
                if common and (np.isnan(x) or np.isnan(y)):
                    continue
                if not (x < y + limits[0, i] if strict else x <= y + limits[0, i]):
                    may = False
                    break
                gain = gain or x < y - limits[1, i]
            found[a, b] = may and gain


@compiled
def _find_undominated(losses: Floats, places: Ints, found: Bools) -> None:
    """Strike out whom a model dominates, in the order of places; one that is struck out dominates nobody else anew."""
    models, wide = losses.shape
    for at in range(models):
        a = places[at]
        if not found[a]:
            continue  # dominance is transitive: who is dominated by it is dominated by its dominator
        for b in range(models):
            if not found[b]:
                continue
            may, gain = True, False
            for i in range(wide):
                if not losses[a, i] <= losses[b, i]:
                    may = False
                    break
                gain = gain or losses[a, i] < losses[b, i]
            if may and gain:
                found[b] = False


def layers(dominates: Bools) -> Ints:
    """The layer of each model, from 1, by repeated removal of those whom no remaining one dominates.

    Models that dominate one another in a circle are one: their layer is that of the circle in the graph of circles
    (its condensation by strongly connected components), so that the first layer is never empty.

    >>> layers(np.array([[False, True, True], [False, False, True], [False, False, False]]))
    array([1, 2, 3])
    >>> layers(np.array([[False, True, True], [True, False, False], [False, False, False]]))
    array([1, 1, 2])
    """
    found = _peeled(dominates)
    if found is None:
        circle = circles(dominates)
        found = _peeled(_condensed(dominates, circle))
        return np.zeros(0, dtype=np.int64) if found is None else found[circle]
    return found


def circles(dominates: Bools) -> Ints:
    """The number of each model's circle: models that dominate one another, directly or through others, share it.

    >>> circles(np.array([[False, True, False], [True, False, False], [True, False, False]])).tolist()[:2]
    [0, 0]
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    _, label = connected_components(csr_array(dominates), directed=True, connection="strong")
    return np.unique(label, return_inverse=True)[1].astype(np.int64)


def _peeled(dominates: Bools) -> Ints | None:
    """Layers by removal; None where a circle leaves nobody to remove. Every row is read once."""
    layer = np.zeros(len(dominates), dtype=np.int64)
    left = dominates.sum(axis=0)  # of each, how many that are not removed dominate it
    for at in range(1, len(dominates) + 1):
        front = np.flatnonzero((layer == 0) & (left == 0))
        if not len(front):
            break
        layer[front] = at
        for some in np.array_split(front, 1 + len(front) // ROWS):
            left -= dominates[some].sum(axis=0)
    return layer if (layer > 0).all() else None


def _condensed(dominates: Bools, circle: Ints) -> Bools:
    """Which circle dominates which other."""
    found = np.zeros((circle.max() + 1,) * 2, dtype=bool)
    winners, losers = np.nonzero(dominates)
    found[circle[winners], circle[losers]] = True
    np.fill_diagonal(found, False)
    return found
