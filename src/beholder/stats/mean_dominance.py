"""Dominance between means over units: nowhere worse, and somewhere significantly better."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.jit import compiled
from beholder.stats import small_samples

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

LEAST = small_samples.LEAST  # units below which the spread over units is not known
NOISE = 1e-9  # of the values: differences below are rounding
CLOSE = 1e-6  # of the models' own spread: where that of their difference is less, sums of products are not exact enough
SMALL = 20_000_000  # comparisons of numbers up to which no compiler is needed
ROOM = 20_000_000  # entries of a table of draws × pairs
PAIRS = 2_000_000  # pairs looked at together: 16 MB for each moment
BLOCK = 4_000_000  # numbers held at once


class Means(NamedTuple):
    """Finite losses of models on units, cell by cell, whose means are compared."""

    cells: list[Floats]  # of each cell (measure × criterion × dataset) models × its units
    units: list[Ints]  # of each cell, the numbers of its units
    ends: Floats  # 2 × models × cells: intervals that cells on fewer than three units came with; NaN where unknown

    @property
    def level(self) -> float:
        """Of the interval of one difference on one cell, so that 95 % holds for all pairs and cells together."""
        models, cells = self.ends.shape[1:]
        return float(1 - 0.05 / max(1, models * (models - 1) // 2 * cells))  # Bonferroni

    @property
    def plain(self) -> Floats:
        """Models × cells."""
        return np.stack([own.mean(axis=1) for own in self.cells], axis=1)

    @property
    def settled(self) -> Floats:
        """Models × cells, where means that differ by rounding only are equal."""
        return settled(self.plain, self.sizes)

    @property
    def sizes(self) -> Floats:
        """How large the losses of each model are, models × cells."""
        return np.stack([np.abs(own).mean(axis=1) for own in self.cells], axis=1)

    def drawn(self, weights: Floats) -> Floats:
        """Draws × models × cells, settled; `weights` are draws × units. A cell that a draw lacks is 0 for all."""
        found = np.zeros((len(weights), *self.ends.shape[1:]))
        for at, (own, units) in enumerate(zip(self.cells, self.units, strict=True)):
            here = weights[:, units]
            held = here.sum(axis=1)
            found[:, :, at] = (here / np.where(held > 0, held, 1.0)[:, None]) @ own.T
        return settled(found, self.sizes)


def settled(means: Floats, sizes: Floats) -> Floats:
    """… × models × cells, where those that differ by rounding only are equal: a chain of such takes its least value.

    So equality is transitive, as it would not be if each two were compared with a tolerance.

    >>> bool(0.1 + 0.2 == 0.3), settled(np.array([[0.1 + 0.2], [0.3], [0.4]]), np.ones((3, 1))).ravel().tolist()
    (False, [0.3, 0.3, 0.4])
    """
    order = np.argsort(means, axis=-2, kind="stable")
    ranked = np.take_along_axis(means, order, axis=-2)
    size = np.take_along_axis(np.broadcast_to(sizes, means.shape), order, axis=-2)
    near = NOISE * np.maximum(size[..., 1:, :], size[..., :-1, :])
    apart = np.ones(means.shape, dtype=bool)
    apart[..., 1:, :] = np.diff(ranked, axis=-2) > near
    places = np.arange(means.shape[-2])[:, None]
    first = np.maximum.accumulate(np.where(apart, places, 0), axis=-2)
    found = np.empty_like(means)
    np.put_along_axis(found, order, np.take_along_axis(ranked, first, axis=-2), axis=-2)
    return found


def mean_dominance(means: Means) -> Bools:
    """Who dominates whom: [a, b] is True iff a's mean is nowhere worse, and somewhere significantly better.

    On a cell of three units or more, a is significantly better iff Student's interval of the mean of the paired
    differences, 95 % for all pairs and cells together (Bonferroni), lies on its side; on fewer, iff the intervals that
    the means came with do not overlap, and one that is unknown has no width. It is part of the ordinary dominance
    between means, and so never runs in a circle; but a ≺ b ≺ c may leave a ⊀ c.

    >>> a = np.array([1.0, 2.0, 3.0, 4.0])
    >>> cells = [np.stack([a, a + [0.9, 1.0, 1.1, 1.0], a + [3.0, -2.0, 2.0, -1.0]])]
    >>> mean_dominance(Means(cells, [np.arange(4)], np.full((2, 3, 1), np.nan))).astype(int)
    array([[0, 1, 0],
           [0, 0, 0],
           [0, 0, 0]])
    """
    models = means.ends.shape[1]
    found = np.zeros((models, models), dtype=bool)
    closed = np.zeros((1, models), dtype=bool)
    for rows, dominates in _by_rows(means, means.settled[None], closed):
        found[rows] = dominates[0]
    return found


def mean_membership(means: Means, drawn: Iterable[Floats]) -> Floats:
    """In what share of draws each model is undominated; NaN without draws.

    `drawn` is how often each unit stands in each draw, in blocks. In a draw the means are those of its units, and the
    intervals about their differences as wide as over all units: a draw repeats units, and knows less of their spread.
    """
    blocks = list(drawn)
    models, cells = means.ends.shape[1:]
    if not sum(map(len, blocks)):
        return np.full(models, np.nan)
    weights, often = np.unique(np.concatenate(blocks), axis=0, return_counts=True)
    parts = 1 + len(weights) * models * max(cells, min(models, PAIRS // models)) // ROOM
    inside = [_undominated(means, some) for some in np.array_split(weights, min(parts, len(weights)))]
    return np.asarray(often @ np.concatenate(inside) / often.sum())


def _undominated(means: Means, weights: Floats) -> Bools:
    """Draws × models: whom nobody dominates."""
    closed = np.zeros((len(weights), means.ends.shape[1]), dtype=bool)
    for _, dominates in _by_rows(means, means.drawn(weights), closed):
        closed |= dominates.any(axis=1)  # and is not looked at again
    return ~closed


def _by_rows(means: Means, values: Floats, closed: Bools) -> Iterator[tuple[Ints, Bools]]:
    """Blocks of models a, likely winners first, and whom they dominate, draws × a × b; b that are closed apart."""
    draws, models, _ = values.shape
    order = np.argsort(np.argsort(np.argsort(means.plain, axis=0), axis=0).sum(axis=1), kind="stable")
    size = max(1, min(ROOM // (draws * models), PAIRS // models))
    for rows in np.array_split(order, -(-models // size)):
        yield rows, _gained(means, values, rows, _unbarred(values, rows, closed))


def _unbarred(values: Floats, rows: Ints, closed: Bools) -> Bools:
    """Draws × rows × models: where a is nowhere worse than b, and somewhere better."""
    draws, models, cells = values.shape
    found = np.zeros((draws, len(rows), models), dtype=bool)
    if found.size * cells > SMALL:
        _compare_means(values, rows, closed, found)
        return found
    may = np.broadcast_to(~closed[:, None, :], found.shape).copy()
    for a, b in ((values[:, rows, at][:, :, None], values[:, None, :, at]) for at in range(cells)):
        may &= a <= b
        found |= a < b
    return found & may


@compiled
def _compare_means(values: Floats, rows: Ints, closed: Bools, found: Bools) -> None:
    """Fill in where a is nowhere worse and somewhere better, up to the first cell that bars."""
    draws, models, cells = values.shape
    for draw in range(draws):
        for at in range(len(rows)):
            a = rows[at]
            for b in range(models):
                if closed[draw, b]:
                    continue
                may, gain = True, False
                for cell in range(cells):
                    if values[draw, a, cell] > values[draw, b, cell]:
                        may = False
                        break
                    gain = gain or values[draw, a, cell] < values[draw, b, cell]
                found[draw, at, b] = may and gain


def _gained(means: Means, values: Floats, rows: Ints, unbarred: Bools) -> Bools:
    """Of those that nothing bars, where some cell holds a significant gain."""
    found = np.zeros_like(unbarred)
    for cell in range(values.shape[2]):
        a, b = np.nonzero((unbarred & ~found).any(axis=0))
        if not len(a):
            break
        ahead = values[:, b, cell] - values[:, rows[a], cell]
        needed = _needed(means, cell, rows, a, b)
        found[:, a, b] |= unbarred[:, a, b] & (ahead > np.maximum(needed, 0.0))
    return found


def _needed(means: Means, cell: int, rows: Ints, a: Ints, b: Ints) -> Floats:
    """How far the mean of a must lie below that of b, pair by pair, to be significantly better."""
    losses = means.cells[cell]
    if losses.shape[1] < LEAST:
        below, above = _reach_of_ends(means, cell)
        return np.asarray(above[rows[a]] + below[b])
    off = losses - losses.mean(axis=0)  # what is hard for all is no part of a difference
    off -= off.mean(axis=1, keepdims=True)
    if 4 * len(a) < len(rows) * len(losses):
        return _reach(off, rows[a], b, means.level)
    found, unsure = _reach_by_products(off, rows, means.level)
    needed = found[a, b]
    again = unsure[a, b]
    needed[again] = _reach(off, rows[a[again]], b[again], means.level)
    return needed


def _reach_of_ends(means: Means, cell: int) -> tuple[Floats, Floats]:
    """How far the interval that a mean came with reaches below and above it; nothing where it is unknown."""
    mean = means.cells[cell].mean(axis=1)
    lo, hi = means.ends[:, :, cell]
    return np.nan_to_num(mean - lo), np.nan_to_num(hi - mean)


def _reach(off: Floats, a: Ints, b: Ints, level: float) -> Floats:
    """How far the interval of each paired difference b − a reaches below its mean."""
    n = off.shape[1]
    found = np.empty(len(a))
    for some in np.array_split(np.arange(len(a)), 1 + len(a) * n // BLOCK):
        difference = off[b[some]] - off[a[some]]
        found[some] = _student((difference**2).mean(axis=1), n, level)
    return found


def _reach_by_products(off: Floats, rows: Ints, level: float) -> tuple[Floats, Bools]:
    """The same of all pairs (rows × models) from sums of products, and where these cancel too much to be exact."""
    n = off.shape[1]
    own = (off**2).mean(axis=1)
    variance = own[rows][:, None] + own - 2 / n * (off[rows] @ off.T)
    unsure = variance <= CLOSE * (own[rows][:, None] + own)
    return _student(np.maximum(variance, 0.0), n, level), unsure


def _student(variance: Floats, n: int, level: float) -> Floats:
    """How far Student's interval of a mean reaches, from the variance about the mean (divided by n).

    So far out in the tails a correction for skewness, as `small_samples` has it, errs more often: of twenty equal
    models on three criteria over twenty units it lets one be dominated in 0.08 of tables, this in 0.04.
    """
    from scipy.special import stdtrit

    return np.asarray(stdtrit(n - 1, (1 + level) / 2) * np.sqrt(variance / (n - 1)))
