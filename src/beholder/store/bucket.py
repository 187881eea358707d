"""The cache at a URL (BEHOLDER_CACHE=s3://lab/cache), shared by machines that have no folder in common.

What one machine keeps is copied there; what is missing here is looked for there. This machine holds what it has used,
in a folder of its own. Like a shared folder, the URL holds the key that seals what is kept: whoever may write there can
run programs on every machine that reads.
"""

from __future__ import annotations

import contextlib
import functools
import os
import time

from beholder.errors import Misuse
from beholder.io.remote import at_url, open_url

PAUSE = 60.0  # seconds after which the names there are listed anew: a miss must not cost a request each
UNREACHED = (OSError, ValueError, RuntimeError)  # whatever its file system calls it: costs the cache, never the run


class Bucket:
    """Files by name below a URL."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.system, self.root = open_url(url)
        self._names: set[str] = set()
        self._listed = -PAUSE

    def __contains__(self, name: str) -> bool:
        """Whether a file was there when the names were last listed, or was put since."""
        if name not in self._names and time.monotonic() - self._listed > PAUSE:
            self._listed = time.monotonic()
            with contextlib.suppress(*UNREACHED):
                self._names |= {path[len(self.root) :].strip("/") for path in self.system.find(self.root)}
        return name in self._names

    def read(self, name: str) -> bytes | None:
        """A file, or None."""
        if name in self:
            with contextlib.suppress(*UNREACHED):
                return bytes(self.system.cat_file(f"{self.root}/{name}"))
        return None

    def write(self, name: str, data: bytes) -> None:
        """Keep a file, if the place can be reached."""
        with contextlib.suppress(*UNREACHED):
            self._put(name, data)

    def agree(self, name: str, ours: bytes) -> bytes:
        """The file that all machines hold in common: that of the first one."""
        try:
            if not self.system.exists(f"{self.root}/{name}"):
                self._put(name, ours)
            return bytes(self.system.cat_file(f"{self.root}/{name}"))
        except UNREACHED as fault:
            raise Misuse(
                f"BEHOLDER_CACHE: {self.url} cannot be read and written: {type(fault).__name__}: {fault}; "
                "check the address and your rights there, or name a folder"
            ) from fault

    def _put(self, name: str, data: bytes) -> None:
        path = f"{self.root}/{name}"
        self.system.makedirs(path.rpartition("/")[0], exist_ok=True)
        self.system.pipe_file(path, data)
        self._names.add(name)


def bucket() -> Bucket | None:
    """The cache's URL, where BEHOLDER_CACHE names one."""
    chosen = os.environ.get("BEHOLDER_CACHE", "")
    return _bucket(chosen, os.getpid()) if at_url(chosen) else None


@functools.cache
def _bucket(url: str, _process: int) -> Bucket:  # a connection does not outlive a fork
    return Bucket(url)
