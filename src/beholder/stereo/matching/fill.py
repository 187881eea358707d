"""Dense maps from maps with holes."""

from __future__ import annotations

from typing import Literal

import numpy as np

from beholder.stereo.types import Map, Mask

Fill = bool | Literal["rows"]


def filled(disparity: Map, fill: Fill) -> Map:
    """A map with its holes as they are (False), filled from the background (True), or only along rows ("rows").

    >>> filled(np.array([[np.nan, 5], [np.nan, np.nan]], np.float32), "rows")
    array([[ 5.,  5.],
           [nan, nan]], dtype=float32)
    """
    if fill not in (True, False, "rows"):
        raise ValueError(f"got fill={fill!r}; expected true, false or rows")
    return along_rows(disparity) if fill == "rows" else background(disparity) if fill else disparity


def background(disparity: Map) -> Map:
    """A map whose holes (NaN) are filled from the background.

    Holes are filled along rows; rows without any estimate then take the nearest row above, or else below. A map of
    holes alone stays so.

    Deviation: KITTI's devkit, as remembered, leaves such a row empty if there are others above and below it.

    >>> background(np.array([[np.nan, 5, np.nan, np.nan, 2], [np.nan] * 5], np.float32))
    array([[5., 5., 2., 2., 2.],
           [5., 5., 2., 2., 2.]], dtype=float32)
    """
    columns = along_rows(disparity).T
    above = _last(columns, np.isfinite(columns))
    below = _last(columns[:, ::-1], np.isfinite(columns[:, ::-1]))[:, ::-1]
    return np.where(np.isfinite(above), above, below).T


def along_rows(disparity: Map) -> Map:
    """A map in which each run of holes takes the smaller of the two disparities at its ends.

    KITTI's rule: what one view hides lies behind, hence the smaller one. At the sides of the image there is one end
    only; rows without any estimate stay empty.
    """
    held = np.isfinite(disparity)
    ends = (_last(disparity, held), _last(disparity[:, ::-1], held[:, ::-1])[:, ::-1])
    return np.where(held, disparity, np.fmin(*ends))


def _last(values: Map, held: Mask) -> Map:
    """For each pixel the last value that is held at it or to its left; NaN before the first."""
    at = np.maximum.accumulate(np.where(held, np.arange(values.shape[1]), -1), axis=1)
    return np.where(at >= 0, np.take_along_axis(values, np.maximum(at, 0), axis=1), np.float32(np.nan))
