"""MATLAB files → arrays: version 5 to 7 through SciPy, version 7.3 (which is HDF5) through h5py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_HDF5 = b"\x89HDF\r\n\x1a\n"
_HEADER = 512  # bytes of text before the HDF5 of a version 7.3 file


def read(path: Path | str) -> dict[str, Any]:
    """Every variable of a file, with MATLAB's order of axes; structs and cells only of versions before 7.3."""
    where = Path(path)
    head = where.read_bytes()[: _HEADER + len(_HDF5)]
    newer = head.startswith(_HDF5) or head[_HEADER:] == _HDF5
    return _hdf5(where) if newer else _classic(where)


def array(path: Path | str, name: str, shape: tuple[int | None, ...] | None = None) -> NDArray[np.float64]:
    """One numeric variable of a file as floats; `shape` is what it must have, None where any length will do."""
    found = read(path)
    if name not in found:
        held = ", ".join(sorted(found)) or "nothing"
        raise ValueError(f"{path}: got {held}; expected the variable {name}; is this the right file?")
    values = np.asarray(found[name])
    if values.dtype.kind not in "fiub":
        raise ValueError(f"{path}: got {name} of {values.dtype}; expected real numbers; is this the right file?")
    if shape is not None and not _fits(values.shape, shape):
        wanted = " × ".join("any" if n is None else str(n) for n in shape)
        got = " × ".join(map(str, values.shape))
        raise ValueError(f"{path}: got {name} of {got}; expected {wanted}; is this the right file?")
    return values.astype(np.float64)


def _fits(found: tuple[int, ...], wanted: tuple[int | None, ...]) -> bool:
    return len(found) == len(wanted) and all(w in (None, f) for f, w in zip(found, wanted, strict=True))


def _classic(path: Path) -> dict[str, Any]:
    from scipy.io import loadmat
    from scipy.io.matlab import MatReadError

    try:
        found = loadmat(path)
    except (MatReadError, ValueError, TypeError, OSError, IndexError, NotImplementedError, OverflowError) as fault:
        raise ValueError(f"{path}: got no MATLAB file that can be read ({fault}); expected a whole .mat") from fault
    return {name: value for name, value in found.items() if not name.startswith("__")}


def _hdf5(path: Path) -> dict[str, Any]:
    import h5py

    try:
        with h5py.File(path, "r") as file:
            plain = {name: item for name, item in file.items() if isinstance(item, h5py.Dataset)}
            return {name: _of(item[()], item.attrs) for name, item in plain.items()}
    except OSError as fault:
        raise ValueError(f"{path}: got a damaged MATLAB 7.3 file ({fault}); expected a whole .mat") from fault


def _of(values: Any, attributes: Any) -> Any:
    """A variable as MATLAB has it: HDF5 holds its axes in reverse, texts as numbers, and of an empty one the shape."""
    kind = attributes.get("MATLAB_class", b"")
    if attributes.get("MATLAB_empty", 0):
        return np.zeros(tuple(int(n) for n in values))
    if kind == b"char":
        return "".join(map(chr, np.asarray(values).T.ravel(order="F")))
    return np.asarray(values).T
