"""Intervals of a mean over few units: Student's t, corrected for skewness (Hall 1992); Wilson's for shares."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from beholder.stats.proportion import wilson

Floats = NDArray[np.float64]

Shares = NDArray[np.bool_] | bool | None  # which columns may be shares; None: if all look like it

LEAST = 3  # units: two say nothing of their spread that could be relied on


def mean_interval(values: Floats, *, level: float = 0.95, shares: Shares = None) -> Floats:
    """The interval of each column's mean over its rows, 2 × columns; NaN where a column has fewer than three values.

    Hall's t: μ ∈ x̄ − g⁻¹(±t) s/√n with t the quantile of Student's distribution of n − 1 degrees of freedom and
    g⁻¹(t) = (3/r)(∛(1 + r(t − r/6)) − 1), r = γ̂/√n, γ̂ the skewness. Shares have Wilson's interval: columns of zeros
    and ones, where all columns are such or `shares` says that they are; ranks and differences are none. NaN are left
    out of a mean. An infinite value has no spread: NaN.

    >>> values = np.array([[1.0, 0.0], [2.0, 1.0], [3.0, 1.0], [2.0, 1.0]])
    >>> mean_interval(values, shares=True).round(3)
    array([[0.701, 0.301],
           [3.299, 0.954]])
    """
    held = ~np.isnan(values)
    n = held.sum(axis=0)
    bounds = _hall(np.where(held, values, 0.0), held, level)
    zeros_and_ones = binary(values)
    wanted = zeros_and_ones.all() if shares is None else np.asarray(shares)
    for at in np.flatnonzero((n >= LEAST) & zeros_and_ones & wanted):
        bounds[:, at] = wilson(float(np.nansum(values[:, at])), int(n[at]), z=_normal_quantile(level))
    return bounds


def binary(values: Floats) -> NDArray[np.bool_]:
    """Which columns hold zeros and ones only, and NaN."""
    return np.asarray((np.isnan(values) | (values == 0) | (values == 1)).all(axis=0))


def _hall(filled: Floats, held: NDArray[np.bool_], level: float) -> Floats:
    """Hall's interval of every column, whatever its values are."""
    from scipy.special import stdtrit

    n = held.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(n >= LEAST, filled.sum(axis=0) / n, np.nan)
        off = np.where(held, filled - mean, 0.0)
        variance = (off**2).sum(axis=0) / n  # about the mean, as Hall's γ̂ has it
        flat = variance <= (1e-12 * np.abs(mean)) ** 2  # equal but for rounding
        skew = np.where(flat, 0.0, (off**3).sum(axis=0) / n / variance**1.5)
        step = np.sqrt(variance / (n - 1))  # s/√n
    t = stdtrit(np.maximum(n - 1, 1), (1 + level) / 2)
    r = skew / np.sqrt(n, where=n > 0, out=np.ones(len(n)))
    return np.stack([mean - _unskewed(t, r) * step, mean - _unskewed(-t, r) * step])


def _unskewed(t: Floats, r: Floats) -> Floats:
    """g⁻¹(t): what t would be were the mean's distribution symmetric; t itself where there is no skewness."""
    small = np.abs(r) < 1e-8
    safe = np.where(small, 1.0, r)
    return np.asarray(np.where(small, t, 3 / safe * (np.cbrt(1 + safe * (t - safe / 6)) - 1)))


def _normal_quantile(level: float) -> float:
    from scipy.special import ndtri

    return float(ndtri((1 + level) / 2))


def pseudo_values(whole: float | Floats, without: Floats) -> Floats:
    """Tukey's pseudo-values of a statistic of n units: n θ − (n − 1) θ₍₋ᵢ₎; the interval of their mean is that of θ.

    `without` holds the statistic (or several, one a column) with each unit left out. Of a mean they are its values.

    >>> pseudo_values(2.0, np.array([2.5, 2.0, 1.5]))
    array([1., 2., 3.])
    """
    n = len(without)
    return np.asarray(n * whole - (n - 1) * without)
