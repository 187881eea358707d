"""Arrays as frames: which axes they have, which values, and what is wrong with others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.video.types import Bytes

WANTED = "expected (T, H, W) or (T, H, W, 3)"
CHANNELS = (1, 3, 4)


def check_layout(shape: Sequence[int], dtype: Any) -> None:
    """Refuse an array that is no clip, and say how it becomes one."""
    if wrong := _wrong_axes(tuple(shape)):
        raise ValueError(f"got frames of {tuple(shape)}{wrong}")
    kind = np.dtype(dtype)
    if kind != np.uint8 and kind.kind != "f":
        raise ValueError(f"got frames of {kind}; expected uint8, or floats of 0 … 1; convert them")
    if not all(shape):
        raise ValueError(f"got frames of {tuple(shape)}, none at all; expected at least one")


def _wrong_axes(shape: tuple[int, ...]) -> str:
    """What is wrong with the axes of an array, and what to do; nothing where they are right."""
    if len(shape) == 5:
        return f", a batch; {WANTED}; give its clips one by one"
    if len(shape) == 3 and shape[2] in CHANNELS:
        return f", one picture; {WANTED}; give all frames"
    if len(shape) == 4 and shape[3] not in CHANNELS:
        if shape[1] in CHANNELS:
            return f", which is (T, C, H, W), as torch has it; {WANTED}; give frames.transpose(0, 2, 3, 1)"
        if shape[0] in CHANNELS:
            return f", which is (C, T, H, W); {WANTED}; give frames.transpose(1, 2, 3, 0)"
    if len(shape) == 4 and shape[3] == 4:
        return f", with alpha; {WANTED}; give frames[..., :3]"
    return "" if len(shape) == 3 or (len(shape) == 4 and shape[3] in CHANNELS) else f"; {WANTED}"


def colour(frames: NDArray[Any], first: int = 0) -> Bytes:
    """Frames of a layout that was checked as uint8 (T, H, W, 3); the `first` is which one of the clip.

    >>> colour(np.array([[[0.0, 0.5]]])).tolist()
    [[[[0, 0, 0], [128, 128, 128]]]]
    """
    levels = frames if frames.dtype == np.uint8 else _levels(frames, first)
    deep = levels[..., None] if levels.ndim == 3 else levels
    return deep if deep.shape[3] == 3 else np.repeat(deep, 3, axis=3)


def _levels(frames: NDArray[Any], first: int) -> Bytes:
    """Floats of 0 … 1 as levels of 0 … 255, one frame after the other: a float takes eight times as much."""
    found = np.empty(frames.shape, np.uint8)
    for level, (at, frame) in zip(found, enumerate(frames, first), strict=True):
        if not np.isfinite(frame).all():
            raise ValueError(f"got NaN or infinity in frame {at}; expected floats of 0 … 1; check the generator")
        low, high = float(frame.min()), float(frame.max())
        if low < 0 or high > 1:
            advice = "give (frames + 1) / 2" if low < 0 and high <= 1 else "divide by the white, or give uint8"
            raise ValueError(f"got floats of {low:.4g} … {high:.4g} in frame {at}; expected 0 … 1; {advice}")
        level[...] = np.floor(frame * 255 + 0.5)
    return found
