"""Textures: noise, cloth and photographs, all without anything finer than a pixel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.errors import Misuse

Colours = NDArray[np.float32]  # (h, w, 3): sRGB levels, 0 … 255
PHOTOGRAPHS = ("astronaut", "chelsea", "coffee", "rocket")  # of scikit-image, in the public domain or under CC0
SURFACES = ("brick", "grass", "gravel")  # of scikit-image, grey, under CC0
DRAWN = ("cloud", "blotch", "cloth")
SIDE = 640  # px of a texture; it spans a frame's diagonal


@dataclass(frozen=True)
class Texture:
    """What a texture looks like; made when it is asked for."""

    name: str
    seed: int = 0

    def colours(self, side: int = SIDE) -> Colours:
        """A square of it, shrunk by areas, so that it does not alias."""
        whole = _made(self.name, self.seed)
        how = cv2.INTER_AREA if side < len(whole) else cv2.INTER_CUBIC
        return whole if side == len(whole) else np.asarray(cv2.resize(whole, (side, side), interpolation=how))


@lru_cache(maxsize=16)
def _made(name: str, seed: int) -> Colours:
    rng = np.random.default_rng([seed, 17])
    if name in PHOTOGRAPHS:
        return _square(photograph(name), rng)
    if name in SURFACES:
        return _tinted(_square(photograph(name), rng), rng)
    if name in DRAWN:
        return {"cloud": _cloud, "blotch": _blotch, "cloth": _cloth}[name](rng)
    raise Misuse(f"got the texture {name!r}; expected one of {', '.join((*DRAWN, *SURFACES, *PHOTOGRAPHS))}")


@lru_cache(maxsize=8)
def photograph(name: str) -> NDArray[np.uint8]:
    """A photograph of scikit-image's wheel, in colours (h, w, 3)."""
    from skimage import data

    try:
        whole = np.asarray(getattr(data, name)())
    except (OSError, ImportError) as fault:  # scikit-image then wants to fetch it and cannot
        raise Misuse(
            f"got no photograph {name!r} from scikit-image ({fault}); expected it among its data files; install the "
            "wheel of scikit-image 0.24 or later"
        ) from fault
    return np.ascontiguousarray(np.repeat(whole[..., None], 3, axis=2) if whole.ndim == 2 else whole[..., :3])


def _square(picture: NDArray[np.uint8], rng: np.random.Generator) -> Colours:
    """A square part of a picture, as large as it has."""
    side = min(picture.shape[:2])
    top, left = (int(rng.integers(0, size - side + 1)) for size in picture.shape[:2])
    part = picture[top : top + side, left : left + side].astype(np.float32)
    return np.asarray(cv2.resize(part, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC).clip(0, 255))


def _tinted(grey: Colours, rng: np.random.Generator) -> Colours:
    tint = rng.uniform(0.75, 1.1, 3).astype(np.float32)
    return np.asarray((grey * tint).clip(0, 255))


def _noise(rng: np.random.Generator, steepness: float) -> NDArray[np.float32]:
    """Noise whose amplitude falls as frequency^−steepness, as in natural scenes (about 1), of mean 0 and spread 1."""
    across = np.fft.rfftfreq(SIDE)[None, :]
    down = np.fft.fftfreq(SIDE)[:, None]
    frequency = np.hypot(across, down)
    frequency[0, 0] = 1
    keep = np.exp(-((frequency / 0.18) ** 2))  # nothing finer than about five px of the texture
    spectrum = np.fft.rfft2(rng.standard_normal((SIDE, SIDE))) * frequency**-steepness * keep
    spectrum[0, 0] = 0
    field = np.fft.irfft2(spectrum, (SIDE, SIDE))
    return np.asarray(field / field.std(), np.float32)


def _cloud(rng: np.random.Generator) -> Colours:
    light, hue = _noise(rng, 1.1), _noise(rng, 1.5)
    base, shift = rng.uniform(95, 160, 3), rng.normal(0, 14, 3)
    colours = base + 34 * light[..., None] + shift * hue[..., None]
    return np.asarray(colours.clip(0, 255), np.float32)


def _blotch(rng: np.random.Generator) -> Colours:
    """Patches of three colours with soft borders, on which there is some grain."""
    inks = rng.uniform(40, 215, (3, 3)).astype(np.float32)
    first, second = (1 / (1 + np.exp(-9 * _noise(rng, 1.3)))[..., None] for _ in range(2))
    colours = inks[0] * (1 - first) + first * (inks[1] * (1 - second) + inks[2] * second)
    return np.asarray((colours + 9 * _noise(rng, 0.6)[..., None]).clip(0, 255), np.float32)


def _cloth(rng: np.random.Generator) -> Colours:
    """Soft stripes both ways over grain, as of a checked shirt."""
    base = rng.uniform(60, 190, 3)
    at = np.arange(SIDE) / SIDE
    down, across = (np.sin(2 * np.pi * rng.uniform(9, 16) * at + rng.uniform(0, 6)) for _ in range(2))
    pattern = 26 * down[:, None] + 26 * across[None, :] + 16 * _noise(rng, 0.8)
    return np.asarray((base + pattern[..., None]).clip(0, 255), np.float32)
