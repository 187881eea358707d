"""What pairwise models need around them: frames on one scale for the whole movie, and a field for each pair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.motion.types import Movie

Frames = NDArray[np.float32]
Field = NDArray[np.float32]  # (H, W, 2): u right, v down, px/frame
Fields = NDArray[np.float32]  # (T − 1, H, W, 2)


@dataclass(frozen=True, eq=False)
class FramePair(Movie):
    """Two frames from image files: `frames` are their grey levels 0 … 255 as stored, which are not luminance."""

    pictures: NDArray[np.uint8] = field(kw_only=True)  # (2, H, W), or (2, H, W, 3) with colours, as in the files


def grey(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Grey levels 0 … 255 of a picture: 0.299 R + 0.587 G + 0.114 B, as ITU-R BT.601 has it, rounded.

    >>> grey(np.full((1, 1, 3), 200, np.uint8)).tolist()
    [[200.0]]
    """
    if picture.ndim == 2:
        return picture.astype(np.float32)
    return np.asarray(np.rint(picture @ np.array([0.299, 0.587, 0.114])), np.float32)


def relative(movie: Movie) -> Frames:
    """Luminance over the greatest of the movie: black stays 0 and contrast stays contrast.

    >>> movie = Movie(np.array([[[0, 46]], [[92, 23]]], np.float32), 100, 8)
    >>> relative(movie).tolist()
    [[[0.0, 0.5]], [[1.0, 0.25]]]
    """
    greatest = float(movie.frames.max(initial=0))
    if not np.isfinite(greatest):
        raise ValueError("got frames with luminances that are not finite; expected cd/m², 0 or more, in every pixel")
    return movie.frames / np.float32(greatest if greatest > 0 else 1)


def levels(movie: Movie) -> NDArray[np.uint8]:
    """Luminance as 8-bit levels, 255 at the greatest of the movie, rounded: linear, and the same scale in each frame.

    >>> levels(Movie(np.array([[[0, 46]], [[92, 23]]], np.float32), 100, 8)).tolist()
    [[[0, 128]], [[255, 64]]]
    """
    return np.rint(255 * relative(movie)).astype(np.uint8)


def srgb_levels(movie: Movie) -> NDArray[np.uint8]:
    """Luminance as 8-bit sRGB, 255 at the greatest of the movie, the same scale in each frame: what networks know.

    >>> srgb_levels(Movie(np.array([[[0, 46]], [[92, 23]]], np.float32), 100, 8)).tolist()
    [[[0, 188]], [[255, 137]]]

    Grey levels of image files are encoded already and stay as they are.
    """
    if isinstance(movie, FramePair):
        return movie.frames.astype(np.uint8)
    light = np.clip(relative(movie), 0, 1)
    # IEC 61966-2-1: a straight piece near black, then a power.
    encoded = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.asarray(np.rint(255 * encoded), np.uint8)


def fields(frames: NDArray[Any], flow: Callable[[Any, Any], NDArray[Any]]) -> Fields:
    """The flow of each pair of successive frames."""
    found = [flow(first, second) for first, second in pairwise(frames)]
    return np.stack(found).astype(np.float32) if found else np.zeros((0, *frames.shape[1:], 2), np.float32)
