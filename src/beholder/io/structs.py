"""MATLAB files → records: structs as dicts, cells and struct arrays as lists, texts as str, a containers.Map as a dict.

Versions 5 to 7 come through SciPy, 7.3 (which is HDF5) through h5py. Arrays lose their axes of length 1; a single
number is a number. What MATLAB writes for one element and for many differs then: read it with `several` or `vector`.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from beholder.extras import extra
from beholder.io import matlab
from beholder.io.bounds import LARGEST
from beholder.io.hdf5 import Budget
from beholder.io.reading import reading

_HEADER = 116  # bytes of text at the head of a version 5 file


def read(path: Path | str, *, limit: int = LARGEST, plain: bool = False) -> dict[str, Any]:
    """Every variable of a file, refused beyond `limit` bytes; with `plain` each must be an array of numbers."""
    where = Path(path)
    return _hdf5(where, limit, plain) if matlab.is_hdf5(where, limit) else _classic(where, limit, plain)


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


def _classic(path: Path, limit: int, plain: bool) -> dict[str, Any]:
    with path.open("rb") as file, matlab.reading_mat(path):
        matlab.check(file, path, limit=limit, plain=plain)
        file.seek(0)
        return _variables(file, path, limit)


def _variables(file: IO[bytes], path: Path, limit: int) -> dict[str, Any]:
    from scipy.io import loadmat
    from scipy.io.matlab import MatlabOpaque

    found = loadmat(file, simplify_cells=True)
    objects = found.pop("__function_workspace__", None)
    held = {name: value for name, value in found.items() if not name.startswith("__")}
    hidden = [name for name, value in held.items() if isinstance(value, MatlabOpaque)]
    if hidden:
        label = held[hidden[0]]["s0"].item()  # SciPy calls every object "None"; its name stands in the first field
        held = {name: value for name, value in held.items() if name not in hidden}
        held[label.decode()] = _only_map(_subsystem(objects, path, limit), path, len(hidden))
    return held


def _subsystem(objects: Any, path: Path, limit: int) -> Any:
    """What stands behind the objects of a version 5 file: a file within the file, whose header is cut to 8 bytes."""
    from scipy.io import loadmat

    inner = np.asarray(objects).tobytes()
    if len(inner) < 8:
        return None
    whole = io.BytesIO(b"MATLAB 5.0 MAT-file".ljust(_HEADER) + bytes(8) + inner[:4] + inner[8:])
    matlab.check(whole, path, limit=limit)
    whole.seek(0)
    return loadmat(whole)


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


def _hdf5(path: Path, limit: int, plain: bool) -> dict[str, Any]:
    h5py = extra("h5py")

    with reading(path, "a damaged MATLAB 7.3 file", "a complete .mat"), h5py.File(path, "r") as file:
        budget = Budget(path, limit)
        named = {name: item for name, item in file.items() if not name.startswith("#")}
        hidden = [name for name, item in named.items() if "MATLAB_object_decode" in item.attrs]
        if plain:
            _check_plain(named, path)
        held = {name: _item(item, file, budget) for name, item in named.items() if name not in hidden}
        if hidden:
            objects = _item(file["#subsystem#/MCOS"], file, budget)
            held[hidden[0]] = _only_map(objects, path, len(hidden))
        return held


def _check_plain(named: Mapping[str, Any], path: Path) -> None:
    """Refuse all but arrays of numbers."""
    for name, item in named.items():
        if hasattr(item, "items") or item.dtype.kind not in "fiub":
            raise ValueError(f"{path}: got {name}, a struct, a cell or an object; expected an array of numbers")


def _item(item: Any, file: Any, budget: Budget) -> Any:
    """A variable of a version 7.3 file: groups are structs, references lead to the parts of cells and struct arrays."""
    if hasattr(item, "items"):
        return _struct(dict(item.items()), file, budget)
    kind = item.attrs.get("MATLAB_class", b"")
    if item.attrs.get("MATLAB_empty", 0):
        return "" if kind == b"char" else np.zeros(0)
    values = np.asarray(budget.read(item))
    if values.dtype == object:
        return [_item(file[reference], file, budget) for reference in values.T.ravel(order="F")]
    if kind == b"char":
        return "".join(map(chr, values.T.ravel(order="F")))
    return values.item() if values.size == 1 else values.T.squeeze()


def _struct(fields: Mapping[str, Any], file: Any, budget: Budget) -> Any:
    """A struct; where its fields are references but no cells, an array of structs."""
    held = {name: _item(child, file, budget) for name, child in fields.items()}
    many = [name for name, child in fields.items() if _scattered(child)]
    if not many:
        return held
    return [dict(zip(many, parts, strict=True)) for parts in zip(*(held[name] for name in many), strict=True)]


def _scattered(child: Any) -> bool:
    return not hasattr(child, "items") and child.dtype == object and "MATLAB_class" not in child.attrs
