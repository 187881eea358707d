"""Every patch of an image, projected on filters that were learnt."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.attention.maps.scaling import LEAST, fitting
from beholder.vision.scales import Image, resized

COLUMNS = 1024  # patches that are laid out at a time: a few MB, which the processor's cache nearly holds


@cache
def load_learnt(name: str) -> dict[str, NDArray[np.float32]]:
    """The arrays of a file of learnt parameters, read once; `beholder.attention.learning` writes these files."""
    with resources.files("beholder.attention").joinpath("learnt", f"{name}.npz").open("rb") as file:
        held: Any = np.load(file, allow_pickle=False)
        arrays = {key: np.asarray(held[key], np.float32) for key in held.files}
    for values in arrays.values():
        values.setflags(write=False)  # they are shared by all who ask again
    return arrays


def shrink_to(image: Image, longer: int) -> Image:
    """The image, shrunk where its longer side has more than that many px; its shorter one keeps 32 px.

    >>> shrink_to(np.zeros((40, 400, 3), np.float32), 100).shape
    (32, 320, 3)
    """
    shape = image.shape[0], image.shape[1]
    wanted = max(longer, -(-LEAST * max(shape) // min(shape)))
    return image if max(shape) <= wanted else resized(image, fitting(shape, wanted))


def project(image: Image, filters: Image) -> Image:
    """The answers (k, H − p + 1, W − p + 1) of filters (k, 3 p²) to all patches of an image (H, W, 3).

    Weights of a filter lie as in a patch: all of red, then of green, then of blue.

    >>> image = np.arange(12, dtype=np.float32).reshape(2, 2, 3)
    >>> project(image, np.array([[1, 0, 0], [0, 0, 2]], np.float32))[1].tolist()
    [[4.0, 10.0], [16.0, 22.0]]
    """
    side = side_of(filters)
    planes = np.ascontiguousarray(np.moveaxis(image, -1, 0))
    windows = np.lib.stride_tricks.sliding_window_view(planes, (side, side), axis=(1, 2))  # colour, row, column, p, p
    height, width = windows.shape[1:3]
    found = np.empty((len(filters), height, width), np.float32)
    step = max(1, COLUMNS // width)
    laid = np.empty((*filters.shape[1:], min(step, height) * width), np.float32)
    for top in range(0, height, step):
        rows = np.moveaxis(windows[:, top : top + step], (3, 4), (1, 2))  # so whole rows are copied, not single pixels
        patches = laid[:, : rows.shape[3] * width]
        patches.reshape(rows.shape)[:] = rows
        found[:, top : top + step] = (filters @ patches).reshape(-1, *rows.shape[3:])
    return found


def side_of(filters: Image) -> int:
    """The side p of the patches that filters (k, 3 p²) are for."""
    return round(float(np.sqrt(filters.shape[1] / 3)))


def frame(values: Image, side: int) -> Image:
    """A map of the middles of patches, filled up to the image's size with its least value.

    >>> frame(np.array([[2, 1]], np.float32), 3).tolist()
    [[1.0, 1.0, 1.0, 1.0], [1.0, 2.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]]
    """
    return np.asarray(np.pad(values, side // 2, constant_values=values.min()), np.float32)
