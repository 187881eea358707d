"""Files at a URL (s3://, gs://, https:// …) as files on this machine, fetched at first use."""

from __future__ import annotations

import os
from hashlib import blake2b
from pathlib import Path
from secrets import token_hex
from typing import Any

from beholder.errors import Misuse, NotFound
from beholder.extras import extra

STATE = ("size", "ETag", "etag", "mtime", "LastModified", "created")  # what a listing may say of a file's present state


def at_url(place: str) -> bool:
    """Whether a place is a URL.

    >>> at_url("s3://lab/mit1003"), at_url("~/mit1003")
    (True, False)
    """
    return "://" in place


def open_url(url: str) -> tuple[Any, str]:
    """The file system of a URL, and the path there."""
    files = extra("fsspec")
    try:
        system, root = files.core.url_to_fs(url)
    except (ImportError, OSError, ValueError) as fault:
        raise Misuse(f"{url} cannot be opened: {type(fault).__name__}: {fault}") from fault
    return system, root.rstrip("/")


def fetch(url: str, into: Path) -> Path:
    """What stands at a URL, a file or a folder, as a copy below `into`; where it has changed since, a new one.

    A copy appears whole or not at all. What is on this machine already is not copied.
    """
    try:
        system, root = open_url(url)
        if "file" in (system.protocol if isinstance(system.protocol, tuple) else (system.protocol,)):
            return Path(root)
        listed = system.find(root, detail=True)
        if not listed:
            raise NotFound(f"got {url}, where nothing stands; expected a file or a folder with files")
        facts = [(path, *(str(info.get(key, "")) for key in STATE)) for path, info in sorted(listed.items())]
        copy = into / blake2b(repr((url, facts)).encode(), digest_size=8).hexdigest()
        if not copy.exists():
            draft = into / f".tmp-{token_hex(4)}"
            for path in listed:
                target = draft / os.path.relpath(path, Path(root).parent)
                target.parent.mkdir(parents=True, exist_ok=True)
                system.get_file(path, str(target))
            if not copy.exists():  # another process may have been first
                draft.rename(copy)
    except (ImportError, OSError, ValueError) as fault:
        if isinstance(fault, Misuse):
            raise
        raise Misuse(f"{url} cannot be fetched: {type(fault).__name__}: {fault}") from fault
    return copy / Path(root).name
