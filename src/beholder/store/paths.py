"""Names as file names, and where the answers of a run lie."""

from __future__ import annotations

import re
from pathlib import Path

from beholder.store.cache import digest


def answer_path(folder: Path, model: str, id: str, suffix: str) -> Path:
    """Where a kept answer lies: model/id, each part made safe as a file name."""
    parts = [part for part in (distinct_slug(model), *(distinct_slug(p) for p in id.split("/"))) if part]
    return folder.joinpath(*parts[:-1], f"{parts[-1]}{suffix}")


def slug(name: str) -> str:
    """A name as a file name.

    >>> slug("sgbm(mode='hh')"), slug("..")
    ('sgbm(mode=_hh_)', '__')
    """
    return re.sub(r"^\.+", lambda dots: "_" * len(dots[0]), re.sub(r"[^\w.()=,+-]", "_", name))


def distinct_slug(name: str) -> str:
    """A name as a file name that no other name has.

    >>> distinct_slug("block"), distinct_slug("my k") == distinct_slug("my_k")
    ('block', False)
    """
    safe = slug(name)[:80]
    return safe if safe == name else f"{safe}-{digest(name)[:6]}"
