"""MSS as released: how many frames have no sudden change of quality at them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from beholder.video.release.switches import AS_RELEASED, Switches
from beholder.video.types import Floats

# The clip's PAS must be below the first number for the second to be its threshold.
THRESHOLDS = ((0.1, 0.010), (0.3, 0.015), (0.5, 0.025), (math.inf, 0.030))
WINDOW = 3  # frames that are scored together


def threshold(amplitude: float) -> float:
    """How much quality may change from frame to frame; a clip whose PAS is not known (NaN) gets the least.

    >>> [threshold(pas) for pas in (0.05, 0.1, 0.3, 0.5, 7.0, math.nan)]
    [0.01, 0.015, 0.025, 0.03, 0.03, 0.01]
    """
    return next((least for below, least in THRESHOLDS if amplitude < below), THRESHOLDS[0][1])


def windows(frames: int) -> NDArray[np.intp]:
    """Which frames are scored together for each frame: t − 1, t, t + 1; the first is scored alone.

    The window of the last frame is filled by repeating its first element, or of two frames its last.

    >>> windows(4).tolist(), windows(2).tolist()
    ([[0, 0, 0], [0, 1, 2], [1, 2, 3], [2, 2, 3]], [[0, 0, 0], [0, 1, 1]])
    """
    found = np.arange(frames)[:, None] + np.arange(-1, WINDOW - 1)
    found[0] = 0
    if frames > 1:
        found[-1] = [0, 1, 1] if frames == 2 else [frames - 2, frames - 2, frames - 1]
    return found


def artifacts(quality: Floats, allowed: float, switches: Switches = AS_RELEASED) -> NDArray[np.intp]:
    """The frames at a sudden change: both of each |ΔQ| > τ (D9); else the second of each drop Q_{t−1} − Q_t > τ.

    >>> Q = np.array([0.5, 0.5, 0.4, 0.5])
    >>> artifacts(Q, 0.03).tolist(), artifacts(Q, 0.03, Switches(absolute_quality_change=False)).tolist()
    ([1, 2, 3], [2])
    """
    change = np.diff(quality)
    if not switches.absolute_quality_change:
        return np.flatnonzero(-change > allowed) + 1
    at = np.flatnonzero(np.abs(change) > allowed)
    return np.unique(np.concatenate([at, at + 1]))


def smoothness(quality: Floats, amplitude: float, switches: Switches = AS_RELEASED) -> float:
    """MSS = 1 − artifact frames / T, of the quality Q_t of each window and the clip's PAS."""
    return 1 - len(artifacts(quality, threshold(amplitude), switches)) / len(quality)
