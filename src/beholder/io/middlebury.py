"""The 8-bit disparity images of Middlebury ↔ arrays: grey value = scale · disparity, in px.

The scale does not stand in the file, and a wrong one gives a plausible map; so it must be told.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.io import image
from beholder.io.atomic import whole_file

Map = NDArray[np.float32]


def read(path: Path | str, *, scale: float, zero: bool = False) -> Map:
    """The disparity map in an 8-bit grey image. 0 means that there is none, unless `zero` says that it is a disparity.

    Colour and 16 bits are refused: the one is a picture for display, the other has another scale.
    """
    levels = image.read(path)
    if levels.ndim != 2:
        raise ValueError(f"{path}: got a coloured image; expected 8-bit grey; this is a picture for display, not data")
    found = levels.astype(np.float32) / np.float32(_scale(scale, path))
    return np.where((levels > 0) | zero, found, np.float32(np.nan))


def write(disparity: NDArray[Any], path: Path | str, *, scale: float, zero: bool = False) -> None:
    """Put a disparity map into an 8-bit grey PNG, rounded to 1/scale px; what it cannot hold is refused.

    Without `zero`, 0 means that there is none, and the smallest disparity that can be said is one step. With it,
    there is no way to say none.
    """
    from PIL import Image

    known = np.isfinite(disparity)
    steps = np.floor(np.where(known, disparity, 0).astype(np.float64) * _scale(scale, path) + 0.5)
    if disparity.ndim != 2 or steps.size == 0 or steps.min() < 0 or steps.max() > 255:
        raise ValueError(
            f"{path}: got {disparity.shape}, {steps.min(initial=0) / scale:g} … {steps.max(initial=0) / scale:g} px; "
            f"expected (H, W) of 0 … {255 / scale:g} px, which is what 8 bits hold at scale {scale:g}; write .pfm"
        )
    if zero and not known.all():
        raise ValueError(f"{path}: got a map with holes; expected a dense one where 0 is a disparity; fill it")
    steps = steps if zero else np.where(known, np.maximum(steps, 1), 0)
    with whole_file(path) as file:
        Image.fromarray(steps.astype(np.uint8)).save(file, format="PNG")


def _scale(scale: float, path: Path | str) -> float:
    if not 0 < scale <= 255:
        raise ValueError(f"{path}: got scale={scale}; expected grey levels per pixel of disparity, such as 4")
    return scale
