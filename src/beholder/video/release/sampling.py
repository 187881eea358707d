"""Clips as the released scripts' constants suit them: 49 frames at 8 frames/s (the README's protocol)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from beholder.video.release.switches import Switches
from beholder.video.types import Floats

RATE = 8.0  # frames/s
SECONDS = 6.0  # from the first to the last of 49 frames


def looked_at(times: Floats, switches: Switches) -> NDArray[np.intp]:
    """Which frames the rules see: all of them (D8), else those nearest to eight a second.

    >>> at = np.arange(13) / 24
    >>> looked_at(at, Switches(per_frame_thresholds=False)).tolist()
    [0, 3, 6, 9, 12]
    """
    every = np.arange(len(times))
    if switches.per_frame_thresholds or len(times) < 2:
        return every
    wanted = np.arange(0, times[-1] - times[0] + 1e-9, 1 / RATE) + times[0]
    return np.unique(np.abs(times[:, None] - wanted[None]).argmin(axis=0))
