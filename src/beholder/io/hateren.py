"""Images of van Hateren's set and those cut from it (.iml): linear light as big-endian 16-bit numbers, no header."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beholder.io.atomic import whole_file
from beholder.io.bounds import LARGEST, check_file

WHOLE, CUT = (1024, 1536), (768, 1024)  # rows, columns: as photographed, and as DOVES showed the middle of it
CORNER = (128, 256)  # row and column of the whole image where the cut one starts


def read(path: Path | str) -> NDArray[np.uint16]:
    """The light in a file of either size, of which the whole one is cut to the middle."""
    check_file(path, LARGEST)
    levels = np.fromfile(path, ">u2").astype(np.uint16)
    shape = next((shape for shape in (WHOLE, CUT) if levels.size == shape[0] * shape[1]), None)
    if shape is None:
        raise ValueError(
            f"{path}: got {2 * levels.size} bytes; expected {2 * CUT[0] * CUT[1]} (1024 x 768) or "
            f"{2 * WHOLE[0] * WHOLE[1]} (1536 x 1024) of 16-bit numbers; copy it again"
        )
    image = levels.reshape(shape)
    if shape == CUT:
        return image
    return image[CORNER[0] : CORNER[0] + CUT[0], CORNER[1] : CORNER[1] + CUT[1]]


def write(light: NDArray[np.uint16], path: Path | str) -> None:
    """Put light of one of the two sizes into a file."""
    if light.shape not in (WHOLE, CUT) or light.dtype != np.uint16:
        raise ValueError(f"{path}: got {light.dtype} of {light.shape}; expected uint16 of {CUT} or {WHOLE}")
    with whole_file(path) as file:
        file.write(light.astype(">u2").tobytes())
