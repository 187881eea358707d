"""What is drawn of a clip over time, and the path of its camera."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from beholder.video.evidence import Camera, Evidence
from beholder.video.types import Floats


class Series(NamedTuple):
    """One number over time."""

    seconds: Floats
    values: Floats
    unit: str
    least: float  # the range that is drawn at least: noise is not blown up
    from_zero: bool = True  # whether 0 is its natural foot


def series_of(found: Evidence) -> dict[str, Series]:
    """What the measures look at: frame quality Q_t, motion D_t, wobble O_t and the speed of the camera.

    Speeds are in frame diagonals per second, wobble in per cent of the frame. Quality is counted from its median: what
    it is depends on what is shown, and only drops matter.
    """
    quality = found.frames.sharpness - np.nanmedian(found.frames.sharpness)
    speed = np.hypot(found.camera.pan[:, 0], found.camera.pan[:, 1])
    return {
        "quality": Series(found.facts.times, quality, "", 0.5, from_zero=False),
        "motion": Series(found.motion.times, found.motion.speed, "diag/s", 0.1),
        "wobble": Series(found.deformation.times, 100 * found.deformation.oscillation, "%", 2.0),
        "camera": Series(found.camera.times, speed, "diag/s", 0.1),
    }


def path_of(camera: Camera) -> Floats:
    """Where the camera points over time, (n + 1, 2) right and down in frame diagonals, from the origin.

    When the picture moves to the right, the camera turns to the left. Zoom and roll are left out.
    """
    moved = -camera.pan * camera.steps[:, None]
    return np.vstack([np.zeros((1, 2)), np.cumsum(np.nan_to_num(moved), axis=0)])
