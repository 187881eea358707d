"""Tests of paired differences, two-sided, and the correction for making many of them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from beholder.stats.ranks import ranks

Floats = NDArray[np.float64]

EXACT = 50  # differences up to which the signed ranks are counted out; above, their sum is normal to three digits
FLIPS = 12  # differences up to which all 2ⁿ signs are tried
DRAWS = 9999  # random signs above that: the smallest p-value is then 1/10000


def wilcoxon(differences: Floats, *, exact: bool = True) -> Floats:
    """p-values of Wilcoxon's signed-rank test for each row of differences.

    W⁺ = Σ rank(|d_i|) over d_i > 0, zeros left out and equal |d_i| at the mean of their ranks; under the hypothesis
    every sign is as likely as its opposite. The distribution is exact, with ties too, up to 50 differences; above, or
    without `exact`, it is normal with the same mean and variance. A row of zeros has p = 1; infinite differences have
    the largest ranks.

    >>> wilcoxon(np.array([[1.0, 2.0, 3.0, 4.0, 5.0], [1.0, -1.0, 0.0, 2.0, -2.0]]))
    array([0.0625, 1.    ])
    """
    held = differences != 0
    zeros = differences.shape[1] - held.sum(axis=1, keepdims=True)
    rank = np.where(held, ranks(np.abs(differences).T, "average").T - zeros, 0.0)
    found = np.where(differences > 0, rank, 0.0).sum(axis=1)
    if not exact or differences.shape[1] > EXACT:
        return _normal(found, rank)
    return np.array([_exact(w, tuple(sorted(r[r > 0]))) for w, r in zip(found.tolist(), rank, strict=True)])


def _exact(found: float, rank: tuple[float, ...]) -> float:
    below, above = _signed_sums(rank)
    at = round(2 * found)  # mean ranks are whole or half
    return min(1.0, 2.0 * float(min(below[at], above[at])))


@lru_cache(maxsize=1024)
def _signed_sums(rank: tuple[float, ...]) -> tuple[Floats, Floats]:
    """P(W⁺ ≤ w) and P(W⁺ ≥ w) for 2w = 0, 1, 2, … when each rank is in the sum or not by the toss of a coin."""
    steps = [round(2 * one) for one in rank]
    density = np.zeros(sum(steps) + 1)
    density[0] = 1.0
    for step in steps:
        density[step:] += density[:-step].copy()
        density /= 2
    return np.cumsum(density), np.cumsum(density[::-1])[::-1]


def _normal(found: Floats, rank: Floats) -> Floats:
    from scipy.special import ndtr

    spread = np.sqrt((rank**2).sum(axis=1)) / 2
    off = np.abs(found - rank.sum(axis=1) / 2) / np.where(spread > 0, spread, 1.0)
    return np.asarray(2 * ndtr(-off))


def sign(differences: Floats) -> Floats:
    """p-values of the sign test for each row: how likely so uneven a number of gains and losses is. Zeros are left out.

    >>> sign(np.array([[1.0, 2.0, 3.0, 4.0, 5.0], [1.0, -1.0, 0.0, 0.0, 0.0]]))
    array([0.0625, 1.    ])
    """
    from scipy.special import bdtr

    more, less = (differences > 0).sum(axis=1), (differences < 0).sum(axis=1)
    return np.asarray(np.minimum(1.0, 2 * bdtr(np.minimum(more, less), more + less, 0.5)))


def permutation(differences: Floats, *, rng: np.random.Generator) -> Floats:
    """p-values of the permutation test of the mean for each row: all changes of signs, or many of them at random.

    p = share of sign changes s with |Σ s_i d_i| ≥ |Σ d_i|; above 12 differences s is drawn, and the observed
    one is counted with the drawn. An infinite difference outweighs all finite ones together.

    >>> permutation(np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]), rng=np.random.default_rng(0))
    array([0.25, 1.  ])
    """
    finite = _finite(differences)
    observed = np.abs(finite.sum(axis=1)) * (1 - 1e-12)  # equal up to rounding error is equal
    n = finite.shape[1]
    signs = _all_signs(n) if n <= FLIPS else rng.choice([-1.0, 1.0], size=(DRAWS, n))
    as_large = np.array([(np.abs(signs @ row) >= own).sum() for row, own in zip(finite, observed, strict=True)])
    return np.asarray(as_large / len(signs) if n <= FLIPS else (1 + as_large) / (1 + len(signs)))


def _all_signs(n: int) -> Floats:
    return np.array(1.0 - 2.0 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1))


def _finite(differences: Floats) -> Floats:
    size = np.where(np.isfinite(differences), np.abs(differences), 0.0).sum(axis=1, keepdims=True)
    return np.where(np.isinf(differences), np.sign(differences) * (2 * size + 1), differences)


def holm(p: Floats) -> Floats:
    """p-values corrected for their number by Holm's step-down: the k-th smallest of m times m − k + 1, never falling.

    >>> holm(np.array([0.01, 0.04, 0.03]))
    array([0.03, 0.06, 0.06])
    """
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected
