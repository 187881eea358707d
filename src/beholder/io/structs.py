"""MATLAB files → records: structs as dicts, cells and struct arrays as lists, texts as str, a containers.Map as a dict.

Versions 5 to 7 come through SciPy, 7.3 (which is HDF5) through h5py. Arrays lose their axes of length 1; a single
number is a number. What MATLAB writes for one element and for many differs then: read it with `several` or `vector`.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_HDF5 = b"\x89HDF\r\n\x1a\n"
_TEXT = 512  # bytes of text before the HDF5 of a version 7.3 file
_HEADER = 116  # bytes of text at the head of a version 5 file


def read(path: Path | str) -> dict[str, Any]:
    """Every variable of a file."""
    where = Path(path)
    with where.open("rb") as file:
        head = file.read(_TEXT + len(_HDF5))
    newer = head.startswith(_HDF5) or head[_TEXT:] == _HDF5
    return _hdf5(where) if newer else _classic(where)


def variable(path: Path | str, name: str) -> Any:
    """One variable of a file."""
    found = read(path)
    if name not in found:
        held = ", ".join(sorted(found)) or "nothing"
        raise ValueError(f"{path}: got {held}; expected the variable {name}; is this the right file?")
    return found[name]


def several(value: Any) -> list[Any]:
    """The elements of a cell or a struct array, which may have been simplified to its only one, or to nothing.

    >>> several({"x": 1}), several([1, 2]), several(np.array([]))
    ([{'x': 1}], [1, 2], [])
    """
    if isinstance(value, list):
        return value
    if isinstance(value, np.ndarray) and (value.dtype == object or value.size == 0):
        return list(value.ravel())
    return [value]


def vector(value: Any) -> NDArray[np.float64]:
    """Numbers as one dimension: MATLAB's scalars, rows, columns and empties alike.

    >>> vector(3), vector([]), vector(np.array([[1], [2]]))
    (array([3.]), array([], dtype=float64), array([1., 2.]))
    """
    try:
        return np.asarray(value, np.float64).ravel()
    except (TypeError, ValueError):
        raise ValueError(f"got {type(value).__name__} where numbers belong; expected a vector") from None


def _classic(path: Path) -> dict[str, Any]:
    from scipy.io import loadmat
    from scipy.io.matlab import MatlabOpaque, MatReadError

    try:
        found = loadmat(path, simplify_cells=True)
    except (MatReadError, ValueError, TypeError, OSError, IndexError, NotImplementedError, OverflowError) as fault:
        raise ValueError(f"{path}: got no MATLAB file that can be read ({fault}); expected a whole .mat") from fault
    objects = found.pop("__function_workspace__", None)
    held = {name: value for name, value in found.items() if not name.startswith("__")}
    hidden = [name for name, value in held.items() if isinstance(value, MatlabOpaque)]
    if hidden:
        label = held[hidden[0]]["s0"].item()  # SciPy calls every object "None"; its name stands in the first field
        held = {name: value for name, value in held.items() if name not in hidden}
        held[label.decode()] = _only_map(_subsystem(objects), path, len(hidden))
    return held


def _subsystem(objects: Any) -> Any:
    """What stands behind the objects of a version 5 file: a file within the file, whose header is cut to 8 bytes."""
    from scipy.io import loadmat

    inner = np.asarray(objects).tobytes()
    if len(inner) < 8:
        return None
    whole = b"MATLAB 5.0 MAT-file".ljust(_HEADER) + bytes(8) + inner[:4] + inner[8:]
    return loadmat(io.BytesIO(whole))


def _only_map(found: Any, path: Path, count: int) -> dict[str, Any]:
    """The containers.Map of a file: its keys and values stand together in one struct among the objects' properties."""
    maps = list(_maps(found))
    if count != 1 or len(maps) != 1:
        raise ValueError(
            f"{path}: got {count} MATLAB objects, {len(maps)} of them a containers.Map; expected one map and nothing "
            "else; in MATLAB, save its keys and values as cells"
        )
    keys, values = maps[0]
    return dict(zip(map(str, several(_simple(keys))), several(_simple(values)), strict=True))


def _maps(value: Any) -> Any:
    """Each struct with keys and values, however deep."""
    if isinstance(value, Mapping):
        if "keys" in value and "values" in value:
            yield value["keys"], value["values"]
        else:
            for inner in value.values():
                yield from _maps(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _maps(inner)
    elif isinstance(value, np.ndarray) and value.dtype.names:
        for record in value.ravel():
            yield from _maps({name: record[name] for name in value.dtype.names})
    elif isinstance(value, np.ndarray) and value.dtype == object:
        yield from _maps(list(value.ravel()))


def _simple(value: Any) -> Any:
    """A value as SciPy reads it, simplified as it simplifies whole files."""
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype.names:
        records = [{name: _simple(record[name]) for name in value.dtype.names} for record in value.ravel()]
        return records[0] if len(records) == 1 else records
    if value.dtype == object:
        return [_simple(inner) for inner in value.ravel(order="F")]
    if value.dtype.kind == "U":
        return "".join(value.ravel())
    return value.item() if value.size == 1 else value.squeeze()


def _hdf5(path: Path) -> dict[str, Any]:
    import h5py

    try:
        with h5py.File(path, "r") as file:
            named = {name: item for name, item in file.items() if not name.startswith("#")}
            hidden = [name for name, item in named.items() if "MATLAB_object_decode" in item.attrs]
            held = {name: _item(item, file) for name, item in named.items() if name not in hidden}
            if hidden:
                objects = _item(file["#subsystem#/MCOS"], file)
                held[hidden[0]] = _only_map(objects, path, len(hidden))
            return held
    except (OSError, KeyError) as fault:
        raise ValueError(f"{path}: got a damaged MATLAB 7.3 file ({fault}); expected a whole .mat") from fault


def _item(item: Any, file: Any) -> Any:
    """A variable of a version 7.3 file: groups are structs, references lead to the parts of cells and struct arrays."""
    if hasattr(item, "items"):
        return _struct(dict(item.items()), file)
    kind = item.attrs.get("MATLAB_class", b"")
    if item.attrs.get("MATLAB_empty", 0):
        return "" if kind == b"char" else np.zeros(0)
    values = np.asarray(item[()])
    if values.dtype == object:
        return [_item(file[reference], file) for reference in values.T.ravel(order="F")]
    if kind == b"char":
        return "".join(map(chr, values.T.ravel(order="F")))
    return values.item() if values.size == 1 else values.T.squeeze()


def _struct(fields: Mapping[str, Any], file: Any) -> Any:
    """A struct; where its fields are references but no cells, an array of structs."""
    held = {name: _item(child, file) for name, child in fields.items()}
    many = [name for name, child in fields.items() if _scattered(child)]
    if not many:
        return held
    return [dict(zip(many, parts, strict=True)) for parts in zip(*(held[name] for name in many), strict=True)]


def _scattered(child: Any) -> bool:
    return not hasattr(child, "items") and child.dtype == object and "MATLAB_class" not in child.attrs
