"""Where the real data is that claims are recomputed on."""

from __future__ import annotations

import os
from pathlib import Path

import beholder

ABSENT = "Not recomputed here: the data is absent."


def data_folder(name: str) -> Path | None:
    """A folder below BEHOLDER_DATA, else beside the repository; None where it is not."""
    beside = Path(beholder.__file__).parents[2].parent / "shared" / "data"
    place = Path(os.environ.get("BEHOLDER_DATA") or beside, name)
    return place if place.is_dir() else None
