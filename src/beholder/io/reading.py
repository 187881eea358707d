"""Files that libraries read: whatever these raise over the bytes of a file becomes one sentence that names the file."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from beholder.errors import Misuse


@contextmanager
def reading(path: Path | str, found: str, wanted: str) -> Iterator[None]:
    """While a library reads a file: each of its faults is a ValueError that says what was found and is wanted.

    Over damaged bytes libraries raise what they like: KeyError, zlib.error, RuntimeError, MemoryError … A ValueError
    that names the file already is one of our own, and a file that is not there is not damaged.

    >>> with reading("a.mat", "no map", "a whole one"):
    ...     {}["map"]
    Traceback (most recent call last):
    ValueError: a.mat: got no map ('map'); expected a whole one
    """
    try:
        yield
    except (FileNotFoundError, Misuse):
        raise
    except Exception as fault:
        said = str(fault) or type(fault).__name__
        if isinstance(fault, ValueError) and Path(str(path)).name in said:
            raise
        raise ValueError(f"{path}: got {found} ({said}); expected {wanted}") from fault


def tell_opened(path: Path | str) -> None:
    """Tell Python of a file that a library opens past it, as FFmpeg and HDF5 do: whoever notes opened files sees it."""
    sys.audit("open", str(path), "rb", os.O_RDONLY)


def parse_json(text: str | bytes) -> Any:
    """What JSON says; brackets that are nested too deep are a ValueError, too.

    >>> parse_json("[" * 100_000)
    Traceback (most recent call last):
    ValueError: its brackets are nested too deep
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("its brackets are nested too deep") from None


def parse_toml(text: str) -> dict[str, Any]:
    """What TOML says; what is no TOML, or nested too deep, is a ValueError.

    >>> parse_toml("a = " + "[" * 100_000)
    Traceback (most recent call last):
    ValueError: its brackets are nested too deep
    """
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("its brackets are nested too deep") from None
