"""Points followed through a clip by pyramidal Lucas-Kanade, forwards and backwards: what CoTracker stands for."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.types import Floats

Grey = NDArray[np.uint8]
WINDOW = (15, 15)  # px at 320 px: half an eye's width of a face that fills the frame
LEVELS = 3  # halvings: motion up to about 50 px a frame
CLOSE = 1.0  # px: a point that comes back so near is the same one
MEMORY = 3  # steps whose median is the speed at which a lost point moves on


def follow(frames: Sequence[Grey], points: Floats, start: int = 0) -> tuple[Floats, NDArray[np.bool_]]:
    """Where points of frame `start` are in every frame, (T, P, 2), and whether they are seen there, (T, P).

    A point is lost once its way back does not lead to where it was, or when it leaves the frame. It then moves on at
    its last speed and is not seen again.
    """
    places = np.repeat(points[None], len(frames), axis=0)
    seen = np.ones(places.shape[:2], bool)
    if len(points):
        for way in (range(start, len(frames) - 1), range(start, 0, -1)):
            _one_way(frames, places, seen, list(way), -1 if way.step < 0 else 1)
    return places, seen


def _one_way(frames: Sequence[Grey], places: Floats, seen: NDArray[np.bool_], order: list[int], step: int) -> None:
    """Fill in the places from frame to frame."""
    steps: list[Floats] = []
    for at in order:
        moved, held = _step(frames[at], frames[at + step], places[at])
        held &= seen[at]
        drift = np.median(steps[-MEMORY:], axis=0) if steps else np.zeros_like(moved)
        places[at + step] = np.where(held[:, None], moved, places[at] + drift)
        seen[at + step] = held
        steps.append(places[at + step] - places[at])


def _step(first: Grey, second: Grey, points: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Points of one frame in the next, and which of them can be trusted."""
    at = points.astype(np.float32)[:, None]
    moved, there, _ = cv2.calcOpticalFlowPyrLK(first, second, at, None, winSize=WINDOW, maxLevel=LEVELS)
    back, again, _ = cv2.calcOpticalFlowPyrLK(second, first, moved, None, winSize=WINDOW, maxLevel=LEVELS)
    height, width = second.shape
    inside = ((moved >= 0) & (moved <= (width - 1, height - 1))).all(axis=(1, 2))
    near = np.abs(back - at).max(axis=(1, 2)) < CLOSE
    held = inside & near & (there[:, 0] == 1) & (again[:, 0] == 1)
    return moved[:, 0].astype(float), held
