"""Images at coarser and coarser scales, and fields on their way from one scale to the next."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from beholder.vision.filters import Image, blurred

Field = NDArray[np.float32]  # (H, W, 2)


def halvings(image: Image, *, least: int = 16, levels: int = 10) -> list[Image]:
    """The image and its halves, coarsest first; no further once a side has 2 · `least` px or fewer.

    Each half is smoothed by a Gaussian of 2/3 px and sampled between pixels: scikit-image's `pyramid_reduce`.

    >>> [level.shape for level in halvings(np.zeros((80, 100), np.float32))]
    [(20, 25), (40, 50), (80, 100)]
    """
    from skimage.transform import pyramid_reduce

    pyramid = [image]
    while len(pyramid) < levels and min(pyramid[-1].shape) > 2 * least:
        pyramid.append(np.asarray(pyramid_reduce(pyramid[-1], 2), np.float32))
    return pyramid[::-1]


def reductions(image: Image, factor: float, *, levels: int, sigma: float) -> list[Image]:
    """The image and smaller ones, coarsest first; each is smoothed by a Gaussian of `sigma` px, then sampled linearly.

    >>> [level.shape for level in reductions(np.zeros((40, 50), np.float32), 1.25, levels=2, sigma=0.8)]
    [(32, 40), (40, 50)]
    """
    import cv2

    pyramid = [image]
    for _ in range(levels - 1):
        height, width = (round(side / factor) for side in pyramid[-1].shape)
        pyramid.append(np.asarray(cv2.resize(blurred(pyramid[-1], sigma), (width, height)), np.float32))
    return pyramid[::-1]


def smoothly_enlarged(field: Field, shape: tuple[int, ...]) -> Field:
    """A field on another grid, linear between its vectors, longer by as much as the grid is finer."""
    import cv2

    scale = np.array([shape[1] / field.shape[1], shape[0] / field.shape[0]], np.float32)
    return np.asarray(cv2.resize(field, (shape[1], shape[0])) * scale, np.float32)


def enlarged(field: Field, shape: tuple[int, ...]) -> Field:
    """A field on a finer grid: the nearest vector, longer by as much as the grid is finer.

    >>> enlarged(np.ones((2, 2, 2), np.float32), (4, 3))[0].tolist()
    [[1.5, 2.0], [1.5, 2.0], [1.5, 2.0]]
    """
    rows, columns = (_nearest(old, new) for old, new in zip(field.shape, shape, strict=False))
    scale = np.array([shape[1] / field.shape[1], shape[0] / field.shape[0]], np.float32)
    return np.asarray(field[rows][:, columns] * scale)


def _nearest(old: int, new: int) -> NDArray[np.intp]:
    """For each of `new` places between the first and the last of `old` the nearest of these."""
    return np.asarray(np.floor(np.arange(new) * ((old - 1) / max(new - 1, 1)) + 0.5), np.intp)
