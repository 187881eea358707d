"""Views of a scene from other places on the baseline: fetched or rendered by a disparity map, and what they can see.

View f sees the left pixel x at x − f·d(x): f = 1 is the right image of the pair, 0 the left one; views with f < 0
stand to the left of it. Pictures are floats of 0 … 255, (H, W, channels), NaN where there is nothing.
"""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.stereo.regions import visible
from beholder.stereo.types import Image, Map, Mask

Floats = NDArray[np.float64]

GAP = 2.0  # px of disparity: Scharstein & Szeliski (2002), table 2; neighbours further apart are torn
SLACK = 1.0  # px by which a lone pixel must stand before a surface to be drawn over it; that of `regions.visible`


def levels(image: Image) -> Floats:
    """An image as floats of 0 … 255 with a last axis for its channels.

    >>> levels(np.array([[0.0, 0.5]]))[..., 0], levels(np.array([[0, 200]], np.uint8))[..., 0]
    (array([[  0. , 127.5]]), array([[  0., 200.]]))
    """
    values = np.asarray(image, np.float64) * (1 if image.dtype == np.uint8 else 255)
    return values if values.ndim == 3 else values[..., None]


def seen_from(disparity: Map, factor: float) -> Mask:
    """Left pixels that view `factor` sees too: the rule of `regions.visible`, for f·d, mirrored where f < 0.

    >>> seen_from(np.array([[0, 0, 0, 2, 2, 0]], np.float32), 1.0).astype(int)
    array([[1, 0, 0, 1, 1, 1]])
    >>> seen_from(np.array([[0, 2, 2, 0, 0, 0]], np.float32), -1.0).astype(int)
    array([[1, 1, 1, 0, 0, 1]])
    """
    shift = np.asarray(disparity * np.float32(abs(factor)), np.float32)
    return visible(shift) if factor >= 0 else visible(shift[:, ::-1])[:, ::-1]


def fetched(view: Image, disparity: Map, factor: float) -> Floats:
    """Inverse prediction: what each left pixel finds in view `factor` at x − f·d(x), between two pixels linearly.

    NaN where there is no disparity, or where it leads out of the picture.

    >>> fetched(np.array([[0, 10, 30]], np.uint8), np.array([[1, 1, 0.5]], np.float32), 1.0)[..., 0]
    array([[nan,  0., 20.]])
    """
    picture = levels(view)
    at = np.arange(disparity.shape[1]) - factor * np.asarray(disparity, np.float64)
    inside = (at >= 0) & (at <= disparity.shape[1] - 1)  # False for NaN
    safe = np.where(inside, at, 0)
    low = np.minimum(np.floor(safe).astype(np.intp), max(disparity.shape[1] - 2, 0))
    rows, part = np.arange(len(low))[:, None], (safe - low)[..., None]
    high = np.minimum(low + 1, disparity.shape[1] - 1)
    found = (1 - part) * picture[rows, low] + part * picture[rows, high]
    return np.where(inside[..., None], found, np.nan)


class _Marks(NamedTuple):
    """What is to be drawn into a view: colours at whole columns, with the order in which they hide each other."""

    row: NDArray[np.intp]
    column: NDArray[np.intp]
    depth: Floats
    colour: Floats


def rendered(image: Image, disparity: Map, factor: float, *, gap: float = GAP) -> Floats:
    """Forward prediction: the left image as view `factor` would show it; NaN in gaps.

    Neighbours in a row whose disparities differ by `gap` or less are joined by a line, of which the columns that it
    crosses take colour and disparity linearly; others are torn apart. What is nearer hides what is behind. Pixels
    that no line represents are points in column round(x − f·d).

    >>> rendered(np.array([[0, 10, 20, 90, 40]], np.uint8), np.array([[0, 0, 0, 3, 0]], np.float32), 0.5)[..., 0]
    array([[ 0., 10., 90., nan, 40.]])
    """
    colour, d = levels(image), np.asarray(disparity, np.float64)
    at = np.arange(d.shape[1]) - factor * d
    marks = [_points(colour, d, at), *_lines(colour, d, at, gap, abs(factor))]
    row, column, depth, paint = (np.concatenate(part) for part in zip(*marks, strict=True))
    order = np.argsort(depth, kind="stable")  # the last one drawn stays
    view = np.full(colour.shape, np.nan)
    view[row[order], column[order]] = paint[order]
    return view


def _points(colour: Floats, d: Floats, at: Floats) -> _Marks:
    """Each pixel at the nearest column; drawn a little behind its place, so that the line through it hides it."""
    column = np.floor(at + 0.5)
    held = np.nonzero((column >= 0) & (column < d.shape[1]))
    return _Marks(held[0], column[held].astype(np.intp), d[held] - SLACK, colour[held])


def _lines(colour: Floats, d: Floats, at: Floats, gap: float, scale: float) -> list[_Marks]:
    """The columns between joined neighbours: the first that each line crosses, then the second, and so on."""
    start, step, rise = at[:, :-1], np.diff(at, axis=1), np.diff(d, axis=1)
    first = np.ceil(np.minimum(start, at[:, 1:]))
    last = np.maximum(start, at[:, 1:])
    joined = np.abs(rise) <= gap
    found = []
    for further in range(ceil(scale * gap + 1) + 1):  # neighbours land at most f·gap + 1 columns apart
        column = first + further
        held = np.nonzero(joined & (column <= last) & (column >= 0) & (column < d.shape[1]))
        part = np.divide(column - start, step, out=np.zeros_like(step), where=step != 0)[held]
        change = np.diff(colour, axis=1)[held]
        depth = d[:, :-1][held] + part * rise[held]
        paint = colour[:, :-1][held] + part[:, None] * change
        found.append(_Marks(held[0], column[held].astype(np.intp), depth, paint))
    return found


def differences(predicted: Floats, actual: Floats, *, blend: float = 0.0) -> Floats:
    """How far each predicted value is from the actual one, 0 or more; NaN in gaps.

    With `blend` both are intervals, from the pixel to this share of the way to the least and the greatest of its
    3 × 3 neighbourhood, and what counts is the distance between intervals: 0 where they overlap. It forgives what
    sampling alone does at edges; Scharstein & Szeliski (2002) blend by 0.2.

    Deviation: they do not say which neighbours; ours are all eight.

    >>> differences(np.array([[[8.0], [8.0]]]), np.array([[[0.0], [10.0]]]), blend=0.2)[..., 0]
    array([[6., 0.]])
    """
    low, high = _interval(predicted, blend)
    lowest, highest = _interval(actual, blend)
    return np.asarray(np.maximum(np.maximum(low - highest, lowest - high), 0.0))


def _interval(picture: Floats, blend: float) -> tuple[Floats, Floats]:
    if not blend:
        return picture, picture
    from scipy.ndimage import maximum_filter, minimum_filter

    window, gap = (3, 3, 1), np.isnan(picture)
    least = minimum_filter(np.where(gap, np.inf, picture), window, mode="nearest")
    most = maximum_filter(np.where(gap, -np.inf, picture), window, mode="nearest")
    with np.errstate(invalid="ignore"):  # a gap among gaps: NaN + inf
        return picture + blend * (least - picture), picture + blend * (most - picture)
