"""A picture that stands still."""

from __future__ import annotations

import math

import numpy as np

from beholder.core.cite import source
from beholder.video.models.lawful import SECONDS, SIZE, asked_rate
from beholder.video.types import Clip, Prompt


@source("")
def still(prompt: Prompt) -> Clip:
    """Soft blobs that do not move, whatever the prompt."""
    height, width = prompt.size or SIZE
    rows, columns = np.mgrid[0:height, 0:width] / max(height, width)
    blobs = np.sin(9 * columns + 4) * np.cos(11 * rows) + np.sin(23 * rows + 17 * columns)
    frame = np.clip(128 + 45 * blobs, 0, 255).astype(np.uint8)
    count = frames_of(prompt)
    return Clip(np.broadcast_to(frame[None, ..., None], (count, height, width, 3)).copy(), rate=asked_rate(prompt))


def frames_of(prompt: Prompt) -> int:
    """How many frames are asked for."""
    seconds = SECONDS if math.isnan(prompt.seconds) else prompt.seconds
    return max(2, round(seconds * asked_rate(prompt)))
