"""Regions of an image in which errors are counted apart: made from the truth and the image, or read from masks.

The rules are those that come nearest to the masks of Middlebury's second table; gap, widths and thresholds are the
values of Scharstein & Szeliski (2002), table 2. Scale the gap with the resolution for images much larger than theirs.
"""

from __future__ import annotations

from functools import partial
from math import ceil

import numpy as np
from numpy.typing import NDArray

from beholder.core.benchmark import Criterion
from beholder.core.measure import NotApplicable
from beholder.io.image import eight_bit
from beholder.stereo.estimates import Part
from beholder.stereo.types import Image, Map, Mask, Truth

Floats = NDArray[np.float64]


def region(name: str) -> Criterion:
    """The criterion that confines a measure to one region of the truth.

    >>> truth = Truth(np.array([[5.0, 6, np.nan]], np.float32), {"all": np.array([[False, True, True]])})
    >>> found, true = region("all").select(np.array([[1.0, 2, 3]], np.float32), truth)
    >>> np.asarray(found), true
    (array([2.], dtype=float32), array([6.], dtype=float32))
    """
    return Criterion(name, partial(confined, name=name))


def confined(found: Map, truth: Truth, *, name: str) -> tuple[Part, Map]:
    """Estimates and true disparities inside one region, where the truth is known; the former know their whole map."""
    if name not in truth.regions:
        raise NotApplicable(f"this sample has no region {name!r}; it has {', '.join(truth.regions) or 'none'}")
    inside = truth.regions[name] & np.isfinite(truth.disparity)
    if not inside.any():
        raise NotApplicable(f"the region {name!r} is empty here")
    return Part(found, inside), truth.disparity[inside]


def middlebury(
    disparity: Map, *, gap: float = 2.0, width: int = 9, border: int = 0, holes: bool = True
) -> dict[str, Mask]:
    """The three regions of Middlebury's second table: nonocc, all and disc.

    `border` pixels at each side belong to none of them (18 for Tsukuba, 10 for Venus, else 0).
    """
    everything = np.isfinite(disparity) & inner(disparity.shape, border)
    seen = everything & visible(disparity, gap=gap)
    near = discontinuities(disparity, everything & ~seen, gap=gap, width=width, holes=holes)
    return {"nonocc": seen, "all": everything, "disc": seen & near}


def inner(shape: tuple[int, ...], border: int) -> Mask:
    """Everything but `border` pixels at each side."""
    mask = np.zeros(shape, np.bool_)
    mask[border : shape[0] - border, border : shape[1] - border] = True
    return mask


def visible(disparity: Map, *, gap: float = 2.0, slack: float = 1.0) -> Mask:
    """Left pixels that the right view sees too: nonocc.

    Each pixel is put into column round(x − d) of the right view; neighbours whose disparities differ by less than
    `gap` are joined by a straight line, which is put into the columns that it crosses. A pixel is visible if its
    column exists and the largest disparity that came there is at most d + `slack`. Unknown pixels are not visible
    and hide nothing.

    >>> visible(np.array([[0, 0, 0, 2, 2, 0]], np.float32))
    array([[ True, False, False,  True,  True,  True]])
    """
    d = np.asarray(disparity, np.float64)
    target = np.arange(d.shape[1]) - d
    column = np.floor(target + 0.5)
    lands = column >= 0  # False for NaN
    nearest = _nearest(d, target, gap)
    at = np.where(lands, column, 0).astype(np.intp)
    kept = np.take_along_axis(nearest, np.minimum(at, d.shape[1] - 1), axis=1)
    return lands & (kept <= d + slack)


def _nearest(d: Floats, target: Floats, gap: float) -> Floats:
    """The largest disparity in each pixel of the right view, −inf where nothing lands."""
    nearest = np.full(d.shape, -np.inf)
    _deposit(nearest, np.floor(target + 0.5), d)
    start, step = target[:, :-1], np.diff(target, axis=1)
    joined = np.abs(np.diff(d, axis=1)) < gap
    first, last = np.floor(np.minimum(start, target[:, 1:])), np.maximum(start, target[:, 1:])
    for further in range(1, ceil(gap + 1) + 1):  # neighbours land less than gap + 1 columns apart
        between = first + further
        part = np.divide(between - start, step, out=np.zeros_like(step), where=step != 0)
        on_line = d[:, :-1] + part * np.diff(d, axis=1)
        _deposit(nearest, np.where(joined & (between < last), between, np.nan), on_line)
    return nearest


def _deposit(nearest: Floats, column: Floats, d: Floats) -> None:
    rows, columns = np.nonzero((column >= 0) & (column < nearest.shape[1]))
    np.maximum.at(nearest, (rows, column[rows, columns].astype(np.intp)), d[rows, columns])


def discontinuities(disparity: Map, hidden: Mask, *, gap: float = 2.0, width: int = 9, holes: bool = True) -> Mask:
    """Pixels within a `width` × `width` window of a jump in disparity, or of a hidden pixel.

    A jump is both pixels of a pair of 4-neighbours whose disparities differ by `gap` or more. Unknown pixels count
    as 0, so that their outline is a jump; with `holes` False, pairs with an unknown pixel are left out.

    >>> discontinuities(np.array([[0, 0, 0, 5, 5, 5]], np.float32), np.zeros((1, 6), bool), width=3)
    array([[False,  True,  True,  True,  True, False]])
    """
    from scipy.ndimage import maximum_filter

    field = np.nan_to_num(disparity, nan=0.0) if holes else disparity
    near: Mask = maximum_filter(jumps(field, gap) | hidden, size=width, mode="constant", cval=False)
    return near


def jumps(disparity: Map, gap: float = 2.0) -> Mask:
    """Both pixels of every pair of 4-neighbours whose disparities differ by `gap` or more; NaN never does."""
    edges = np.zeros(disparity.shape, np.bool_)
    down = np.abs(np.diff(disparity, axis=0)) >= gap
    across = np.abs(np.diff(disparity, axis=1)) >= gap
    edges[:-1] |= down
    edges[1:] |= down
    edges[:, :-1] |= across
    edges[:, 1:] |= across
    return edges


def textureless(image: Image, *, width: int = 3, threshold: float = 4.0) -> Mask:
    """Pixels around which the image is nearly the same from left to right.

    The squared difference between each pixel and its right neighbour, in grey levels of 0 … 255 and averaged over
    channels, averaged over a `width` × `width` window, is below `threshold`. The last column takes the difference of
    the one before; beyond the border the image is mirrored.

    >>> textureless(np.array([[9, 9, 9, 9, 9, 99, 9, 9]], np.uint8))
    array([[ True,  True,  True, False, False, False, False,  True]])
    """
    from scipy.ndimage import uniform_filter

    levels = np.atleast_3d(eight_bit(image)).astype(np.float64)
    squares = np.diff(levels, axis=1, append=2 * levels[:, -1:] - levels[:, -2:-1]) ** 2
    flat: Mask = uniform_filter(squares.mean(axis=2), size=width, mode="reflect") < threshold
    return flat


def evaluated(levels: NDArray[np.uint8]) -> Mask:
    """Where a mask of Middlebury's says that pixels are evaluated: 255.

    128 marks known pixels that are not (near no discontinuity, or occluded), 0 the others. Any other level is refused:
    it is no such mask, or one that was resized or compressed.

    >>> evaluated(np.array([[255, 128, 0]], np.uint8))
    array([[ True, False, False]])
    """
    strange = sorted(set(np.unique(levels).tolist()) - {0, 128, 255})
    if levels.ndim != 2 or strange:
        got = f"levels {strange[:3]}" if strange else f"shape {levels.shape}"
        raise ValueError(f"got a mask with {got}; expected (H, W) of 255, 128 and 0; take the mask as it was published")
    here: Mask = levels == 255
    return here
