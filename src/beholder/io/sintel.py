"""The disparity images of MPI Sintel ↔ arrays: a disparity in the three bytes of a colour PNG.

From memory, not verified against a file of theirs: d = 4·R + G/2⁶ + B/2¹⁴. Occluded and invalid pixels stand in masks
beside it, which are images of their own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.io import image

Map = NDArray[np.float32]

_STEPS = 2**14  # a px of disparity
_MOST = (2**24 - 1) / _STEPS


def read(path: Path | str) -> Map:
    """The disparity map in a colour PNG, in px; every pixel has one. From memory, not verified."""
    levels = image.read(path)
    if levels.ndim != 3:
        raise ValueError(f"{path}: got a grey image; expected colour, whose channels hold the bytes of a disparity")
    steps = levels.astype(np.uint32) @ np.array([2**16, 2**8, 1], np.uint32)
    return (steps / _STEPS).astype(np.float32)


def write(disparity: NDArray[Any], path: Path | str) -> None:
    """Put a dense disparity map into a colour PNG, rounded to 2⁻¹⁴ px. From memory, not verified."""
    if disparity.ndim != 2 or not np.isfinite(disparity).all():
        raise ValueError(f"{path}: got holes, or shape {disparity.shape}; expected a dense map (H, W); fill it")
    steps = np.floor(disparity.astype(np.float64) * _STEPS + 0.5)
    if steps.size == 0 or steps.min() < 0 or steps.max() > 2**24 - 1:
        raise ValueError(f"{path}: got a map outside 0 … {_MOST:g} px, or an empty one; expected what 24 bits hold")
    whole = steps.astype(np.uint32)
    image.write(np.stack([whole >> 16, whole >> 8 & 255, whole & 255], axis=-1).astype(np.uint8), path)
