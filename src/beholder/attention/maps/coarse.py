"""Maps small enough to be kept of every picture: for measures that read one picture's map where people saw another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.attention.maps.fixation_maps import pixels
from beholder.attention.readouts import Surface, surface
from beholder.attention.types import Floats, Lookers, Picture
from beholder.core.benchmark import EVERYWHERE, Criterion

MOST = 12_000  # pixels that are kept of a map: as 4-byte numbers they are 48 kB, and a run may keep 64

Singles = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Coarse:
    """A map, and so many of its pixels, evenly spread, that they can be kept."""

    whole: Surface
    grid: Singles


class Sampled(NamedTuple):
    """What is kept of a map that people looked at: its values where they fixated, some of all others, and its range."""

    fixated: Floats  # (n,), at full size
    grid: Singles  # (h, w): every so-many-th pixel
    span: tuple[float, float]  # least and greatest of the whole map


class Spots(NamedTuple):
    """What is kept of the people: where they fixated, as shares of the picture's sides, 0 … 1."""

    points: Singles  # (n, 2)


def coarse(answer: Any, stimulus: Picture) -> Coarse:
    """The readout of measures that compare pictures: a map or a density of probability, with its thin grid."""
    whole = surface(answer, stimulus)
    return Coarse(whole, thinned(whole.values))


coarse.quick = True  # type: ignore[attr-defined]  # as `surface` is


def thinned(values: Floats) -> Singles:
    """Evenly spread pixels of a map, all of them where there are at most 12,000.

    >>> thinned(np.arange(24.0).reshape(4, 6)).shape, thinned(np.zeros((768, 1024))).shape
    ((4, 6), (94, 126))
    """
    share = min(1.0, np.sqrt(MOST / values.size))
    sides = [max(1, int(side * share)) for side in values.shape]
    rows, columns = (((np.arange(n) + 0.5) * side / n).astype(int) for n, side in zip(sides, values.shape, strict=True))
    return np.asarray(values[np.ix_(rows, columns)], np.float32)


def sampled(found: Coarse, lookers: Lookers) -> tuple[Sampled, Spots]:
    """What is kept of a map and of the people who looked."""
    values, shape = found.whole.values, (lookers.shape[0], lookers.shape[1])
    span = found.whole.once("span", lambda: (float(values.min()), float(values.max())))
    at = lookers.points
    return Sampled(values[pixels(at, shape)], found.grid, span), Spots((at / shape[::-1]).astype(np.float32))


class Stack(NamedTuple):
    """The thin grids of several pictures, one after the other."""

    values: Singles
    start: NDArray[np.intp]  # (pictures,), where each begins
    sides: NDArray[np.intp]  # (pictures, 2): rows, columns

    def at(self, which: NDArray[np.intp], points: Singles) -> Floats:
        """The maps of some pictures at each point, (…, n); sides stretch to those of the picture it was made on.

        >>> both = stacked([np.array([[1, 2], [3, 4]], np.float32), np.array([[5, 6, 7]], np.float32)])
        >>> both.at(np.array([0, 0, 1]), np.array([[0.6, 0.1], [0.1, 0.9], [1.0, 1.0]], np.float32))
        array([2., 3., 7.])
        """
        sides = self.sides[which]
        at = np.minimum((points[:, ::-1] * sides).astype(np.intp), sides - 1)  # in 32 bits a share may have become 1
        return np.asarray(self.values[self.start[which] + at[..., 0] * sides[..., 1] + at[..., 1]], np.float64)


def stacked(grids: Sequence[Singles]) -> Stack:
    """Some thin grids as one."""
    sizes = [grid.size for grid in grids]
    flat = np.concatenate([grid.ravel() for grid in grids])
    return Stack(flat, np.cumsum([0, *sizes[:-1]]), np.array([grid.shape for grid in grids]))


def light(criterion: Criterion = EVERYWHERE) -> Criterion:
    """A criterion that hands measures which compare pictures no more than they read; all others get what they did.

    >>> light().name
    'all'
    """
    return criterion._replace(select=partial(_lightened, select=criterion.select))


def _lightened(found: Any, lookers: Any, *, select: Callable[[Any, Any], tuple[Any, Any]]) -> tuple[Any, Any]:
    observed, confined = select(found, lookers)
    return sampled(observed, confined) if isinstance(observed, Coarse) else (observed, confined)
