"""Patches of photographs: what statistics of natural scenes are learnt from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from beholder.vision.scales import Image, resized

# All colour photographs of scenes in scikit-image's wheel that are in the public domain or under CC0.
PHOTOGRAPHS = ("astronaut", "chelsea", "coffee", "rocket")
SIZES = (1.0, 0.5)  # statistics of scenes hardly depend on scale, and halves have lost the traces of compression


def photographs() -> list[Image]:
    """Photographs of scikit-image as sRGB 0 … 1 (H, W, 3), each at its own and at half its size."""
    from skimage import data

    whole = [np.asarray(getattr(data, name)() / np.float32(255), np.float32) for name in PHOTOGRAPHS]
    return [_scaled(each, size) for each in whole for size in SIZES]


def _scaled(image: Image, size: float) -> Image:
    return resized(image, (round(size * image.shape[0]), round(size * image.shape[1])))


def sample_patches(images: Sequence[Image], side: int, *, count: int, rng: np.random.Generator) -> Image:
    """Random square patches, as many of each image, one per row: all of red, then of green, then of blue.

    >>> ramp = np.arange(12, dtype=np.float32).reshape(2, 2, 3)
    >>> sample_patches([ramp], 2, count=1, rng=np.random.default_rng(0)).tolist()
    [[0.0, 3.0, 6.0, 9.0, 1.0, 4.0, 7.0, 10.0, 2.0, 5.0, 8.0, 11.0]]
    """
    small = [image.shape for image in images if min(image.shape[:2]) < side]
    if small or not images or count < len(images):
        raise ValueError(
            f"got {len(images)} images, {len(small)} of them smaller than {side} px, and {count} patches to take; "
            "expected images of at least that size, and at least one patch from each"
        )
    return np.concatenate([_of_one(image, side, count=count // len(images), rng=rng) for image in images])


def _of_one(image: Image, side: int, *, count: int, rng: np.random.Generator) -> Image:
    windows = np.lib.stride_tricks.sliding_window_view(image, (side, side), axis=(0, 1))
    rows, columns = (rng.integers(0, n, count) for n in windows.shape[:2])
    return np.asarray(windows[rows, columns].reshape(count, -1), np.float32)
