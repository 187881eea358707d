"""Friedman's test over blocks, and Nemenyi's critical difference of mean ranks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def friedman(rank: Floats) -> tuple[float, float]:
    """χ² and p-value of Friedman's test, from the ranks of k models (rows) in N blocks (columns), ties at their mean.

    χ² = (k − 1) Σ_j (R_j − N(k + 1)/2)² / (Σ_ij r_ij² − N k (k + 1)²/4), R_j the rank sums, which without ties is
    12/(N k (k + 1)) Σ R_j² − 3 N (k + 1), as Demšar 2006 has it; p by χ² with k − 1 degrees of freedom. Where all ranks
    are tied, and for one model, χ² = 0 and p = 1.

    >>> friedman(np.array([[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]))
    (3.0, 0.08326451666355042)
    """
    from scipy.special import chdtrc

    k, n = rank.shape
    spread = float((rank**2).sum() - n * k * (k + 1) ** 2 / 4)
    if spread <= 0:
        return 0.0, 1.0
    found = (k - 1) * float(((rank.sum(axis=1) - n * (k + 1) / 2) ** 2).sum()) / spread
    return found, float(chdtrc(k - 1, found))


def critical_difference(k: int, n: int, alpha: float = 0.05) -> float:
    """CD = q_α √(k (k + 1) / (6 N)), by which the mean ranks of k models over N blocks must differ (Demšar 2006).

    q_α is the upper quantile of the studentised range of k normal values (infinite degrees of freedom) over √2.

    >>> round(critical_difference(12, 20), 3)
    3.726
    """
    return float(studentised_range(k, alpha) / np.sqrt(2) * np.sqrt(k * (k + 1) / (6 * n)))


def studentised_range(k: int, alpha: float = 0.05) -> float:
    """The q with P(max − min of k standard normal values > q) = α.

    P(range ≤ q) = k ∫ φ(z) (Φ(z + q) − Φ(z))^(k − 1) dz, z the smallest; solved for q numerically. Demšar's table
    has q/√2 = 1.960 for k = 2 and 2.343 for k = 3.

    >>> round(studentised_range(2) / 2**0.5, 3), round(studentised_range(3) / 2**0.5, 3)
    (1.96, 2.344)
    """
    from scipy.optimize import brentq
    from scipy.special import ndtr

    z = np.linspace(-9.0, 9.0, 4001)  # beyond, φ is below 1e-18; the sum over so smooth a function is exact to 1e-12
    weight = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * (z[1] - z[0])

    def beyond(q: float) -> float:
        return float(1 - k * (weight * (ndtr(z + q) - ndtr(z)) ** (k - 1)).sum() - alpha)

    return float(brentq(beyond, 1e-9, 20.0))


def groups(mean_rank: Floats, difference: float) -> list[NDArray[np.int64]]:
    """The largest sets of models whose mean ranks all lie within a difference, as positions, the best set first.

    >>> [group.tolist() for group in groups(np.array([1.0, 3.5, 2.0, 3.9]), 1.6)]
    [[0, 2], [2, 1], [1, 3]]
    >>> [group.tolist() for group in groups(np.array([1.0, 9.0]), 1.0)]
    [[0], [1]]
    """
    order = np.argsort(mean_rank, kind="stable")
    ends = np.searchsorted(mean_rank[order], mean_rank[order] + difference, side="right")
    found, reached = [], 0
    for start, end in enumerate(ends.tolist()):
        if end > reached:  # else it lies within the set before
            found.append(order[start:end])
            reached = end
    return found
