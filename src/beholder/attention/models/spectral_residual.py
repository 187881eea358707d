"""The spectral residual of Hou and Zhang: what a picture's spectrum has beyond the average of its neighbourhood."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from beholder.attention.maps.scaling import FLAT, at_picture_size, grey
from beholder.attention.types import Floats, Picture
from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.vision.filters import Image, blurred
from beholder.vision.scales import resized

SIDE = 64  # px, in the paper and in OpenCV [V]
NOTHING = 1e-9  # of the greatest amplitude: the logarithm of less is that of rounding


@source("Hou2007", family="spectral")
def spectral_residual(picture: Picture, *, variant: Literal["opencv", "authors"] = "opencv") -> Floats:
    """|F⁻¹ exp(R + i P)|² smoothed: R = log A − its 3 × 3 mean; A and P are amplitude and phase at 64 px. 0 … 1.

    "opencv": 64 × 64 px, smoothed (5 × 5, σ = 8 px) before squaring, as in `cv2.saliency` [V], with which it agrees to
    within 0.001. "authors": 64 px wide, smoothed after squaring (σ = 2.5 px) [M]. A constant picture has a map of
    zeros; OpenCV gives NaN.
    """
    if variant not in ("opencv", "authors"):
        raise Misuse(f"got variant={variant!r}; expected 'opencv' or 'authors'")
    seen = grey(picture)
    if np.ptp(seen) < FLAT:
        return np.zeros(picture.shape)
    found = _opencv(picture.pixels) if variant == "opencv" else _authors(seen)
    return at_picture_size(np.asarray(found / found.max(), np.float32), picture)


def _opencv(pixels: NDArray[np.uint8]) -> Image:
    import cv2

    levels = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY) if pixels.ndim == 3 else pixels
    small = cv2.resize(levels, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR_EXACT).astype(np.float64)
    smooth = cv2.GaussianBlur(residual(small), (5, 5), 8)
    return np.asarray(smooth**2, np.float32)


def _authors(seen: Image) -> Image:
    rows = max(8, round(SIDE * seen.shape[0] / seen.shape[1]))
    return blurred(np.asarray(residual(resized(seen, (rows, SIDE)).astype(np.float64)) ** 2, np.float32), 2.5)


def residual(image: NDArray[np.float64]) -> Floats:
    """|F⁻¹ exp(R + i P)| of an image: amplitudes over the geometric mean of their 3 × 3 neighbours, phases as they are.

    Amplitudes that are 0 but for rounding are raised to 1e-9 of the greatest, so that their logarithms exist.

    >>> point = np.zeros((8, 8))
    >>> point[2, 3] = 1  # all amplitudes alike: nothing is in excess, and the point stays what it was
    >>> bool(np.allclose(residual(point), point))
    True
    """
    import cv2

    spectrum = np.fft.fft2(image)
    amplitude = np.abs(spectrum)
    log = np.log(np.maximum(amplitude, NOTHING * amplitude.max()))
    excess = np.exp(log - cv2.blur(log, (3, 3)))
    return np.abs(np.fft.ifft2(excess * np.exp(1j * np.angle(spectrum))))
