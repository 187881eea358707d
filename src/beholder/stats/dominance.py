"""Relations of dominance between vectors of losses, and the layers they give."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
# (a, b) → for each component, whether a may dominate b as far as it goes, and whether it is a strict gain.
# a dominates b iff the first holds everywhere and the second somewhere.
Relation = Callable[[Floats, Floats], tuple[Bools, Bools]]

GRAIN = 1e-9  # of a tolerance: a difference that equals it but for rounding (0.3 − 0.2 against 0.1) equals it


def ordinary(a: Floats, b: Floats) -> tuple[Bools, Bools]:
    """a ≺ b iff a_i ≤ b_i for all i and a_i < b_i for some i, where less is better."""
    return a <= b, a < b


def strong(a: Floats, b: Floats) -> tuple[Bools, Bools]:
    """a ≺ b iff a_i < b_i for all i."""
    return a < b, a < b


def margin(tolerance: Floats) -> Relation:
    """a ≺ b iff a_i ≤ b_i − τ_i for all i, and a ≠ b: better by at least τ everywhere.

    >>> dominance(np.array([[1.0, 1.0], [2.0, 2.0], [2.5, 3.0]]), margin(np.array([1.0, 1.0]))).astype(int)
    array([[0, 1, 1],
           [0, 0, 0],
           [0, 0, 0]])
    """
    least = tolerance * (1 - GRAIN)

    def related(a: Floats, b: Floats) -> tuple[Bools, Bools]:
        return a <= b - least, a < b

    return related


def tolerant(tolerance: Floats) -> Relation:
    """a ≺ b iff a_i ≤ b_i + τ_i for all i and a_i < b_i − τ_i for some i: losses up to τ count as none.

    It is not transitive, and may run in a circle.

    >>> dominance(np.array([[0, 0.9, 1.8], [1.8, 0, 0.9], [0.9, 1.8, 0]]), tolerant(np.ones(3))).astype(int)
    array([[0, 1, 0],
           [0, 0, 1],
           [1, 0, 0]])
    """
    most = tolerance * (1 + GRAIN)

    def related(a: Floats, b: Floats) -> tuple[Bools, Bools]:
        return a <= b + most, a < b - most

    return related


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

    def related(a: Floats, b: Floats) -> tuple[Bools, Bools]:
        may, gain = relation(a, b)
        return may | np.isnan(a) | np.isnan(b), gain

    return related


def dominance(losses: Floats, relation: Relation = ordinary, rivals: Floats | None = None) -> Bools:
    """Who dominates whom: [a, b] is True iff a ≺ b.

    `rivals`, if given, are the losses of b: with upper bounds as `losses` and lower bounds as `rivals`, ordinary
    dominance is that of intervals.

    >>> dominance(np.array([[1.0, 2.0], [1.0, 3.0], [0.0, 4.0]])).astype(int)
    array([[0, 1, 0],
           [0, 0, 0],
           [0, 0, 0]])
    """
    against = losses if rivals is None else rivals
    rows = (relation(own, against) for own in losses)
    return np.stack([may.all(axis=1) & gain.any(axis=1) for may, gain in rows])


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
    """Layers by removal; None where a circle leaves nobody to remove."""
    layer = np.zeros(len(dominates), dtype=np.int64)
    left = np.ones(len(dominates), dtype=bool)
    while left.any():
        layer[left] += 1
        beaten = left & dominates[left].any(axis=0)
        if (beaten == left).all():
            return None
        left = beaten
    return layer


def _condensed(dominates: Bools, circle: Ints) -> Bools:
    """Which circle dominates which other."""
    found = np.zeros((circle.max() + 1,) * 2, dtype=bool)
    winners, losers = np.nonzero(dominates)
    found[circle[winners], circle[losers]] = True
    np.fill_diagonal(found, False)
    return found
