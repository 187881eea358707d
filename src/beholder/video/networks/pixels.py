"""Frames as networks want them: resized and normalised here, since the library's own ways need torchvision."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.types import Bytes

Tensor = NDArray[np.float32]
MEAN = np.array([0.485, 0.456, 0.406], np.float32)  # of ImageNet's pixels, 0 … 1
STD = np.array([0.229, 0.224, 0.225], np.float32)


def normalised(frames: Bytes, mean: Tensor = MEAN, std: Tensor = STD) -> Tensor:
    """(…, H, W, 3) of 0 … 255 → (…, 3, H, W), less the mean, over the deviation.

    >>> normalised(np.full((1, 1, 3), 255, np.uint8)).round(1).ravel().astype(str).tolist()
    ['2.2', '2.4', '2.6']
    """
    scaled = (frames.astype(np.float32) / 255 - mean) / std
    return np.ascontiguousarray(np.moveaxis(scaled, -1, -3), np.float32)


def short_side(frame: Bytes, side: int, most: int = 0) -> Bytes:
    """A frame whose shorter side is `side` px; less where the longer one would exceed `most`.

    >>> wide = np.zeros((90, 160, 3), np.uint8)
    >>> short_side(wide, 45).shape, short_side(wide, 45, 64).shape
    ((45, 80, 3), (36, 64, 3))
    """
    height, width = frame.shape[:2]
    scale = side / min(height, width)
    if most and scale * max(height, width) > most:
        scale = most / max(height, width)
    return resized(frame, (max(1, round(height * scale)), max(1, round(width * scale))))


def resized(frame: Bytes, shape: tuple[int, int]) -> Bytes:
    """A frame of this height and width."""
    if frame.shape[:2] == shape:
        return frame
    smaller = shape[0] < frame.shape[0]
    found: Bytes = cv2.resize(frame, shape[::-1], interpolation=cv2.INTER_AREA if smaller else cv2.INTER_LINEAR)
    return found
