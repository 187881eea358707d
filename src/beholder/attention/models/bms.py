"""Boolean map saliency of Zhang and Sclaroff: what is surrounded, at any threshold, is figure."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from beholder.attention.maps.scaling import at_picture_size, colours, fitting, stretched
from beholder.attention.types import Floats, Picture
from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.vision.filters import blurred
from beholder.vision.scales import resized

Bytes = NDArray[np.uint8]

SIDE = 400  # px of the longer side [V]
RIDGE = 50.0  # added to the variances of 8-bit colours before they are whitened [V]
FLAT = 0.5  # grey levels: a channel that spans less holds but rounding


@source("Zhang2013", family="topological")
def bms(picture: Picture, *, step: int = 8, width: int = 7, last: int = 9, sigma: float = 20.0) -> Floats:
    """Boolean map saliency: attention maps added over thresholds of 3 whitened colour channels, every `step` levels.

    In each Boolean map, regions of either value that touch the border are removed. The ones and the zeros that remain
    are each dilated by a square of `width` px, divided by their norm, and added. The sum is dilated by `last` px and
    blurred by `sigma` px, at 400 px of the longer side; 0 … 1. The defaults are the authors' for fixations [V]. A
    picture without a surrounded region has a map of zeros.

    Deviation: written from the equations. Regions are four-connected. Thresholds are the middles of steps, and no noise
    is added.
    """
    if not (1 <= step <= 128 and width >= 1 and last >= 1 and sigma >= 0):
        raise Misuse(
            f"got step={step}, width={width}, last={last}, sigma={sigma}; "
            "expected 1 … 128, 1 px or more, 1 px or more, 0 px or more"
        )
    import cv2

    channels = whitened(resized(colours(picture), fitting(picture.shape, SIDE)))
    whole = np.zeros(channels.shape[1:], np.float32)
    for channel, level in product(channels, range(step // 2, 255, step)):
        whole += _attention(channel > level, width)
    spread = cv2.dilate(whole, np.ones((last, last), np.uint8))
    return at_picture_size(stretched(blurred(spread, sigma)), picture)


def whitened(image: NDArray[np.float32]) -> Bytes:
    """Channels without correlation, 0 … 255, under a median of 3 × 3: (3, H, W), or fewer where some are constant.

    Colours c become (Σ + 50)^(−1/2) (c − mean), Σ their covariance in grey levels.
    """
    import cv2

    flat = 255 * image.reshape(-1, 3).astype(np.float64)
    values, vectors = np.linalg.eigh(np.cov(flat.T, bias=True) + RIDGE * np.eye(3))
    white = (flat - flat.mean(axis=0)) @ (vectors / np.sqrt(values)) @ vectors.T
    grids = [channel.reshape(image.shape[:2]) for channel in white.T]
    held = [grid for grid in grids if np.ptp(grid) * np.sqrt(RIDGE) > FLAT]
    whole = [cv2.medianBlur(np.rint(255 * stretched(grid)).astype(np.uint8), 3) for grid in held]
    return np.stack(whole) if whole else np.zeros((0, *image.shape[:2]), np.uint8)


def _attention(boolean: NDArray[np.bool_], width: int) -> NDArray[np.float32]:
    """Surrounded ones and surrounded zeros, each dilated and of norm 1, added."""
    import cv2

    ones, zeros = _widened(surrounded(boolean), width), _widened(surrounded(~boolean), width)
    one, zero = (1 / np.float32(np.sqrt(max(cv2.countNonZero(each), 1))) for each in (ones, zeros))
    heights = np.zeros(256, np.float32)
    heights[:4] = 0, one, zero, one + zero
    return np.asarray(cv2.LUT(ones + 2 * zeros, heights), np.float32)


def surrounded(boolean: NDArray[np.bool_]) -> Bytes:
    """1 where a region of ones does not reach the border, four-connected.

    >>> ring = np.array([[0, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 0], [0, 0, 0, 0]], bool)
    >>> surrounded(ring).tolist()
    [[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]
    """
    import cv2

    framed = np.ones((boolean.shape[0] + 2, boolean.shape[1] + 2), np.uint8)
    framed[1:-1, 1:-1] = boolean
    cv2.floodFill(framed, None, (0, 0), 0, flags=4)
    return framed[1:-1, 1:-1]


def _widened(figure: Bytes, width: int) -> Bytes:
    import cv2

    return np.asarray(cv2.dilate(np.ascontiguousarray(figure), np.ones((width, width), np.uint8)), np.uint8)
