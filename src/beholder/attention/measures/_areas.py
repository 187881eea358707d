"""Scanpaths as strings: the areas of interest that fixations fall into, as whole numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.attention.maps.fixation_maps import pixels
from beholder.attention.types import Lookers, Scanpath
from beholder.errors import Misuse

Ints = NDArray[np.int64]
Cut = Literal["none", "shorter", "people"] | int
Areas = int | tuple[int, int] | Ints | Callable[[Lookers], Ints]


class Alphabet(NamedTuple):
    """The areas of one picture: a grid (columns, rows), or a map of labels."""

    shape: tuple[int, int]  # of the picture
    grid: tuple[int, int]
    labels: Ints | None = None  # (H, W), below 0: no area

    @property
    def size(self) -> int:
        """How many areas there are."""
        return self.grid[0] * self.grid[1] if self.labels is None else int(self.labels.max()) + 1

    def spell(self, path: Scanpath) -> Ints:
        """The area of each fixation: cell min(⌊x n/W⌋, n − 1) from the left, likewise from the top, row after row.

        Fixations outside all areas of a map of labels are left out.
        """
        if self.labels is not None:
            found = self.labels[pixels(path.points, self.shape)]
            return np.asarray(found[found >= 0], np.int64)
        cells = np.floor(path.points * (np.array(self.grid) / np.array(self.shape[::-1]))).astype(np.int64)
        column, row = np.clip(cells, 0, np.array(self.grid) - 1).T
        return np.asarray(column + self.grid[0] * row, np.int64)


def alphabet(areas: Areas, lookers: Lookers) -> Alphabet:
    """The areas that a setting names: n × n cells, (columns, rows), a map of labels, or a function that gives one.

    >>> from beholder.attention.types import scanpath
    >>> alphabet((3, 2), Lookers({}, (20, 30))).spell(scanpath([0, 29, 15], [0, 19, 10]))
    array([0, 5, 4])
    """
    if callable(areas):
        areas = areas(lookers)
    shape = tuple(lookers.shape)
    if isinstance(areas, np.ndarray):
        return Alphabet((shape[0], shape[1]), (1, 1), _labels(areas, shape))
    grid: tuple[Any, ...] = (areas, areas) if isinstance(areas, int) else tuple(areas)
    if len(grid) != 2 or not all(isinstance(n, int) and n >= 1 for n in grid):
        raise Misuse(f"got areas={areas!r}; expected a number of cells per side, (columns, rows), or a map of labels")
    return Alphabet((shape[0], shape[1]), (grid[0], grid[1]))


def _labels(labels: NDArray[Any], shape: tuple[int, ...]) -> Ints:
    if labels.shape != shape or labels.dtype.kind not in "iu":
        raise Misuse(
            f"got areas of shape {labels.shape} and {labels.dtype}; expected whole numbers of shape {shape}, that of "
            "the picture, below 0 where there is no area"
        )
    if labels.max() < 0:
        raise Misuse("got a map of labels without any area; expected a number of 0 or more somewhere")
    return labels.astype(np.int64)


def trim(simulated: Scanpath, human: Scanpath, cut: Any) -> tuple[Scanpath, Scanpath]:
    """Cut two scanpaths: both to the "shorter", the model's to the length of "people", both to the first k, or not.

    >>> from beholder.attention.types import scanpath
    >>> long, short = scanpath([1, 2, 3], [1, 2, 3]), scanpath([1, 2], [1, 2])
    >>> [[len(path) for path in trim(short, long, cut)] for cut in ("shorter", "people", 1)]
    [[2, 2], [2, 3], [1, 1]]
    """
    if cut == "none":
        return simulated, human
    if cut == "people":
        return simulated.at(slice(len(human))), human
    if cut == "shorter":
        cut = min(len(simulated), len(human))
    elif isinstance(cut, str) or cut < 1:
        raise Misuse(f"got cut={cut!r}; expected 'none', 'shorter', 'people', or a number of fixations")
    return simulated.at(slice(cut)), human.at(slice(cut))
