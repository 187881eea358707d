"""The files of the Spring benchmark ↔ arrays: HDF5 with one entry, stored at twice the size of the image.

Only every second row and column is taken, and values are not rescaled: they are in pixels of the image already.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.extras import extra
from beholder.io.atomic import whole_file
from beholder.io.bounds import LARGEST, check_file
from beholder.io.hdf5 import Budget
from beholder.io.reading import reading

Array = NDArray[np.float32]

_ENTRIES = {".dsp5": ("disparity", 2), ".flo5": ("flow", 3)}  # by suffix: the entry, and how many axes it has


def read(path: Path | str, *, limit: int = LARGEST) -> Array:
    """A disparity map (.dsp5) or a flow field (.flo5) at the size of the image; what is not finite becomes NaN."""
    h5py = extra("h5py")

    where = Path(path)
    entry, axes = _entry(where)
    check_file(where, limit)
    with reading(where, "no HDF5 file", f"one with {entry!r}; copy it again"), h5py.File(where, "r") as file:
        held = {name: Budget(where, limit).read(file[name]) for name in file if name == entry}
    values = held.get(entry)
    if not isinstance(values, np.ndarray) or values.ndim != axes or values.dtype.kind != "f" or values.size == 0:
        got = f"{values.dtype} of shape {values.shape}" if isinstance(values, np.ndarray) else "no such array"
        raise ValueError(f"{where}: got {got} as {entry!r}; expected floats with {axes} axes")
    if any(side % 2 for side in values.shape[:2]):
        raise ValueError(f"{where}: got {values.shape}; expected even sides, twice those of the image")
    small = values[::2, ::2].astype(np.float32)
    return np.where(np.isfinite(small), small, np.float32(np.nan))


def write(values: NDArray[Any], path: Path | str) -> None:
    """Put a disparity map or a flow field into a file of Spring's, each pixel four times."""
    h5py = extra("h5py")

    entry, axes = _entry(Path(path))
    if values.ndim != axes or values.dtype.kind != "f" or values.size == 0:
        raise ValueError(f"{path}: got {values.dtype} of shape {values.shape}; expected floats with {axes} axes")
    content = BytesIO()  # HDF5 reads while it writes
    with h5py.File(content, "w") as file:
        file[entry] = values.astype(np.float32).repeat(2, axis=0).repeat(2, axis=1)
    with whole_file(path) as out:
        out.write(content.getbuffer())


def _entry(path: Path) -> tuple[str, int]:
    suffix = path.suffix.lower()
    if suffix not in _ENTRIES:
        raise ValueError(f"{path}: got the suffix {suffix!r}; expected {', '.join(_ENTRIES)}")
    return _ENTRIES[suffix]
