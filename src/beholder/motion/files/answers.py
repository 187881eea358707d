"""Answers of motion models in files: what a program wrote, and what a run keeps.

A `.npy`, or a `.npz` of one array, is image flow or velocities in px/frame. A `.flo` (Middlebury's format) is the flow
of one pair of frames; a movie of more has a folder of its own, with one `.flo` for each pair, in the order of the
numbers in their names. An answer of another type is a `.npz`
that has its fields by name and its type as `kind`: kind="Units", responses, direction, speed, and unit where it is
deg/s.
The parts of `Areas` stand under "answer/" and "of/MT/" and so on; the spike times of all units follow each other in
`times`, and `counts` says how many are of each.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.io import arrays as array_files
from beholder.io import flow
from beholder.io.atomic import whole_file
from beholder.io.bounds import LARGEST
from beholder.motion.answers import KINDS, Areas, Spikes
from beholder.motion.types import Answer, Flow, Velocity

Arrays = Mapping[str, NDArray[Any]]

SUFFIXES = (".npz", ".npy", ".flo")
ROOM = 64  # numbers for each one of the movie: a likelihood at each pixel has as many as velocities, 64 and more
OURS = "deg_per_s"  # the array of an accepted flow or velocity: x to the right, y up


def read(path: Path, *, limit: int = LARGEST) -> Any:
    """An answer from a file, or from a folder of `.flo`.

    It is an array in px/frame, or one of ours, which is in deg/s, or another type's fields.
    """
    if path.is_dir() or path.suffix.lower() == ".flo":
        return _fields_of_pairs(path, limit)
    loaded = array_files.load(path, limit=limit)
    if isinstance(loaded, np.ndarray):
        return loaded
    try:
        return _made(loaded)
    except ValueError as fault:
        raise ValueError(f"{path.name}: {fault}") from None


def find(folder: Path, id: str) -> Path | None:
    """The folder of `.flo` that answers a sample, where there is one."""
    where = folder / id
    return where if where.is_dir() and _flo_files(where) else None


def _flo_files(folder: Path) -> list[Path]:
    """The fields in a folder, by the numbers in their names: flow2 stands before flow10."""
    found = [file for file in folder.iterdir() if file.suffix.lower() == ".flo" and file.is_file()]
    return sorted(found, key=lambda file: ([int(digits) for digits in re.findall(r"\d+", file.stem)], file.name))


def _fields_of_pairs(path: Path, limit: int) -> NDArray[np.float32]:
    """The flow of all pairs of frames, (T − 1, H, W, 2), from a folder or, of a single pair, from a file."""
    files = _flo_files(path) if path.is_dir() else [path]
    if not files:
        raise ValueError(f"{path.name}: got a folder without .flo; expected one for each pair of frames")
    fields = [flow.read(file, limit=limit // len(files)) for file in files]
    odd = next((at for at, field in enumerate(fields) if field.shape != fields[0].shape), 0)
    if odd:
        rows, columns = fields[odd].shape[:2]
        raise ValueError(
            f"{files[odd].name}: got {columns} × {rows} pixels, but {files[0].name} has "
            f"{fields[0].shape[1]} × {fields[0].shape[0]}; expected fields of one size"
        )
    return np.stack(fields)


def write(answer: Answer, path: Path) -> None:
    """Keep an accepted answer."""
    with whole_file(path) as file:
        np.savez(file, **_arrays(answer))  # type: ignore[arg-type]  # numpy's stub takes every name for allow_pickle


def _arrays(answer: Any) -> dict[str, NDArray[Any]]:
    if isinstance(answer, (Flow, Velocity)):
        return {OURS: _half(answer.velocity) if isinstance(answer, Flow) else answer.velocity}
    kind = {"kind": np.array(type(answer).__name__)}
    if isinstance(answer, Areas):
        parts = {"answer": answer.answer} | {f"of/{name}": one for name, one in answer.of.items()}
        return kind | {f"{part}/{key}": array for part, one in parts.items() for key, array in _arrays(one).items()}
    given = {field.name: getattr(answer, field.name) for field in fields(answer)}
    if isinstance(answer, Spikes):
        given["times"] = np.concatenate([np.zeros(0), *map(np.asarray, answer.times)])
        given["counts"] = [np.size(one) for one in answer.times]
    return kind | {name: np.asarray(value) for name, value in given.items() if value is not None}


def _half(values: NDArray[Any]) -> NDArray[np.float16]:
    """Half precision, 1/2000 of a value, is enough for pictures."""
    top = float(np.finfo(np.float16).max)
    return np.asarray(np.clip(values, -top, top), np.float16)


def _made(arrays: Arrays) -> Any:
    if "kind" not in arrays:
        return _plain(arrays)
    kinds = {kind.__name__: kind for kind in KINDS}
    kind = kinds.get(str(arrays["kind"]))
    if kind is None:
        raise ValueError(f"got the kind {str(arrays['kind'])!r}; expected one of {', '.join(kinds)}")
    if kind is Areas:
        names = dict.fromkeys(key.split("/")[1] for key in arrays if key.startswith("of/") and key.count("/") > 1)
        return Areas(_made(_under(arrays, "answer/")), {name: _made(_under(arrays, f"of/{name}/")) for name in names})
    return kind(**_fields(kind, arrays))


def _fields(kind: Any, arrays: Arrays) -> dict[str, Any]:
    """What a type is made of; a fault says what is missing."""
    given: dict[str, Any] = {name: array.item() if array.ndim == 0 else array for name, array in arrays.items()}
    needed = [field.name for field in fields(kind) if field.default is MISSING]
    needed += ["counts"] if kind is Spikes else []
    missing = [name for name in needed if name not in given]
    if missing:
        raise ValueError(f"got {kind.__name__} without {', '.join(missing)}; expected {', '.join(needed)}")
    if kind is Spikes:
        given["times"] = np.split(given["times"], np.cumsum(given["counts"])[:-1])
    return {field.name: given[field.name] for field in fields(kind) if field.name in given}


def _under(arrays: Arrays, prefix: str) -> dict[str, NDArray[Any]]:
    return {key.removeprefix(prefix): array for key, array in arrays.items() if key.startswith(prefix)}


def _plain(arrays: Arrays) -> Any:
    if len(arrays) != 1:
        raise ValueError(f"got {len(arrays)} arrays; expected one, the flow in px/frame, or a kind and its fields")
    (name, values), *_ = arrays.items()
    if name != OURS:
        return values
    return Flow(values.astype(np.float32)) if values.ndim == 4 else Velocity(values.astype(np.float64))
