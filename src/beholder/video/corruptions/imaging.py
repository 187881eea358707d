"""A camera or an encoder that spoils frames: blur, exposure, noise, compression."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.corruptions.plans import MOST, Take, burst_frames, moments
from beholder.video.types import Bytes, Clip

BLUR = (1.2 / 367, 3 / 367)  # diagonals: 1.2 to 3 px at 320 x 180
BURST = (0.15, 0.3)  # s
CODED = (0.2, 0.4)  # s
QUALITY = (6, 14)  # of JPEG, of 100
EXPOSURE = 0.03  # per severity
NOISE = 2.4  # levels per severity: 12 at the highest


def blur_burst(take: Take, severity: int) -> Clip:
    """One more burst of Gaussian blur per severity."""
    rng = take.rng()
    sizes = rng.uniform(*BLUR, MOST) * take.diagonal
    pixels = take.pixels.copy()
    for frames, size in list(zip(_bursts(take, rng, BURST), sizes, strict=True))[:severity]:
        for n in frames:
            pixels[n] = cv2.GaussianBlur(take.pixels[n], (0, 0), float(size))
    return take.with_pixels(pixels)


def compression(take: Take, severity: int) -> Clip:
    """One more burst of strong JPEG compression per severity."""
    rng = take.rng()
    qualities = rng.integers(QUALITY[0], QUALITY[1] + 1, MOST)
    pixels = take.pixels.copy()
    for frames, quality in list(zip(_bursts(take, rng, CODED), qualities, strict=True))[:severity]:
        for n in frames:
            pixels[n] = _coded(take.pixels[n], int(quality))
    return take.with_pixels(pixels)


def _bursts(take: Take, rng: np.random.Generator, lengths: tuple[float, float]) -> list[NDArray[np.intp]]:
    """The frames of five bursts that leave good frames between them."""
    most = 0.55 * 0.76 * take.seconds / MOST
    long = np.minimum(rng.uniform(*lengths, MOST), most)
    return burst_frames(moments(rng, take.seconds), long, take.times)


def _coded(frame: Bytes, quality: int) -> Bytes:
    _, code = cv2.imencode(".jpg", np.ascontiguousarray(frame[..., ::-1]), [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)[..., ::-1]


def flicker(take: Take, severity: int) -> Clip:
    """Exposure that changes from frame to frame by up to 3 % per severity both ways."""
    gains = 1 + EXPOSURE * severity * take.rng().uniform(-1, 1, len(take.pixels))
    levels = np.arange(256)
    return take.with_pixels(np.stack([_levels(levels * g)[f] for f, g in zip(take.pixels, gains, strict=True)]))


def noise(take: Take, severity: int) -> Clip:
    """The same noise at every severity, the stronger the higher."""
    rng = take.rng()
    spread = np.float32(NOISE * severity)
    return take.with_pixels(
        np.stack([_levels(f + spread * rng.standard_normal(f.shape, np.float32)) for f in take.pixels])
    )


def _levels(values: NDArray[Any]) -> Bytes:
    return np.asarray(np.clip(np.rint(values), 0, 255), np.uint8)
