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
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from beholder.spine.find import ROOT

SEAL = 32  # bytes
CAP = 2 * 1024**3  # bytes that the cache may hold; BEHOLDER_CACHE_CAP overrides it
MISSING = object()
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
        if not file.exists():
            handle, temporary = tempfile.mkstemp(dir=where, prefix=".tmp-")
            with os.fdopen(handle, "wb") as out:
                out.write(secrets.token_bytes(32))
            with contextlib.suppress(FileExistsError):
                os.link(temporary, file)  # the first of two writers wins
            Path(temporary).unlink()
        return file.read_bytes()
    return secrets.token_bytes(32)


def sealed(value: Any) -> bytes:
    """A value as bytes that only this user can have written."""
    body = pickle.dumps(value, protocol=5)
    return blake2b(body, key=_key(folder()), digest_size=SEAL).digest() + body


def unsealed(data: bytes) -> Any:
    """The value back, or MISSING where the seal is broken."""
    seal, body = data[:SEAL], data[SEAL:]
    if not hmac.compare_digest(seal, blake2b(body, key=_key(folder()), digest_size=SEAL).digest()):
        return MISSING
    return pickle.loads(body)


def digest(*things: Any) -> str:
    """A digest of values: arrays by type, shape and bytes, records by their fields, the rest by `repr`."""
    state = blake2b(digest_size=16)
    for thing in things:
        _feed(state, thing)
    return state.hexdigest()


def _feed(state: Any, thing: Any) -> None:
    if isinstance(thing, np.ndarray):
        state.update(f"array {thing.dtype.str} {thing.shape}".encode())
        state.update(np.ascontiguousarray(thing).data if thing.dtype != object else repr(thing.tolist()).encode())
    elif dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        _feed(state, (type(thing).__qualname__, *((f.name, getattr(thing, f.name)) for f in dataclasses.fields(thing))))
    elif isinstance(thing, Mapping):
        _feed(state, [(str(k), thing[k]) for k in sorted(thing, key=str)])
    elif isinstance(thing, (list, tuple)):
        state.update(f"[{len(thing)}".encode())
        for item in thing:
            _feed(state, item)
    elif isinstance(thing, bytes):
        state.update(thing)
    else:
        state.update(f"{type(thing).__name__} {thing!r};".encode())


def file_digest(path: Path) -> str:
    """A digest of a file's bytes."""
    with path.open("rb") as file:
        state = blake2b(digest_size=16)
        while chunk := file.read(1 << 20):
            state.update(chunk)
    return state.hexdigest()


@functools.cache
def package() -> str:
    """A digest of Beholder's own source and of the libraries whose versions may change numbers."""
    sources = [(str(f.relative_to(ROOT)), f.read_bytes()) for f in sorted(ROOT.rglob("*.py"))]
    return digest(sources, versions())


def versions() -> dict[str, str]:
    """Versions of the libraries that numbers depend on."""
    found = {}
    for name in LIBRARIES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


class Cache:
    """Values by key, in files under one folder, least recently used ones dropped beyond a cap."""

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
            else:
                os.utime(path)
        except OSError:
            return MISSING
        return value

    def put(self, key: str, value: Any) -> None:
        """Keep a value; a full or read-only disk costs the cache, never the run."""
        path = self._path(key)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".tmp-")
            try:
                with os.fdopen(handle, "wb") as out:
                    out.write(sealed(value))
                Path(temporary).replace(path)
            except OSError:
                Path(temporary).unlink(missing_ok=True)

    def files(self) -> list[Path]:
        """Every blob, and temporary files that a kill has left, least recently used first."""
        found = [f for f in (self.where / "blobs").glob("*/*") if f.is_file()]
        return sorted(found, key=lambda f: f.stat().st_mtime)

    def trim(self, cap: int | None = None) -> int:
        """Drop least recently used blobs until the cap holds; how many bytes went."""
        cap = int(os.environ.get("BEHOLDER_CACHE_CAP", CAP)) if cap is None else cap
        sizes = [(f, f.stat().st_size) for f in self.files()]
        excess = sum(size for _, size in sizes) - cap
        gone = 0
        for file, size in sizes:
            if gone >= excess:
                break
            file.unlink(missing_ok=True)
            gone += size
        return gone

    def size(self) -> int:
        """Bytes held."""
        return total(self.files())


def total(files: Iterable[Path]) -> int:
    """Bytes of some files."""
    return sum(f.stat().st_size for f in files)
