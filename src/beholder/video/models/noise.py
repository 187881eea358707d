"""Noise: every frame is another one."""

from __future__ import annotations

import numpy as np

from beholder.core.cite import source
from beholder.video.models.lawful import SIZE, asked_rate
from beholder.video.models.still import frames_of
from beholder.video.types import Clip, Prompt


@source("")
def noise(prompt: Prompt) -> Clip:
    """Independent grey levels in every pixel of every frame, the same for every prompt of one size."""
    height, width = prompt.size or SIZE
    drawn = np.random.default_rng(0).integers(0, 256, (frames_of(prompt), height, width, 1), dtype=np.uint8)
    return Clip(np.repeat(drawn, 3, axis=3), rate=asked_rate(prompt))
