"""An outlook: a forecast of one next fixation, as a density or a map over the picture, that can score a place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from beholder.attention.types import OFF, Density, Floats, Salience

EXPECTED = (
    "natural logarithms of the probability of each pixel, an array of the picture's size that adds up to 1; "
    "a Density, or Cells of a coarser grid"
)


@dataclass(frozen=True, eq=False)
class Cells:
    """The log probability of the next fixation in each cell of an even grid over the picture.

    The probabilities of all cells add up to 1. Every pixel takes the density of the cell that holds its middle, and all
    pixels together are scaled to 1, so the cost is that of the grid and not of the picture.
    """

    log: Floats  # (rows, columns), neither more than the picture has


@dataclass(frozen=True, eq=False)
class Outlook:
    """The values of a picture's pixels, stored tile by tile: all pixels of a tile have the same value."""

    order: Floats  # (rows, columns): log probability of each pixel of the tile, or a map on any scale
    shape: tuple[int, int]  # of the picture
    dense: bool  # whether these are log probabilities
    pixels: Floats | None = None  # (rows, columns): how many pixels each tile has; None: one each

    def score(self, point: Floats) -> tuple[float, float, float]:
        """Score a fixation at (x, y): log p in nats (NaN for a map), its midrank among all pixels, and its z-score.

        >>> log = np.log(np.array([[0.5, 0.25, 0.125, 0.125]]))
        >>> Outlook(log, (1, 4), dense=True).score(np.array([1.0, 0.0]))[:2] == (np.log(0.25), 0.625)
        True
        """
        tile = self._tile(point)
        own = self.order[tile]
        below, alike = self.order < own, self.order == own
        if self.pixels is None:
            less, equal = float(np.count_nonzero(below)), float(np.count_nonzero(alike))
        else:
            less, equal = float(self.pixels[below].sum()), float(self.pixels[alike].sum())
        mean, sd = self.moments
        z = (float(self.values[tile]) - mean) / sd if sd else 0.0
        return float(own) if self.dense else float("nan"), (less + equal / 2) / self._count, z

    @cached_property
    def values(self) -> Floats:
        """Probabilities of the pixels of each tile, or the map."""
        return np.exp(self.order) if self.dense else self.order

    @cached_property
    def moments(self) -> tuple[float, float]:
        """Mean and standard deviation of the values over all pixels; the latter is exactly 0 if all are equal."""
        values = self.values
        if values.min() == values.max():
            return float(values.flat[0]), 0.0
        if self.pixels is None:
            return float(values.mean()), float(values.std())
        mean = float((self.pixels * values).sum() / self._count)
        return mean, float(np.sqrt((self.pixels * (values - mean) ** 2).sum() / self._count))

    @property
    def map(self) -> Floats:
        """The values at every pixel."""
        rows, columns = (tiles(side, n) for side, n in zip(self.shape, self.order.shape, strict=True))
        return np.asarray(self.values[np.ix_(rows, columns)])

    @property
    def _count(self) -> int:
        return self.shape[0] * self.shape[1]

    def _tile(self, point: Floats) -> tuple[int, int]:
        x, y = point
        if not (0 <= y < self.shape[0] and 0 <= x < self.shape[1]):
            raise ValueError(
                f"got a fixation at ({x:g}, {y:g}); expected it inside {self.shape[1]} x {self.shape[0]}; "
                "see `types.keep_inside`"
            )
        row, column = int(y), int(x)  # what is cut off is the floor: none is negative
        if self.pixels is None:
            return row, column
        (rows, columns), (height, width) = self.order.shape, self.shape
        return (2 * row + 1) * rows // (2 * height), (2 * column + 1) * columns // (2 * width)


def accept_outlook(raw: Any, shape: tuple[int, int]) -> Outlook:
    """Accept what a forecast returned: a density must add up to 1; a map may have any scale.

    >>> accept_outlook(Cells(np.log([[0.25, 0.75]])), (1, 4)).map
    array([[0.125, 0.125, 0.375, 0.375]])
    """
    if isinstance(raw, Outlook):
        return raw
    if isinstance(raw, Salience):
        return _of_map(raw.values, shape)
    if isinstance(raw, Cells):
        return _of_cells(raw, shape)
    log = raw.log if isinstance(raw, Density) else _numbers(raw)
    if log.shape != tuple(shape):
        raise ValueError(f"got a forecast of shape {log.shape}; expected {tuple(shape)}, that of the picture")
    return Outlook(log - _total(log), shape, dense=True)


def _of_map(values: Floats, shape: tuple[int, int]) -> Outlook:
    if values.shape != tuple(shape) or not np.isfinite(values).all():
        raise ValueError(
            f"got a map of shape {values.shape}; expected {tuple(shape)}, that of the picture, with finite values only"
        )
    return Outlook(np.asarray(values, np.float64), shape, dense=False)


def _of_cells(cells: Cells, shape: tuple[int, int]) -> Outlook:
    log = _numbers(cells.log)
    if log.ndim != 2 or log.shape[0] > shape[0] or log.shape[1] > shape[1]:
        raise ValueError(f"got cells of shape {log.shape}; expected no more rows and columns than {tuple(shape)}")
    _total(log)
    rows, columns = (np.bincount(tiles(side, n), minlength=n) for side, n in zip(shape, log.shape, strict=True))
    pixels = np.outer(rows, columns).astype(np.float64)
    return Outlook(log - np.log((pixels * np.exp(log)).sum()), shape, dense=True, pixels=pixels)


def tiles(side: int, count: int) -> np.ndarray[Any, np.dtype[np.intp]]:
    """The tile that holds the middle of each pixel of a side."""
    return (2 * np.arange(side) + 1) * count // (2 * side)


def _numbers(raw: Any) -> Floats:
    found = np.asarray(raw)
    if found.dtype.kind not in "fiu" or found.ndim != 2:
        got = f"an array of {found.dtype}, shape {found.shape}" if isinstance(raw, np.ndarray) else type(raw).__name__
        raise TypeError(f"got {got} for the next fixation; expected {EXPECTED}")
    return np.asarray(found, np.float64)


def _total(log: Floats) -> float:
    """The logarithm of the sum of probabilities, which must be 0 within the rounding of 32-bit numbers."""
    if np.isnan(log).any() or (log == np.inf).any():
        raise ValueError("got a log density with NaN or +inf; expected natural logarithms, -inf where nobody looks")
    with np.errstate(over="ignore", divide="ignore"):
        total = float(np.log(np.exp(log).sum()))
    if not abs(total) < OFF:
        raise ValueError(
            f"got a log density whose logsumexp is {total:.4g}; expected 0 ± {OFF:g}: the probabilities of all "
            "pixels must add up to 1; subtract the logsumexp"
        )
    return total
