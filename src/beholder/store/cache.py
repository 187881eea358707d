"""Digests, sealed blobs, and a content-addressed cache that a kill cannot tear.

A blob is written to a temporary file and then renamed; it carries a keyed digest, so that a damaged or foreign one is a
miss and is never unpickled. The key is the user's own and lies beside the cache.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hmac
import os
import pickle
import secrets
import tempfile
from collections.abc import Mapping
from hashlib import blake2b
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from beholder.errors import Misuse
from beholder.registry.find import ROOT

SEAL = 32  # bytes of a seal and of the key
CAP = 2 * 1024**3  # bytes that the cache may hold; BEHOLDER_CACHE_CAP overrides it
ROUND = 8  # after so large a part of the cap (1/8) a process looks whether the cache is full
MISSING = object()
PLAIN = (str, int, float, complex, bool, type(None), np.generic, Path)  # told apart by `repr`
UNPICKLABLE = (pickle.PicklingError, AttributeError, TypeError, ValueError, RecursionError)
STALE = (pickle.UnpicklingError, AttributeError, ImportError, IndexError, TypeError, ValueError, EOFError)
LIBRARIES = ("numpy", "scipy", "opencv-contrib-python-headless", "scikit-image")  # their versions may change numbers


def folder() -> Path:
    """Where the cache lies: BEHOLDER_CACHE, else the user's cache folder."""
    return _folder(os.environ.get("BEHOLDER_CACHE"))


@functools.cache
def _folder(chosen: str | None) -> Path:
    import platformdirs

    return Path(chosen or platformdirs.user_cache_dir("beholder"))


@functools.cache
def _key(where: Path) -> bytes:
    """The user's secret, made at first use; one for this process only where the folder cannot be written."""
    file = where / "key"
    with contextlib.suppress(OSError):
        where.mkdir(parents=True, exist_ok=True)
        if file.exists() and file.stat().st_size != SEAL:
            file.unlink()  # damaged: an empty key would let anyone seal
        if not file.exists():
            handle, temporary = tempfile.mkstemp(dir=where, prefix=".tmp-")
            with os.fdopen(handle, "wb") as out:
                out.write(secrets.token_bytes(SEAL))
            with contextlib.suppress(FileExistsError):
                os.link(temporary, file)  # the first of two writers wins
            Path(temporary).unlink()
        return file.read_bytes()
    return secrets.token_bytes(SEAL)


def sealed(value: Any) -> bytes:
    """A value as bytes that only this user can have written."""
    body = pickle.dumps(value, protocol=5)
    return blake2b(body, key=_key(folder()), digest_size=SEAL).digest() + body


def unsealed(data: bytes) -> Any:
    """The value back, or MISSING where the seal is broken, or where our own code has changed too much to read it."""
    seal, body = data[:SEAL], data[SEAL:]
    if not hmac.compare_digest(seal, blake2b(body, key=_key(folder()), digest_size=SEAL).digest()):
        return MISSING
    try:
        return pickle.loads(body)
    except STALE:
        return MISSING


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
    if isinstance(thing, np.ndarray):
        state.update(f"array {thing.dtype.descr} {thing.shape}".encode())
        _feed(state, thing.tolist()) if thing.dtype.hasobject else state.update(_buffer(thing))
    elif dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        _feed(state, (type(thing).__qualname__, *((f.name, getattr(thing, f.name)) for f in dataclasses.fields(thing))))
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


def _buffer(array: np.ndarray[Any, Any]) -> Any:
    """The bytes of an array, whatever its type."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _pickled(thing: Any) -> bytes:
    """An object as bytes; of one that cannot be pickled nothing is known, so it equals no other."""
    try:
        return pickle.dumps(thing, protocol=5)
    except UNPICKLABLE:
        return secrets.token_bytes(SEAL)


def file_digest(path: Path) -> str:
    """A digest of a file's bytes."""
    with path.open("rb") as file:
        state = blake2b(digest_size=16)
        while chunk := file.read(1 << 20):
            state.update(chunk)
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


class Cache:
    """Values by key, in files under one folder, least recently used ones dropped beyond a cap."""

    put_since: ClassVar[int] = 0  # bytes that this process has put since it last looked whether the cap holds

    def __init__(self, where: Path | None = None) -> None:
        self.where = where or folder()

    def _path(self, key: str) -> Path:
        return self.where / "blobs" / key[:2] / key[2:]

    def get(self, key: str) -> Any:
        """The value of a key, or MISSING; a damaged file is removed."""
        path = self._path(key)
        try:
            value = unsealed(path.read_bytes())
            if value is MISSING:
                path.unlink(missing_ok=True)
        except OSError:
            return MISSING
        with contextlib.suppress(OSError):  # what cannot be marked as used can still be read
            os.utime(path)
        return value

    def put(self, key: str, value: Any) -> None:
        """Keep a value; a full or read-only disk, or a value that cannot be kept, costs the cache, never the run."""
        path = self._path(key)
        with contextlib.suppress(OSError, *UNPICKLABLE):
            data = sealed(value)
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".tmp-")
            try:
                with os.fdopen(handle, "wb") as out:
                    out.write(data)
                Path(temporary).replace(path)
            except OSError:
                Path(temporary).unlink(missing_ok=True)
            self._count(len(data))

    def _count(self, size: int) -> None:
        """Keep the cap while a run goes on: a long one may put many times what the cache may hold."""
        Cache.put_since += size
        if Cache.put_since * ROUND > _cap():
            Cache.put_since = 0
            self.trim()

    def files(self) -> list[Path]:
        """Every blob, and temporary files that a kill has left, least recently used first."""
        return [file for file, _ in self._sizes()]

    def _sizes(self) -> list[tuple[Path, int]]:
        """Files with their sizes, least recently used first; another process may remove any of them meanwhile."""
        found = []
        for file in (self.where / "blobs").glob("*/*"):
            with contextlib.suppress(OSError):
                facts = file.stat()
                found.append((facts.st_mtime_ns, file, facts.st_size))
        return [(file, size) for _, file, size in sorted(found)]

    def trim(self, cap: int | None = None) -> int:
        """Drop least recently used blobs until the cap holds; how many bytes went."""
        cap = _cap() if cap is None else cap
        sizes = self._sizes()
        excess = sum(size for _, size in sizes) - cap
        gone = 0
        for file, size in sizes:
            if gone >= excess:
                break
            with contextlib.suppress(OSError):
                file.unlink(missing_ok=True)
                gone += size
        return gone

    def size(self) -> int:
        """Bytes held."""
        return sum(size for _, size in self._sizes())


def _cap() -> int:
    """How many bytes the cache may hold."""
    given = os.environ.get("BEHOLDER_CACHE_CAP") or str(CAP)
    if not given.isdecimal():
        raise Misuse(f"got BEHOLDER_CACHE_CAP={given}; expected a number of bytes")
    return int(given)
