"""Correlation of paired numbers: Pearson's, the partial one, and what reliability grows to with more observers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

# 1 − r² below which two columns are the same but for rounding: what is left of one given the other is noise of floats.
ALIKE = 1e-10
CONSTANT = 1e-24  # of its power: a column that varies by less is constant but for rounding


def pearson(x: ArrayLike, y: ArrayLike) -> float:
    """Pearson's r over the pairs in which both are finite; NaN below two pairs or where one is constant.

    >>> pearson([0, 1, 1, 0, np.nan], [0, 1, 0, 1, 5])
    0.0
    """
    return float(matrix([x, y])[0, 1])


def partial(x: ArrayLike, y: ArrayLike, given: ArrayLike) -> float:
    """The correlation of x and y that z = `given` does not explain.

    r = (r_xy − r_xz r_yz) / √((1 − r_xz²)(1 − r_yz²)), over the triples in which all are finite. NaN where x or y is an
    affine function of z, or constant: nothing of it is left.

    >>> round(partial([1, 0, 2, 1], [2, 0, 1, 1], [0, 0, 1, 1]), 6)  # residuals .5, −.5, .5, −.5 and 1, −1, 0, 0
    0.707107
    >>> partial([0, 0, 2, 2], [2, 0, 1, 1], [0, 0, 1, 1])
    nan
    """
    return partial_of(matrix([x, y, given]), 0, 1, 2)


def matrix(columns: Any) -> Floats:
    """The correlations of several equally long columns, over the rows in which all are finite; constant ones: NaN.

    >>> matrix([[1, 2, 3], [3, 2, 1], [5, 5, 5]]).round(6).tolist()
    [[1.0, -1.0, nan], [-1.0, 1.0, nan], [nan, nan, nan]]
    """
    values = np.array([np.ravel(column) for column in columns], float)
    finite = np.isfinite(values)
    if not finite.all():
        values = values[:, finite.all(axis=0)]
    if values.shape[1] < 2:
        return np.full((len(values), len(values)), np.nan)
    apart = values - values.mean(axis=1, keepdims=True)
    products = apart @ apart.T
    variance = products.diagonal().copy()
    power = np.einsum("ij,ij->i", values, values)
    variance[variance <= CONSTANT * power] = np.nan
    scale = np.sqrt(variance)
    return np.asarray(np.clip(products / scale / scale[:, None], -1, 1))


def partial_of(r: Floats, x: int, y: int, given: int) -> float:
    """The partial correlation of two columns given a third, from the matrix of their correlations."""
    both, one, other = float(r[x, y]), float(r[x, given]), float(r[y, given])
    left = (1 - one**2, 1 - other**2)
    if not min(left) > ALIKE:
        return math.nan
    found = (both - one * other) / math.sqrt(left[0] * left[1])
    return max(min(found, 1.0), -1.0)


def spearman_brown(r: float, times: float = 2.0) -> float:
    """The reliability of `times` as many observations, from that of as many as correlate by r: n r / (1 + (n − 1) r).

    >>> spearman_brown(0.5), round(spearman_brown(0.915), 3)
    (0.6666666666666666, 0.956)
    """
    below = 1 + (times - 1) * r
    return float(times * r / below) if below > 1e-12 else math.nan  # nothing but rounding is left below


def single(r: float, one: float, other: float) -> float:
    """The reliability ρ of one observer, from the correlation r of the means of two groups of `one` and `other`.

    With k and l observers r = ρ √(k l) / √((1 + (k − 1) ρ)(1 + (l − 1) ρ)), solved for the ρ of the same sign:
    ρ = r (r (k + l − 2) + √(r² (k − l)² + 4 k l)) / (2 (k l − r² (k − 1)(l − 1))).

    >>> single(0.5, 1, 1), round(single((3 / 8) ** 0.5, 1, 3), 6)  # of ρ = ½: ½ √3 / √(1 · 2)
    (0.5, 0.5)
    """
    root = math.sqrt(r**2 * (one - other) ** 2 + 4 * one * other)
    below = 2 * (one * other - r**2 * (one - 1) * (other - 1))
    return float(r * (r * (one + other - 2) + root) / below) if below > 0 else math.nan


def foretold(r: float, one: float, other: float) -> float:
    """The reliability of the mean of all observers, from the correlation r of two groups of `one` and `other` of them.

    n ρ / (1 + (n − 1) ρ), with n of both groups and ρ of one observer (`single`). Of equal groups that is 2 r / (1 + r)
    (Spearman–Brown); of unequal ones that would be too low.

    >>> round(foretold(0.5, 3, 3), 6), round(foretold(0.5, 2, 1), 6)
    (0.666667, 0.686141)
    """
    return spearman_brown(single(r, one, other), one + other)
