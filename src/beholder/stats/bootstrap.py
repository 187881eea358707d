"""Percentile bootstrap of means, paired over everything that is measured on the same units (Efron 1979)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from beholder.stats import small_samples

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEAST = small_samples.LEAST  # units below which there is no interval
BLOCK = 2_000_000  # numbers held at once: 16 MB


def strata(units: Ints, cells: Ints) -> Ints:
    """The stratum of each unit, where the k-th value belongs to unit `units[k]` and cell `cells[k]`.

    Units that share a cell, directly or through others, are one stratum. So the one unit of a measure of the whole
    dataset is not drawn from among the samples, and is in every draw; a unit that lacks a cell stays with its like.

    >>> strata(np.array([0, 1, 1, 2, 3]), np.array([0, 0, 1, 1, 2]))
    array([0, 0, 0, 1])
    """
    label = np.arange(units.max(initial=-1) + 1, dtype=np.int64)
    while True:
        lowest = np.full(cells.max(initial=-1) + 1, len(label))
        np.minimum.at(lowest, cells, label[units])
        spread = label.copy()
        np.minimum.at(spread, units, lowest[cells])
        if np.array_equal(spread, label):
            return np.unique(label, return_inverse=True)[1].astype(np.int64)
        label = spread


def counts(n: int, *, draws: int = 1000, rng: np.random.Generator, strata: Ints | None = None) -> Iterator[Floats]:
    """How often each of `n` units stands in each of `draws` samples with replacement; in blocks of bounded size.

    Within every stratum as many units are drawn as it has; without strata, all units are one.

    >>> [block.sum(axis=1).tolist() for block in counts(5, draws=3, rng=np.random.default_rng(0))]
    [[5.0, 5.0, 5.0]]
    """
    labels = np.zeros(n, dtype=np.int64) if strata is None else strata
    members = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    block = max(1, min(draws, BLOCK // max(n, 1)))
    for start in range(0, draws, block):
        size = min(block, draws - start)
        weights = np.empty((size, n))
        for some in members:
            weights[:, some] = _counts(len(some), size, rng)
        yield weights


def halves(n: int, *, draws: int = 1000, rng: np.random.Generator, strata: Ints | None = None) -> Iterator[Floats]:
    """Which of `n` units stand in each of `draws` random halves: 1 or 0, as `counts`, but without replacement.

    A half of an odd number is rounded up, so that a stratum of one unit is in every half.

    >>> [block.sum(axis=1).tolist() for block in halves(5, draws=3, rng=np.random.default_rng(0))]
    [[3.0, 3.0, 3.0]]
    """
    labels = np.zeros(n, dtype=np.int64) if strata is None else strata
    members = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    block = max(1, min(draws, BLOCK // max(n, 1)))
    for start in range(0, draws, block):
        keys = rng.random((min(block, draws - start), n))
        chosen = np.zeros(keys.shape)
        for some in members:
            first = np.argsort(keys[:, some], axis=1)[:, : (len(some) + 1) // 2]
            np.put_along_axis(chosen, some[first], 1.0, axis=1)
        yield chosen


def _counts(n: int, draws: int, rng: np.random.Generator) -> Ints:
    """Draws × units: tallies of uniform picks, row by row because a row's tally stays in the processor's cache."""
    picks = rng.integers(0, n, size=(draws, n), dtype=np.int32)
    return np.stack([np.bincount(row, minlength=n) for row in picks])


def sums(values: Floats, *, draws: int = 1000, rng: np.random.Generator, strata: Ints | None = None) -> Floats:
    """Bootstrap distribution of column sums of finite values, draws × columns."""
    blocks = [w @ values for w in counts(len(values), draws=draws, rng=rng, strata=strata)]
    return np.concatenate(blocks) if blocks else np.empty((0, values.shape[1]))


def means(values: Floats, *, draws: int = 1000, rng: np.random.Generator, strata: Ints | None = None) -> Floats:
    """Bootstrap distribution of column means, draws × columns; NaN are left out of a mean, not counted as zero.

    A draw without any value of a column is NaN there; a draw that holds an infinite value has an infinite mean.

    >>> means(np.array([[1.0], [1.0], [np.nan]]), draws=50, rng=np.random.default_rng(0))[:2].ravel()
    array([1., 1.])
    """
    finite = np.where(np.isfinite(values), values, 0.0)
    kinds = [finite, ~np.isnan(values), values == np.inf, values == -np.inf]
    several = np.concatenate([kind.astype(float) for kind in kinds], axis=1)
    drawn = sums(several, draws=draws, rng=rng, strata=strata)
    total, held, above, below = np.split(drawn, len(kinds), axis=1)
    total = total + np.where(above > 0, np.inf, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (total + np.where(below > 0, -np.inf, 0.0)) / held


def interval(draws: Floats, level: float = 0.95, *, units: int | None = None) -> tuple[Floats, Floats]:
    """The central interval of each column of a bootstrap distribution; NaN where no draw has a value.

    With the number of `units` that were drawn from, its ends lie further out than `level` says: at Φ(∓√(n/(n − 1)) t)
    with Student's t of n − 1 degrees of freedom (Hesterberg 2015). Plain percentiles are too short by √((n − 1)/n), and
    take the spread for known. Below three units there is no interval.

    >>> lo, hi = interval(np.linspace(0, 1, 1001)[:, None], units=1000)
    >>> lo.round(3), hi.round(3)
    (array([0.025]), array([0.975]))
    """
    held = ~np.isnan(draws) & (units is None or units >= LEAST)
    tail = (1 - level) / 2 if units is None else expanded_tail(level, units)
    bounds = np.full((2, draws.shape[1]), np.nan)
    full, some = held.all(axis=0), held.any(axis=0)
    for columns in (full & some, some & ~full):  # apart, because NumPy is slow on columns with gaps
        if columns.any():
            bounds[:, columns] = _tails(draws[:, columns], tail)
    return bounds[0], bounds[1]


def expanded_tail(level: float, units: int) -> float:
    """The share of draws that is cut off at either end for an interval of this level over so many units.

    >>> round(expanded_tail(0.95, 10), 4)
    0.0086
    """
    from scipy.special import ndtr, stdtrit

    n = max(units, 2)
    return float(ndtr(stdtrit(n - 1, (1 - level) / 2) * np.sqrt(n / (n - 1))))


def mean_of_known(draws: Floats) -> Floats:
    """The mean of each column over its values that are known; NaN where none is.

    >>> mean_of_known(np.array([[1.0, np.nan], [2.0, np.nan]]))
    array([1.5, nan])
    """
    held = (~np.isnan(draws)).sum(axis=0)
    return np.asarray(np.where(held > 0, np.nansum(draws, axis=0) / np.maximum(held, 1), np.nan))


def _tails(draws: Floats, tail: float) -> Floats:
    """The two quantiles of each column, NaN apart; infinite draws are picked and not blended with their neighbours."""
    method: Literal["nearest", "linear"] = "nearest" if np.isinf(draws).any() else "linear"
    of = np.nanquantile if np.isnan(draws).any() else np.quantile
    return np.asarray(of(draws, [tail, 1 - tail], axis=0, method=method))
