"""HDF5 files: data sets whose shapes, types and chunks are judged before they are read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beholder.extras import extra
from beholder.io.bounds import LARGEST, check_bytes, check_size

_REFERENCE = 128  # bytes that a reference to another data set, and what it becomes, take at least


@dataclass
class Budget:
    """The bytes that data sets of one file may still take together: references may lead to one again and again."""

    path: Path | str
    left: int = LARGEST

    def read(self, item: Any) -> Any:
        """The values of a data set; refused unread if they are too large."""
        if item.dtype.hasobject and extra("h5py").check_ref_dtype(item.dtype) is None:
            raise ValueError(f"{self.path}: got values of any length as {item.name}; expected numbers")
        if item.external or item.is_virtual or Path(item.file.filename).resolve() != Path(self.path).resolve():
            raise ValueError(f"{self.path}: got {item.name} with values that lie in another file; expected all in one")
        shape = item.shape or ()
        check_size(self.path, item.chunks or (), item.dtype, self.left)  # a chunk is unpacked whole
        size = check_size(self.path, shape, item.dtype, self.left)
        size = max(size, _REFERENCE * (math.prod(shape) if item.dtype.hasobject else 1))
        check_bytes(self.path, "data sets", size, self.left)
        self.left -= size
        return item[()]
