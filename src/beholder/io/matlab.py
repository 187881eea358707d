"""MATLAB files → arrays: version 5 to 7 through SciPy, version 7.3 (which is HDF5) through h5py."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from beholder.extras import extra
from beholder.io import mat_elements
from beholder.io.bounds import LARGEST, check_bytes, check_file, check_size
from beholder.io.hdf5 import Budget
from beholder.io.reading import reading

_HDF5 = b"\x89HDF\r\n\x1a\n"
_HEADER = 512  # bytes of text before the HDF5 of a version 7.3 file
_DEFLATED = 1032  # the most bytes that a compressed one becomes
_SPREAD = 8  # and the most that one of them becomes as a number; about as much is a small part of a struct or a cell
_NUMBERS = ("double", "single", "logical", *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)))


def read(path: Path | str, *, limit: int = LARGEST) -> dict[str, Any]:
    """Every variable of a file, with MATLAB's order of axes; structs and cells only of versions before 7.3."""
    where = Path(path)
    return _hdf5(where, limit) if is_hdf5(where, limit) else _classic(where, limit)


def is_hdf5(path: Path, limit: int) -> bool:
    """Whether a file is of version 7.3; one that is larger than `limit` is refused."""
    check_file(path, limit)
    with path.open("rb") as file:
        head = file.read(_HEADER + len(_HDF5))
    return head.startswith(_HDF5) or head[_HEADER:] == _HDF5


def check(file: IO[bytes], path: Path, *, limit: int, plain: bool = False) -> None:
    """Refuse a file of version 4 to 7 that SciPy cannot safely read, or that is too large when unpacked.

    With `plain`, also all but arrays of numbers. What else is damaged is left for SciPy to tell.
    """
    from scipy.io import whosmat
    from scipy.io.matlab import MatReadError

    size = file.seek(0, io.SEEK_END)
    unpacked = size if mat_elements.is_old(file) else mat_elements.walk(file, limit)
    check_bytes(path, "variables", unpacked, limit, " and more")
    if not plain and size * _DEFLATED * _SPREAD <= limit:
        return
    file.seek(0)
    try:
        held = whosmat(file)
    except (MatReadError, ValueError, TypeError, OSError, IndexError, NotImplementedError, OverflowError):
        return
    for name, shape, kind in held:
        if kind in _NUMBERS:
            check_size(path, shape, np.float64, limit)
        elif plain:
            raise ValueError(f"{path}: got {name} of class {kind}; expected an array of numbers; save it alone")
        else:
            check_bytes(path, f"a {kind}", _SPREAD * unpacked, limit)


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


@contextmanager
def reading_mat(path: Path) -> Iterator[None]:
    """While SciPy reads a file: what it raises, or only warns of, is a ValueError that names the file."""
    with reading(path, "no MATLAB file that can be read", "a complete .mat"), warnings.catch_warnings():
        warnings.filterwarnings("error", "We do not support byte ordering")  # of a VAX: no such numbers come out
        yield


def _classic(path: Path, limit: int) -> dict[str, Any]:
    from scipy.io import loadmat

    with path.open("rb") as file, reading_mat(path):
        check(file, path, limit=limit)
        file.seek(0)
        found = loadmat(file)
    return {name: value for name, value in found.items() if not name.startswith("__")}


def _hdf5(path: Path, limit: int) -> dict[str, Any]:
    h5py = extra("h5py")

    with reading(path, "a damaged MATLAB 7.3 file", "a complete .mat"), h5py.File(path, "r") as file:
        plain = {name: item for name, item in file.items() if isinstance(item, h5py.Dataset)}
        budget = Budget(path, limit)
        return {name: _of(budget.read(item), item.attrs) for name, item in plain.items()}


def _of(values: Any, attributes: Any) -> Any:
    """A variable as MATLAB has it: HDF5 holds its axes in reverse, texts as numbers, and of an empty one the shape."""
    kind = attributes.get("MATLAB_class", b"")
    if attributes.get("MATLAB_empty", 0):
        return np.zeros(tuple(int(n) for n in values))
    if kind == b"char":
        return "".join(map(chr, np.asarray(values).T.ravel(order="F")))
    return np.asarray(values).T
