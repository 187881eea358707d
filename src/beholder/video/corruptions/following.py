"""How the background of a clip moves, so that what is pasted moves with it."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.scenes.paths import Similarity
from beholder.video.types import Bytes, Clip

CELLS = 23  # in a frame's diagonal; one corner of each is followed, so that the largest surface wins, not the richest
FAINT = 3e-5  # smallest eigenvalue of the gradients of what can be followed (levels as shares of 1, 5 x 5 px)
TRUSTED = 12  # of them at least must agree
LARGEST = 0.12  # log of the largest magnification, and radians of the largest turn, from frame to frame


@lru_cache(maxsize=6)
def camera_path(clip: Clip) -> tuple[Similarity, ...]:
    """Where the background of the first frame is in each frame, in px; it rests where nothing can be followed."""
    assert clip.pixels is not None
    grey = [cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY) for frame in clip.pixels]
    path = [Similarity()]
    for first, second in pairwise(grey):
        path.append(_step(first, second).after(path[-1]))
    return tuple(path)


def _step(first: Bytes, second: Bytes) -> Similarity:
    """The similarity that most corners follow (Lucas and Kanade's tracker, RANSAC)."""
    corners = _corners(first)
    if len(corners) < TRUSTED:
        return Similarity()
    moved, found, _ = cv2.calcOpticalFlowPyrLK(first, second, corners, None, winSize=(15, 15), maxLevel=3)
    kept = found.ravel() == 1
    if kept.sum() < TRUSTED:
        return Similarity()
    cv2.setRNGSeed(0)
    matrix, agree = cv2.estimateAffinePartial2D(corners[kept], moved[kept], ransacReprojThreshold=1.0)
    if matrix is None or agree.sum() < TRUSTED:
        return Similarity()
    turn = complex(matrix[0, 0], matrix[1, 0])
    return Similarity(turn, complex(*matrix[:, 2])) if abs(np.log(turn)) < LARGEST else Similarity()


def _corners(grey: Bytes) -> NDArray[np.float32]:
    """The best corner of each cell that has any, (n, 1, 2)."""
    side = max(8, round(float(np.hypot(*grey.shape)) / CELLS))
    rows, columns = (size // side for size in grey.shape)
    strength = cv2.cornerMinEigenVal(grey, 5, 3)[: rows * side, : columns * side]
    cells = strength.reshape(rows, side, columns, side).swapaxes(1, 2).reshape(rows * columns, side * side)
    y, x = np.divmod(cells.argmax(1), side)
    row, column = np.divmod(np.arange(rows * columns), columns)
    points = np.stack([column * side + x, row * side + y], axis=-1)
    return np.asarray(points[cells.max(1) > FAINT][:, None], np.float32)


def steadied(path: tuple[Similarity, ...]) -> tuple[Similarity, ...]:
    """The sway of a path alone: without turns, and without its steady drift, which would carry things away."""
    shifts = np.array([step.shift for step in path])
    at = np.arange(len(shifts))
    if len(shifts) > 2:
        shifts = shifts - np.polyval(np.polyfit(at, shifts, 1), at)
    return tuple(Similarity(1, complex(shift)) for shift in shifts)
