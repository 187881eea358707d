"""What the matchers of OpenCV need around them: 8-bit images, a padded left side, pixels instead of sixteenths."""

from __future__ import annotations

from typing import Any

import numpy as np

from beholder.media.image import Bytes, eight_bit
from beholder.stereo.types import Image, Map, Pair

_STEPS = 16  # OpenCV's fixed point: sixteenths of a pixel, negative where there is no estimate


def disparities(pair: Pair) -> int:
    """How many disparities to search: those of the pair, rounded up to a multiple of 16 as OpenCV demands."""
    return -(-pair.max_disparity // 16) * 16


def matched(matcher: Any, left: Bytes, right: Bytes) -> Map:
    """The disparity map that a matcher of OpenCV finds, in px, NaN where it finds none.

    Both images are padded at the left by the range that is searched, repeating their first column: else OpenCV
    leaves a strip of this width without an estimate.
    """
    margin = matcher.getNumDisparities()
    steps = matcher.compute(_padded(left, margin), _padded(right, margin))[:, margin:]
    return np.where(steps >= 0, steps / np.float32(_STEPS), np.float32(np.nan)).astype(np.float32)


def grey(image: Image) -> Bytes:
    """An image as 8-bit grey levels."""
    import cv2

    levels = eight_bit(image)
    return levels if levels.ndim == 2 else np.asarray(cv2.cvtColor(levels, cv2.COLOR_RGB2GRAY), np.uint8)


def _padded(image: Bytes, margin: int) -> Bytes:
    return np.pad(image, ((0, 0), (margin, 0), (0, 0))[: image.ndim], mode="edge")
