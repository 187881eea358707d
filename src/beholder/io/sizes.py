"""Sizes in bytes: as people write and read them."""

from __future__ import annotations

import math
import re

from beholder.errors import Misuse

UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "KI": 2**10, "MI": 2**20, "GI": 2**30, "TI": 2**40}


def parse_size(text: str, *, unit: str = "") -> int:
    """Bytes of a size such as 4GB, 1.5 GiB, .5 Gi or 500m, in capitals or not; a bare number is of `unit`.

    >>> parse_size("4GB"), parse_size("1.5 GiB"), parse_size(" .5 Gi "), parse_size("300", unit="M")
    (4000000000, 1610612736, 536870912, 300000000)
    """
    found = re.fullmatch(r"(\d+\.?\d*|\.\d+)\s*([KMGT]I?)?B?", text.strip().upper(), re.ASCII)
    size = float(found[1]) * UNITS[found[2] or unit] if found else 0.0
    if found is None or size == math.inf or (size < 1 and float(found[1])):
        raise Misuse(f"got {text!r} as a size; expected a number and a unit, such as 500MB or 4GB")
    return round(size)


def say_size(size: float) -> str:
    """Bytes for people: two digits at the least, in the unit that fits.

    >>> say_size(0), say_size(870), say_size(4_250_000), say_size(4e9), say_size(1.2e13)
    ('0 B', '870 B', '4.2 MB', '4 GB', '12 TB')
    """
    for name in ("B", "kB", "MB", "GB"):
        if round(size) < 1000:
            return f"{size:.2g} {name}" if size < 10 else f"{size:.0f} {name}"
        size /= 1000
    return f"{size:.0f} TB"
