"""How much a file may hold: read from its size and its header, so that what is too large is refused unread."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from beholder.io.names import special
from beholder.io.reading import tell_opened

LARGEST = 4 << 30  # bytes of what any file holds, decoded: pictures of 170 million px, films of ten seconds of 4K
FLOOR = 64 << 20  # bytes that any answer may take: what is asked may be more than what is shown
NUMBER = np.dtype(np.float64).itemsize  # readers make floats of all numbers
PARSED = 16  # bytes that a byte of text becomes when it is parsed into lists of numbers


def allowed(stimulus: Any, room: int) -> int:
    """Bytes that an answer to a stimulus may take: `room` numbers for each number that is shown, and a floor.

    >>> (allowed(np.zeros((100, 100), np.uint8), 2) - FLOOR) // NUMBER
    20000
    """
    return FLOOR + NUMBER * room * _numbers(stimulus)


def _numbers(thing: Any) -> int:
    """How many numbers stand in the arrays of a value."""
    if isinstance(thing, np.ndarray):
        return int(thing.size)
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        return sum(_numbers(getattr(thing, field.name)) for field in dataclasses.fields(thing))
    if isinstance(thing, Mapping):
        return sum(map(_numbers, thing.values()))
    return sum(map(_numbers, thing)) if isinstance(thing, (list, tuple)) else 0


def check_regular(path: Path | str) -> None:
    """Refuse a pipe, a socket or a device before it is opened: reading would wait for ever, or never end."""
    if kind := special(path):
        raise ValueError(f"{path}: got {kind}; expected a file; copy what it gives into one")


def check_file(path: Path | str, limit: int) -> None:
    """Refuse a file that is larger than what it may hold, and what is no file."""
    check_regular(path)
    check_bytes(path, "a file", Path(path).stat().st_size, limit)
    tell_opened(path)  # it is opened next, as a rule by a library


def check_text(path: Path | str, limit: int) -> None:
    """Refuse a text that would be larger than `limit` bytes when it is parsed, and what is no file."""
    check_regular(path)
    check_bytes(path, "a text", Path(path).stat().st_size, limit // PARSED)


def check_size(path: Path | str, shape: Sequence[int], dtype: Any, limit: int) -> int:
    """Refuse an array that is too large; else the bytes that it takes as floats.

    >>> check_size("map.npy", (27386, 27386), np.float64, FLOOR)
    Traceback (most recent call last):
    ValueError: map.npy: got float64 of 27386 x 27386, 6,000 MB; expected at most 67 MB; check the size of what it holds
    >>> check_size("map.npy", (3, 4), np.uint8, FLOOR)
    96
    """
    kind = np.dtype(dtype)
    size: int = math.prod(map(int, shape)) * max(kind.itemsize, NUMBER)
    also = " as float64" if kind.itemsize < NUMBER else ""
    check_bytes(path, f"{str(kind)[:40]} of {' x '.join(map(str, shape))}", size, limit, also)
    return size


def check_bytes(path: Path | str, what: str, size: int, limit: int, also: str = "") -> None:
    """Refuse what takes more than `limit` bytes; `also` is what is to be said of them."""
    if size > limit:
        raise ValueError(
            f"{path}: got {what}, {_megabytes(size)}{also}; expected at most {_megabytes(limit)}; "
            "check the size of what it holds"
        )


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB" if size > 10e6 else f"{size / 1e6:.2g} MB"
