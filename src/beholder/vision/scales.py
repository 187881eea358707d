"""One image at other sizes: any size, and halves of halves."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.float32]
Real = TypeVar("Real", np.float32, np.float64)

BINOMIAL = np.array([1, 4, 6, 4, 1], np.float32) / 16


def resized(image: NDArray[Real], shape: tuple[int, int], *, cubic: bool = False) -> NDArray[Real]:
    """An image (H, W) or (H, W, C) of rows and columns `shape`: area means where it shrinks, linear where it grows.

    With `cubic` it grows by a cubic, which may overshoot. Centres of pixels keep their places relative to the sides.

    >>> resized(np.array([[0, 2, 4, 6]], np.float32), (1, 2)).tolist()
    [[1.0, 5.0]]
    """
    import cv2

    if min(shape) < 1:
        raise ValueError(f"got the shape {shape}; expected at least one pixel a side")
    found = np.ascontiguousarray(image)
    small = min(shape[1], image.shape[1]), min(shape[0], image.shape[0])
    if small != found.shape[1::-1]:
        found = cv2.resize(found, small, interpolation=cv2.INTER_AREA)
    if small != shape[::-1]:
        found = cv2.resize(found, shape[::-1], interpolation=cv2.INTER_CUBIC if cubic else cv2.INTER_LINEAR)
    return np.asarray(found, image.dtype).reshape(*shape, *image.shape[2:])


def halved(image: Image) -> Image:
    """Half an image (H, W) or (H, W, C): under 1 5 10 10 5 1 (/ 32) along each side, sampled between pixels.

    Beyond the border lies the nearest pixel; of an odd side one pixel more than half is left.

    >>> halved(np.array([[32, 0, 0, 0, 0, 0]], np.float32)).tolist()  # what is beyond the left counts as 32 as well
    [[16.0, 1.0, 0.0]]
    """
    import cv2

    smooth = cv2.sepFilter2D(
        np.ascontiguousarray(image, np.float32), cv2.CV_32F, BINOMIAL, BINOMIAL, borderType=cv2.BORDER_REPLICATE
    ).reshape(image.shape)
    if image.shape[0] % 2 or image.shape[1] % 2:
        odd = [(0, side % 2) for side in image.shape[:2]] + [(0, 0)] * (image.ndim - 2)
        smooth = np.pad(smooth, odd, mode="edge")
    found = smooth[::2, ::2] + smooth[1::2, ::2]
    found += smooth[::2, 1::2]
    found += smooth[1::2, 1::2]
    found /= 4
    return np.asarray(found, np.float32)


def dyadic(image: Image, levels: int) -> list[Image]:
    """The image and its halves, finest first: `levels` in all. A side of one pixel stays.

    >>> [level.shape for level in dyadic(np.zeros((10, 32), np.float32), 6)]
    [(10, 32), (5, 16), (3, 8), (2, 4), (1, 2), (1, 1)]
    """
    pyramid = [np.asarray(image, np.float32)]
    while len(pyramid) < levels:
        pyramid.append(halved(pyramid[-1]))
    return pyramid
