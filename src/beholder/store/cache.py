"""A content-addressed cache that a kill cannot tear: blobs are sealed, and appear whole or not at all."""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar

from beholder.errors import Misuse
from beholder.io.atomic import write_whole
from beholder.io.sizes import parse_size
from beholder.store.bucket import bucket
from beholder.store.digest import UNPICKLABLE
from beholder.store.paths import cache_folder
from beholder.store.seal import MISSING, is_whole, seal, unseal

CAP = 300 * 10**6  # bytes that the cache may hold; BEHOLDER_CACHE_CAP overrides it
LARGE = 2 * 1024**2  # bytes from which a value is kept only as long as a run lasts
ROUND = 8  # after so large a part of the cap (1/8) a process looks whether the cache is full
SLOW = 0.2  # seconds from which an answer or a readout is worth caching


class Cache:
    """Values by key, in files under one folder, least recently used ones dropped beyond a cap."""

    put_since: ClassVar[int] = 0  # bytes that this process has put since it last looked whether the cap holds
    since: ClassVar[float] = 0.0  # what was kept before this time is not read: so a fresh run computes all anew

    def __init__(self, where: Path | None = None) -> None:
        self.where = where or cache_folder()
        self.bucket = None if where else bucket()

    def _path(self, key: str) -> Path:
        return self.where / _name(key)

    def get(self, key: str) -> Any:
        """The value of a key, or MISSING; a damaged file is removed."""
        data = self.sealed(key)
        value = MISSING if data is None else unseal(data)
        if data is not None and value is MISSING:
            with contextlib.suppress(OSError):
                self._path(key).unlink(missing_ok=True)
        return value

    def sealed(self, key: str) -> bytes | None:
        """The value of a key as it was sealed, or None; whoever unseals it sees whether it is whole."""
        path = self._path(key)
        try:
            if Cache.since and path.stat().st_mtime < Cache.since:
                return None
            data = path.read_bytes()
        except OSError:
            return None if Cache.since else self._download(key)
        with contextlib.suppress(OSError):  # what cannot be marked as used can still be read
            os.utime(path)
        return data

    def _download(self, key: str) -> bytes | None:
        """What another machine has kept at the cache's URL, from now on here, too."""
        data = self.bucket.read(_name(key)) if self.bucket else None
        if data is None or not is_whole(data):
            return None
        self._write(key, data)
        return data

    def __contains__(self, key: str) -> bool:
        """Whether there is something of that key, whole or not."""
        return self._path(key).is_file() or (self.bucket is not None and _name(key) in self.bucket)

    def put(self, key: str, value: Any) -> None:
        """Keep a value; a full or read-only disk, or a value that cannot be kept, costs the cache, never the run."""
        with contextlib.suppress(*UNPICKLABLE):
            self.put_sealed(key, seal(value, most=LARGE))  # what will not stay is not packed

    def put_sealed(self, key: str, data: bytes) -> None:
        """Keep what is sealed already, as far as the disk allows."""
        self._write(key, data)
        if self.bucket and len(data) <= LARGE:
            self.bucket.write(_name(key), data)

    def _write(self, key: str, data: bytes) -> None:
        path = self._path(key)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, data)
            self._count(len(data))

    def _count(self, size: int) -> None:
        """Keep the cap while a run goes on: a long one may put many times what the cache may hold."""
        Cache.put_since += size
        if Cache.put_since * ROUND > cap():
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

    def trim(self, most: int | None = None) -> int:
        """Drop blobs until the cap holds, least recently used ones first; how many bytes went.

        Those that are kept only as long as a run lasts go before all others, which they would soon displace.
        """
        most = cap() if most is None else most
        sizes = sorted(self._sizes(), key=lambda one: one[1] <= LARGE)
        held = sum(size for _, size in sizes)
        before = itertools.accumulate((size for _, size in sizes), initial=0)  # what went before each of them
        return _remove(one for one, gone in zip(sizes, before, strict=False) if held - gone > most)

    def drop_large(self) -> int:
        """Drop the blobs that are kept only as long as a run lasts; how many bytes went."""
        return _remove((file, size) for file, size in self._sizes() if size > LARGE)

    def size(self) -> int:
        """Bytes held."""
        return sum(size for _, size in self._sizes())


def _name(key: str) -> str:
    """The file of a key below the cache's folder or URL."""
    return f"blobs/{key[:2]}/{key[2:]}"


def _remove(blobs: Iterable[tuple[Path, int]]) -> int:
    """Remove files; how many bytes went."""
    gone = 0
    for file, size in blobs:
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)
            gone += size
    return gone


@contextlib.contextmanager
def read_since(moment: float) -> Iterator[None]:
    """Meanwhile nothing is read in this process that was kept before this time; 0: everything is."""
    before, Cache.since = Cache.since, moment
    try:
        yield
    finally:
        Cache.since = before


def cached(key: str, ask: Callable[[], Any]) -> Any:
    """From the cache, or asked and, when that was slow, kept."""
    store = Cache()
    found = store.get(key)
    if found is MISSING:
        started = time.perf_counter()
        found = ask()
        if time.perf_counter() - started > SLOW:
            store.put(key, found)
    return found


def cap() -> int:
    """How many bytes the cache may hold."""
    try:
        return parse_size(os.environ.get("BEHOLDER_CACHE_CAP") or str(CAP))
    except Misuse as fault:
        raise Misuse(f"BEHOLDER_CACHE_CAP: {fault}") from None
