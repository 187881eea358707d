"""Correlations of two columns, once or for many bootstrap draws at a time: Pearson, Spearman and Kendall's τ-b.

A draw is a row of counts: how often each pair stands in it. So a draw costs no copy of the data, and ties between
copies of one pair are what they are in a sample with repetition.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from beholder.jit import compiled
from beholder.stats.ranking import midranks

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

Correlation = Callable[[Floats, Floats, Floats | None], Floats]

BLOCK = 2_000_000  # numbers held at once: 16 MB


def pearson(x: Floats, y: Floats, counts: Floats | None = None) -> Floats:
    """Pearson's r of each draw; NaN where a column is constant.

    >>> pearson(np.array([1.0, 2, 3]), np.array([1.0, 3, 2])).round(3)
    array([0.5])
    """
    return _in_blocks(lambda weights: _pearson(_centred(x), _centred(y), weights), _counts(x, counts))


def spearman(x: Floats, y: Floats, counts: Floats | None = None) -> Floats:
    """Spearman's ρ of each draw: Pearson's r of mean ranks within the draw (Spearman 1904).

    >>> spearman(np.array([1.0, 2, 2, 9]), np.array([1.0, 3, 3, 2]), np.array([[1.0, 1, 1, 1], [1, 0, 0, 1]])).round(3)
    array([0.333, 1.   ])
    """
    if counts is None:
        return _pearson(midranks(x), midranks(y), _counts(x, None))
    return _in_blocks(lambda weights: _pearson(_ranks(x, weights), _ranks(y, weights), weights), _counts(x, counts))


def kendall(x: Floats, y: Floats, counts: Floats | None = None) -> Floats:
    """Kendall's τ-b of each draw: (C − D) / √((n₀ − n₁)(n₀ − n₂)), n₁ and n₂ pairs tied in x and in y (Kendall 1945).

    >>> kendall(np.array([1.0, 2, 3]), np.array([1.0, 3, 2])).round(3)
    array([0.333])
    """
    weights = _counts(x, counts)
    _, value = np.unique(x, return_inverse=True)
    _, rank = np.unique(y, return_inverse=True)
    order = np.argsort(value, kind="stable")
    ordered = np.ascontiguousarray(weights[:, order])
    score = _concordance(ordered, value[order].astype(np.int64), rank[order].astype(np.int64))
    untied = _untied(weights, value) * _untied(weights, rank)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(untied > 0, score / np.sqrt(untied), np.nan))


def _counts(x: Floats, counts: Floats | None) -> Floats:
    return np.ones((1, len(x))) if counts is None else np.asarray(counts, float)


def _in_blocks(of: Callable[[Floats], Floats], weights: Floats) -> Floats:
    """A statistic of each row, some rows at a time."""
    step = max(1, BLOCK // max(1, weights.shape[1]))
    return np.concatenate([of(weights[at : at + step]) for at in range(0, len(weights), step)])


def _centred(x: Floats) -> Floats:
    return x - np.mean(x) if len(x) else x


def _pearson(x: Floats, y: Floats, weights: Floats) -> Floats:
    """The weighted correlation of each row; `x` and `y` are one row for all, or one for each."""
    total = weights.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        apart = [column - ((weights * column).sum(axis=1) / total)[:, None] for column in (x, y)]
        (xx, yy), xy = ((weights * one**2).sum(axis=1) for one in apart), (weights * apart[0] * apart[1]).sum(axis=1)
        scale = [(weights * np.square(column)).sum(axis=1) for column in (x, y)]
        flat = (xx <= 1e-20 * scale[0]) | (yy <= 1e-20 * scale[1])
        return np.where(flat, np.nan, np.clip(xy / np.sqrt(xx * yy), -1, 1))


def in_rows(of: Correlation, x: Floats, y: Floats) -> Floats:
    """A correlation within each row of two tables of few columns; NaN are left out of their row.

    >>> in_rows(kendall, np.array([[1.0, 2, 3], [1, 2, 2]]), np.array([[1.0, 3, 2], [5, 6, 7]])).round(3)
    array([0.333, 0.816])
    """
    held = ~(np.isnan(x) | np.isnan(y))
    both = held[:, :, None] & held[:, None]
    if of is not pearson:
        one, other = (np.sign(np.nan_to_num(own[:, :, None] - own[:, None])) * both for own in (x, y))
        if of is spearman:
            x, y = one.sum(axis=2), other.sum(axis=2)  # twice the rank less a constant: the correlation is the same
        else:
            untied = np.sqrt((one != 0).sum(axis=(1, 2)) * (other != 0).sum(axis=(1, 2)))
            with np.errstate(invalid="ignore", divide="ignore"):
                return np.asarray(np.where(untied > 0, (one * other).sum(axis=(1, 2)) / untied, np.nan))
    return _pearson(np.where(held, x, 0.0), np.where(held, y, 0.0), held.astype(float))


def _ranks(x: Floats, weights: Floats) -> Floats:
    """Mean ranks within each draw, draws × pairs."""
    _, value = np.unique(x, return_inverse=True)
    often = _tally(weights, value)
    return np.asarray((np.cumsum(often, axis=1) - often / 2 + 0.5)[:, value])


def _tally(weights: Floats, value: Ints) -> Floats:
    """How often each value stands in each draw."""
    order = np.argsort(value, kind="stable")
    starts = np.flatnonzero(np.diff(value[order], prepend=-1))
    return np.asarray(np.add.reduceat(weights[:, order], starts, axis=1))


def _untied(weights: Floats, value: Ints) -> Floats:
    """Pairs of each draw that a column does not tie."""
    total, often = weights.sum(axis=1), _tally(weights, value)
    return np.asarray((total**2 - np.square(often).sum(axis=1)) / 2)


@compiled
def _concordance(weights: Floats, value: Ints, rank: Ints) -> Floats:  # pragma: no cover  (compiled)
    """C − D of each draw; pairs stand in the order of x. A Fenwick tree counts the ranks in y that came before."""
    draws, n = weights.shape
    size = rank.max() + 1
    found = np.zeros(draws)
    for draw in range(draws):
        tree = np.zeros(size + 1)
        before, at = 0.0, 0
        while at < n:
            end = at
            while end < n and value[end] == value[at]:  # these tie in x, and are no pairs with one another
                end += 1
            for one in range(at, end):
                w = weights[draw, one]
                if w == 0.0:
                    continue
                below, below_or_equal = 0.0, 0.0
                i = rank[one]
                while i > 0:
                    below += tree[i]
                    i -= i & -i
                i = rank[one] + 1
                while i > 0:
                    below_or_equal += tree[i]
                    i -= i & -i
                found[draw] += w * (below - (before - below_or_equal))
            for one in range(at, end):
                w = weights[draw, one]
                if w != 0.0:
                    before += w
                    i = rank[one] + 1
                    while i <= size:
                        tree[i] += w
                        i += i & -i
            at = end
    return found
