"""Gabor patches of a given period, and what an image answers to them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.float32]
Patch = NDArray[np.complex64]


def gabor(angle: float, *, period: float, sigma: float, elongation: float = 1.0, radius: int) -> Patch:
    """A patch of 2 · `radius` + 1 px a side whose wave runs along `angle` (degrees, counter-clockwise from the right).

    Even in its real, odd in its imaginary part, each without mean and of norm 1. The Gaussian's standard deviation is
    `sigma` along the wave and `elongation` times that along the stripes.

    >>> patch = gabor(0, period=7, sigma=7 / 3, radius=4)
    >>> patch.shape, round(float((patch.real**2).sum()), 5), round(abs(float(patch.sum().real)), 5)
    ((9, 9), 1.0, 0.0)
    """
    if not (period >= 2 and sigma > 0 and elongation > 0 and radius >= 1):
        raise ValueError(
            f"got period={period}, sigma={sigma}, elongation={elongation}, radius={radius}; "
            "expected at least 2 px, numbers above 0, and at least 1 px"
        )
    down, right = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    turn = np.radians(angle)
    along = right * np.cos(turn) - down * np.sin(turn)
    across = right * np.sin(turn) + down * np.cos(turn)
    envelope = np.exp(-(along**2 + (across / elongation) ** 2) / (2 * sigma**2))
    even, odd = (_unit(envelope * wave(2 * np.pi * along / period)) for wave in (np.cos, np.sin))
    return np.asarray(even + 1j * odd, np.complex64)


def _unit(patch: NDArray[np.float64]) -> NDArray[np.float64]:
    bare = patch - patch.mean()
    return np.asarray(bare / np.linalg.norm(bare))


def rectified(image: Image, patch: Patch) -> Image:
    """|response to the even part| + |response to the odd part|; beyond the border lies the nearest pixel."""
    import cv2

    parts = (np.ascontiguousarray(part, np.float32) for part in (patch.real, patch.imag))
    responses = [cv2.filter2D(image, cv2.CV_32F, part, borderType=cv2.BORDER_REPLICATE) for part in parts]
    return np.asarray(np.abs(responses[0]) + np.abs(responses[1]), np.float32)
