"""PAS as released: how far points on the subject travel, in frame diagonals."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable
from beholder.video.release.sampling import SECONDS
from beholder.video.release.switches import AS_RELEASED, Switches
from beholder.video.types import Floats

Mask = NDArray[np.bool_]
Shape = tuple[int, int]  # height and width
GRID = 30  # points across and down the first frame
MARGIN = 64  # the grid keeps a 64th of the width from the border
SAM_SIDE = 1024  # px: the longer side of what SAM sees
DETECTOR = (800, 1333)  # px: the shorter side of what GroundingDINO sees, and the most that the longer may have


def grid(shape: Shape, size: int = GRID) -> Floats:
    """The points that are followed, row by row: (x, y), shape (size², 2)."""
    height, width = shape
    margin = width / MARGIN
    xs, ys = (margin + np.arange(size) / (size - 1) * (side - 2 * margin) for side in (width, height))
    return np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)


def path_lengths(points: Floats, shape: Shape) -> Floats:
    """Σ_t ‖p_t − p_{t−1}‖ / √(W² + H²) of each point; `points` has the shape (T, P, 2), in px.

    >>> path_lengths(np.array([[[0, 0]], [[3, 4]], [[0, 0]]], float), (6, 8)).tolist()
    [1.0]
    """
    steps = np.linalg.norm(np.diff(points, axis=0), axis=-1)
    return np.asarray(steps.sum(axis=0) / math.hypot(*shape))


def mean_path(paths: Floats) -> float:
    """The mean over points; NaN where there is none."""
    return float(paths.mean()) if len(paths) else math.nan


def subject(masks: Mask) -> Mask:
    """Where any of the objects is; the first axis of `masks` is of objects."""
    return np.asarray(masks.any(axis=0))


def background(masks: Mask, switches: Switches = AS_RELEASED) -> Mask:
    """Where there is no object; with D4, where any one object is not.

    >>> two = np.array([[True, False, False], [False, True, False]])
    >>> background(two).tolist(), background(two, Switches(background_is_union_of_complements=False)).tolist()
    ([True, True, True], [False, False, True])
    """
    if not len(masks):
        return np.ones(masks.shape[1:], bool)
    return np.asarray((~masks).any(axis=0) if switches.background_is_union_of_complements else ~masks.any(axis=0))


def misplacement(shape: Shape, switches: Switches = AS_RELEASED) -> tuple[float, float]:
    """How far a box is drawn apart before SAM sees it, across and down; (1, 1) where it is placed well.

    SAM wants boxes scaled by 1024 / the frame's longer side. D3 takes (3, H′) for the frame, H′ being the height at
    which GroundingDINO saw it: 800 px on the shorter side, at most 1333 on the longer one.

    >>> tuple(round(factor, 3) for factor in misplacement((480, 720)))
    (0.9, 0.937)
    """
    if not switches.sam_boxes_misplaced:
        return 1.0, 1.0
    wrong, right = _sam_scale((3, _detector_height(shape))), _sam_scale(shape)
    return wrong[0] / right[0], wrong[1] / right[1]


def _sam_scale(shape: Shape) -> tuple[float, float]:
    """Across and down: whole pixels over whole pixels, as SAM's transform has it."""
    scale = SAM_SIDE / max(shape)
    height, width = (int(side * scale + 0.5) for side in shape)
    return width / shape[1], height / shape[0]


def _detector_height(shape: Shape) -> int:
    height, width = shape
    short, most = DETECTOR
    if max(shape) / min(shape) * short > most:
        short = round(most * min(shape) / max(shape))
    return short if height <= width else int(short * height / width)


def amplitude(subject: float, background: float, seconds: float, switches: Switches = AS_RELEASED) -> float:
    """PAS of a clip from the mean paths of points on its subject and on its background.

    S − B if S > B, else S; B where there is no subject, that is where S is NaN (D7; without it, not applicable). Over
    the whole clip; without D8, over the six seconds of the paper's clips.

    >>> amplitude(0.5, 0.2, 6.0), amplitude(0.1, 0.2, 6.0), amplitude(math.nan, 0.2, 6.0)
    (0.3, 0.1, 0.2)
    """
    if math.isnan(subject) and not switches.failure_is_perfect:
        raise NotApplicable("no subject was found in the first frame")
    own = background if math.isnan(subject) else subject - background if subject > background else subject
    return own if switches.per_frame_thresholds else own * SECONDS / seconds
