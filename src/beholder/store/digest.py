"""Digests: what tells one state of a value, a file or the whole package from another."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import pickle
import secrets
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from beholder.store.paths import ROOT

PLAIN = (str, int, float, complex, bool, type(None), np.generic, Path)  # told apart by `repr`
QUICK = frozenset({str, int, float, bool, type(None)})  # told apart by `repr`, too, and by their type alone
UNPICKLABLE = (pickle.PicklingError, AttributeError, TypeError, ValueError, RecursionError)
LIBRARIES = (  # their versions may change numbers
    "numpy", "scipy", "opencv-contrib-python-headless", "scikit-image", "torch", "transformers",
)  # fmt: skip


def digest(*things: Any) -> str:
    """A digest of values: arrays by type, shape and bytes, records by their fields, other objects by their pickle.

    >>> digest([1, 2]) == digest([1, 2]) != digest([2, 1])
    True
    """
    state = blake2b(digest_size=16)
    for thing in things:
        _feed(state, thing)
    return state.hexdigest()


def _feed(state: Any, thing: Any) -> None:
    if type(thing) in QUICK:  # most of what there is, and so first
        state.update(f"{type(thing).__name__} {thing!r};".encode())
    elif isinstance(thing, np.ndarray):
        state.update(f"array {thing.dtype.descr} {thing.shape}".encode())
        _feed(state, thing.tolist()) if thing.dtype.hasobject else state.update(_buffer(thing))
    elif dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        _feed(state, (type(thing).__qualname__, *((name, getattr(thing, name)) for name in _fields(type(thing)))))
    elif isinstance(thing, Mapping):
        _feed(state, [(str(k), thing[k]) for k in sorted(thing, key=str)])
    elif isinstance(thing, (list, tuple)):
        state.update(f"[{len(thing)}".encode())
        for item in thing:
            _feed(state, item)
    elif isinstance(thing, (set, frozenset)):
        _feed(state, ("set", sorted(map(digest, thing))))  # the order of a set differs between processes
    elif isinstance(thing, bytes):
        state.update(f"bytes {len(thing)};".encode() + thing)
    elif isinstance(thing, PLAIN):
        state.update(f"{type(thing).__name__} {thing!r};".encode())
    else:  # its `repr` may be shortened, or the same for two objects that lay at one address
        _feed(state, (type(thing).__qualname__, _pickled(thing)))


@functools.cache
def _fields(kind: Any) -> tuple[str, ...]:
    """The names of a record's fields."""
    return tuple(one.name for one in dataclasses.fields(kind))


def _buffer(array: np.ndarray[Any, Any]) -> Any:
    """The bytes of an array, whatever its type."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _pickled(thing: Any) -> bytes:
    """An object as bytes; of one that cannot be pickled nothing is known, so it equals no other."""
    try:
        return pickle.dumps(thing, protocol=5)
    except UNPICKLABLE:
        return secrets.token_bytes(32)


def file_digest(path: Path) -> str:
    """A digest of a file's bytes."""
    with path.open("rb") as file:
        state = blake2b(digest_size=16)
        while chunk := file.read(1 << 20):
            state.update(chunk)
    return state.hexdigest()


def state_of(path: Path) -> str:
    """Size and time of a file; its bytes are not read."""
    facts = path.stat()
    return f"{facts.st_size} {facts.st_mtime_ns}"


def digest_files(root: Path, files: Iterable[Path], annotations: Iterable[Path]) -> str:
    """A digest of the names and sizes of some files, and of the bytes of those that hold answers or truth."""
    state = blake2b(digest_size=8)
    for file in sorted(files):
        state.update(f"{file.relative_to(root).as_posix()}:{file.stat().st_size};".encode())
    for file in sorted(annotations):
        state.update(file.read_bytes())
    return state.hexdigest()


@functools.cache
def package() -> str:
    """A digest of all that Beholder consists of, and of the libraries whose versions may change numbers."""
    files = [f for f in sorted(ROOT.rglob("*")) if f.is_file() and f.parent.name != "__pycache__"]
    return digest([(str(f.relative_to(ROOT)), f.read_bytes()) for f in files], versions())


def versions() -> dict[str, str]:
    """Versions of the libraries that numbers depend on."""
    found = {}
    for name in LIBRARIES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found
