"""What the matchers of OpenCV need around them: 8-bit images, a padded left side, pixels instead of sixteenths."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from beholder.errors import Misuse
from beholder.io.image import Bytes, eight_bit
from beholder.stereo.types import Image, Map, Pair

Mode = Literal["5", "3way", "3", "hh", "hh4"]

# OpenCV's numbers for the paths along which costs are summed: 5 or 8 directions, 3 or 4. On a command line a word
# cannot begin with a digit: there 3way is 3, and 3 and 5 come as numbers.
_MODES = {"5": 0, "hh": 1, "3way": 2, "3": 2, "hh4": 3}
_STEPS = 16  # OpenCV's fixed point: sixteenths of a pixel, negative where there is no estimate


def disparities(pair: Pair) -> int:
    """How many disparities to search: those of the pair, rounded up to a multiple of 16 as OpenCV demands."""
    return -(-pair.max_disparity // 16) * 16


def semi_global(pair: Pair, mode: Mode, *, block: int = 3, p1: int = 8, p2: int = 32, uniqueness: int = 5) -> Any:
    """OpenCV's semi-global matcher for a pair, with the filters of OpenCV's samples.

    The costs of a step of one disparity and of a greater one are `p1` and `p2` times channels · block².
    """
    import cv2

    if str(mode) not in _MODES:
        raise Misuse(f"got mode={mode!r}; expected one of {', '.join(_MODES)}")
    if not 0 < p1 < p2:
        raise Misuse(f"got p1={p1}, p2={p2}; expected 0 < p1 < p2")
    area = (pair.left.shape[2] if pair.left.ndim == 3 else 1) * odd(block, "block") ** 2
    return cv2.StereoSGBM.create(
        numDisparities=disparities(pair),
        blockSize=block,
        P1=p1 * area,
        P2=p2 * area,
        disp12MaxDiff=1,
        preFilterCap=63,
        uniquenessRatio=percentage(uniqueness, "uniqueness"),
        speckleWindowSize=50,
        speckleRange=2,
        mode=_MODES[str(mode)],
    )


def matched(matcher: Any, left: Bytes, right: Bytes) -> Map:
    """The disparity map that a matcher of OpenCV finds, in px, NaN where it finds none.

    Both images are padded at the left by the range that is searched, repeating their first column: else OpenCV
    leaves a strip of this width without an estimate.
    """
    margin = matcher.getNumDisparities()
    return pixels(matcher.compute(*(padded(image, margin) for image in (left, right))), margin)


def pixels(steps: NDArray[np.int16], margin: int) -> Map:
    """OpenCV's fixed point as px without the padded margin, NaN where it is negative.

    >>> pixels(np.array([[7, 16, -16, 40]], np.int16), 1)
    array([[1. , nan, 2.5]], dtype=float32)
    """
    inner = steps[:, margin:]
    return np.where(inner >= 0, inner / np.float32(_STEPS), np.float32(np.nan)).astype(np.float32)


def grey(image: Image) -> Bytes:
    """An image as 8-bit grey levels."""
    import cv2

    levels = eight_bit(image)
    return levels if levels.ndim == 2 else np.asarray(cv2.cvtColor(levels, cv2.COLOR_RGB2GRAY), np.uint8)


def padded(image: Bytes, margin: int) -> Bytes:
    """An image whose first column is repeated `margin` times at its left."""
    return np.pad(image, ((0, 0), (margin, 0), (0, 0))[: image.ndim], mode="edge")


def odd(number: int, name: str, *, least: int = 1) -> int:
    """An odd number, `least` or more; else the setting of this name is refused."""
    if number < least or number % 2 == 0:
        raise Misuse(f"got {name}={number}; expected an odd number of {least} or more")
    return number


def percentage(number: int, name: str) -> int:
    """A whole number of 0 … 100; else the setting of this name is refused."""
    if not 0 <= number <= 100:
        raise Misuse(f"got {name}={number}; expected a percentage, 0 … 100")
    return number
