"""What models of salience share: scales of colours and maps, and borders."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.attention.types import Floats, Picture
from beholder.vision.colour import linear
from beholder.vision.scales import Image, resized

LEAST = 32  # px: below that no model here has a scale to look at
FLAT = 1e-5  # of the scale of colours: what varies less is constant but for rounding of 32-bit numbers
LUMA = np.array([0.299, 0.587, 0.114], np.float32)  # Rec. 601, as OpenCV weighs red, green and blue


def colours(picture: Picture) -> Image:
    """sRGB values 0 … 1 (H, W, 3); a grey picture has three equal ones."""
    return np.asarray(_bytes(picture) / np.float32(255), np.float32)


def linear_light(picture: Picture) -> Image:
    """Linear light 0 … 1 (H, W, 3)."""
    import cv2

    return np.asarray(cv2.LUT(_bytes(picture), _light_of_bytes()), np.float32)


def grey(picture: Picture) -> Image:
    """Luma 0 … 1 (H, W)."""
    return np.asarray(colours(picture) @ LUMA, np.float32)


@cache
def _light_of_bytes() -> Image:
    return linear(np.arange(256) / 255).astype(np.float32)


def _bytes(picture: Picture) -> NDArray[np.uint8]:
    pixels: NDArray[Any] = picture.pixels
    if pixels.dtype != np.uint8 or not (pixels.ndim == 2 or (pixels.ndim == 3 and pixels.shape[2] == 3)):
        raise ValueError(f"got pixels of {pixels.dtype} {pixels.shape}; expected uint8, (H, W) or (H, W, 3); convert")
    if min(pixels.shape[:2]) < LEAST:
        raise ValueError(f"got a picture of {pixels.shape[:2]} px; expected at least {LEAST} a side; enlarge it")
    return np.repeat(pixels[..., None], 3, axis=2) if pixels.ndim == 2 else pixels


def enlarge_to(image: Image, longer: int) -> Image:
    """The image, enlarged where its longer side has less than that many px."""
    shape = image.shape[0], image.shape[1]
    return image if max(shape) >= longer else resized(image, fitting(shape, longer))


def fitting(shape: tuple[int, int], longer: int) -> tuple[int, int]:
    """Rows and columns in the same proportion, with a longer side of that many px.

    >>> fitting((480, 640), 32)
    (24, 32)
    """
    factor = longer / max(shape)
    return max(1, round(shape[0] * factor)), max(1, round(shape[1] * factor))


def stretched(values: NDArray[Any], *, flat: float = 0.0) -> Image:
    """Values from 0 to 1; all 0 where they span no more than `flat`.

    >>> stretched(np.array([2.0, 3.0, 4.0])), stretched(np.array([2.0, 2.0]))
    (array([0. , 0.5, 1. ], dtype=float32), array([0., 0.], dtype=float32))
    """
    low, high = float(values.min()), float(values.max())
    span = high - low
    return np.asarray((values - low) / span if span > flat else np.zeros_like(values), np.float32)


def fade_border(values: Image, width: int) -> Image:
    """A map whose outermost `width` px fall off to the border in equal steps.

    >>> fade_border(np.ones((1, 5), np.float32)[[0] * 5], 1)[2].tolist()
    [0.5, 1.0, 1.0, 1.0, 0.5]
    """
    ramps = [np.minimum(1, (1 + np.minimum(np.arange(n), np.arange(n)[::-1])) / (width + 1)) for n in values.shape]
    return np.asarray(values * np.minimum.outer(ramps[0], ramps[1]), np.float32)


def at_picture_size(values: Image, picture: Picture) -> Floats:
    """A coarse map at the picture's size."""
    return resized(values, picture.shape).astype(np.float64)
