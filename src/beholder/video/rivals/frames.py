"""Frames of a clip as the rivals choose them."""

from __future__ import annotations

import numpy as np

from beholder.core.measure import NotApplicable
from beholder.video.files.clips import opened
from beholder.video.types import Bytes, Clip


def every(clip: Clip, long_side: int = 0) -> list[Bytes]:
    """All frames, the longer side at most so many px."""
    with opened(clip, long_side) as stream:
        return [frame for _, frame in stream.frames]


def spaced(clip: Clip, most: int, long_side: int = 0) -> list[Bytes]:
    """At most so many frames, evenly spaced from the first on: frame ⌊k n/most⌋, all where there are no more."""
    frames = every(clip, long_side)
    if len(frames) <= most:
        return frames
    return [frames[int(at)] for at in np.arange(0, len(frames), len(frames) / most)[:most]]


def at_least(frames: list[Bytes], fewest: int) -> list[Bytes]:
    """The frames, where there are enough."""
    if len(frames) < fewest:
        raise NotApplicable(f"the clip has {len(frames)} frame{'s' * (len(frames) != 1)}: there is nothing to compare")
    return frames
