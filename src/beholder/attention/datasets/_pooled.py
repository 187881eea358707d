"""Maps of fixated pixels, in which observers cannot be told apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from beholder.attention.types import Scanpath, scanpath
from beholder.errors import Misuse

EVERYBODY = "everybody"  # the one observer of a set without observers
NOBODY = "The file does not tell people apart: there is no ceiling, no order and no time, and each pixel counts once."


def pooled_path(marks: Any, where: str) -> dict[str, Scanpath]:
    """The middles of the pixels that a map marks, as one path of everybody, row after row."""
    values = np.asarray(marks)
    if values.ndim != 2 or values.dtype.kind not in "fiub":
        raise Misuse(f"{where}: got {values.dtype} of shape {values.shape}; expected a map of fixated pixels")
    y, x = np.nonzero(values)
    return {EVERYBODY: scanpath(x + 0.5, y + 0.5)}
