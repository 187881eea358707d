"""Answers of motion models in files: what a program wrote, and what a run keeps.

A `.npy`, or a `.npz` of one array, is image flow or velocities in px/frame. An answer of another type is a `.npz`
that has its fields by name and its type as `kind`: kind="Units", responses, direction, speed, and unit where it is
deg/s.
The parts of `Areas` stand under "answer/" and "of/MT/" and so on; the spike times of all units follow each other in
`times`, and `counts` says how many are of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.io import arrays as array_files
from beholder.io.atomic import whole_file
from beholder.io.bounds import LARGEST
from beholder.motion.answers import KINDS, Areas, Spikes
from beholder.motion.types import Answer, Flow, Velocity

Arrays = Mapping[str, NDArray[Any]]

ROOM = 64  # numbers for each one of the movie: a likelihood at each pixel has as many as velocities, 64 and more
OURS = "deg_per_s"  # the array of an accepted flow or velocity: x to the right, y up


def read(path: Path, *, limit: int = LARGEST) -> Any:
    """An answer from a file: an array in px/frame, or one of ours, which is in deg/s, or another type's fields."""
    loaded = array_files.load(path, limit=limit)
    if isinstance(loaded, np.ndarray):
        return loaded
    with loaded:
        arrays = {name: loaded[name] for name in loaded.files}
    try:
        return _made(arrays)
    except ValueError as fault:
        raise ValueError(f"{path.name}: {fault}") from None


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
