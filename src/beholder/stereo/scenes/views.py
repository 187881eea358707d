"""Views of a scene from other places on the baseline: fetched or rendered by a disparity map, and what they can see.

View f sees the left pixel x at x − f·d(x): f = 1 is the right image of the pair, 0 the left one; views with f < 0
stand to the left of it. Pictures are floats of 0 … 255, (H, W, channels), NaN where there is nothing.
"""

from __future__ import annotations

from math import ceil

import numpy as np
from numpy.typing import NDArray

from beholder.jit import compiled
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
    view = np.full(colour.shape, np.nan)
    crossed = ceil(abs(factor) * gap + 1) + 1  # neighbours land at most f·gap + 1 columns apart
    _draw(np.ascontiguousarray(colour), d, at, np.array([gap, crossed, SLACK]), view)
    return view


@compiled
def _draw(colour: Floats, d: Floats, at: Floats, rules: Floats, view: Floats) -> None:
    """Draw each row into the view: what is nearer stays, and of equally near ones the last.

    First the pixels, a little behind their places, so that the line through each hides it. Then, of the lines between
    joined neighbours, the first column that each crosses, the second, and so on.
    """
    (rows, columns), (gap, crossed, slack) = d.shape, rules
    for row in range(rows):
        nearest = np.full(columns, -np.inf)
        for x in range(columns):
            column = np.floor(at[row, x] + 0.5)
            if column >= 0 and column < columns and d[row, x] - slack >= nearest[int(column)]:  # False for NaN
                nearest[int(column)] = d[row, x] - slack
                view[row, int(column)] = colour[row, x]
        for further in range(int(crossed)):
            for x in range(columns - 1):
                start, end, rise = at[row, x], at[row, x + 1], d[row, x + 1] - d[row, x]
                column = np.ceil(min(start, end)) + further
                if not (abs(rise) <= gap and column <= max(start, end) and column >= 0 and column < columns):
                    continue
                part = (column - start) / (end - start) if end != start else 0.0
                depth = d[row, x] + part * rise
                if depth >= nearest[int(column)]:
                    nearest[int(column)] = depth
                    view[row, int(column)] = colour[row, x] + part * (colour[row, x + 1] - colour[row, x])


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
    import cv2

    window, gap = np.ones((3, 3), np.uint8), np.isnan(picture)
    least = cv2.erode(np.where(gap, np.inf, picture), window).reshape(picture.shape)  # a last axis of 1 would be lost
    most = cv2.dilate(np.where(gap, -np.inf, picture), window).reshape(picture.shape)
    with np.errstate(invalid="ignore"):  # a gap among gaps: NaN + inf
        return picture + blend * (least - picture), picture + blend * (most - picture)
