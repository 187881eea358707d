"""Maps small enough to keep for every picture: for measures that read one picture's map at another's fixations."""

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
class CoarseMap:
    """A map, and an evenly spread grid of its pixels that is small enough to keep."""

    whole: Surface
    grid: Singles


class Sampled(NamedTuple):
    """What is kept of a map: its values at people's fixations, the thin grid, and its range."""

    fixated: Floats  # (n,), at full size
    grid: Singles  # (h, w): evenly spread pixels
    span: tuple[float, float]  # least and greatest of the whole map


class Spots(NamedTuple):
    """What is kept of the people: where they fixated, as shares of width and height, 0 … 1."""

    points: Singles  # (n, 2)


def coarse_map(answer: Any, stimulus: Picture) -> CoarseMap:
    """The readout of measures that compare pictures: a map or a probability density, with its thin grid."""
    whole = surface(answer, stimulus)
    return CoarseMap(whole, thin_grid(whole.values))


coarse_map.quick = True  # type: ignore[attr-defined]  # as `surface` is


def thin_grid(values: Floats) -> Singles:
    """Evenly spread pixels of a map, at most 12,000; a smaller map is kept whole.

    >>> thin_grid(np.arange(24.0).reshape(4, 6)).shape, thin_grid(np.zeros((768, 1024))).shape
    ((4, 6), (94, 126))
    """
    share = min(1.0, np.sqrt(MOST / values.size))
    sides = [max(1, int(side * share)) for side in values.shape]
    rows, columns = (((np.arange(n) + 0.5) * side / n).astype(int) for n, side in zip(sides, values.shape, strict=True))
    return np.asarray(values[np.ix_(rows, columns)], np.float32)


def sample_map(found: CoarseMap, lookers: Lookers) -> tuple[Sampled, Spots]:
    """Keep of a map, and of the people who looked, only what measures that compare pictures read."""
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
        """The values of some pictures' maps at each point, (…, n); points are shares of each picture's own sides.

        >>> both = stack_grids([np.array([[1, 2], [3, 4]], np.float32), np.array([[5, 6, 7]], np.float32)])
        >>> both.at(np.array([0, 0, 1]), np.array([[0.6, 0.1], [0.1, 0.9], [1.0, 1.0]], np.float32))
        array([2., 3., 7.])
        """
        sides = self.sides[which]
        at = np.minimum((points[:, ::-1] * sides).astype(np.intp), sides - 1)  # in 32 bits a share may have become 1
        return np.asarray(self.values[self.start[which] + at[..., 0] * sides[..., 1] + at[..., 1]], np.float64)


def stack_grids(grids: Sequence[Singles]) -> Stack:
    """Put several thin grids into one array."""
    sizes = [grid.size for grid in grids]
    flat = np.concatenate([grid.ravel() for grid in grids])
    return Stack(flat, np.cumsum([0, *sizes[:-1]]), np.array([grid.shape for grid in grids]))


def reduce_to_samples(criterion: Criterion = EVERYWHERE) -> Criterion:
    """The same criterion, but measures that compare pictures get `Sampled` and `Spots`; all others get what they did.

    >>> reduce_to_samples().name
    'all'
    """
    return criterion._replace(select=partial(_reduced, select=criterion.select))


def _reduced(found: Any, lookers: Any, *, select: Callable[[Any, Any], tuple[Any, Any]]) -> tuple[Any, Any]:
    observed, confined = select(found, lookers)
    return sample_map(observed, confined) if isinstance(observed, CoarseMap) else (observed, confined)
