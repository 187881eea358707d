"""What the datasets that read folders share: what their files say, and what tells one state of them from another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from beholder.errors import Misuse
from beholder.io import image
from beholder.stereo.regions import discontinuities, evaluated, middlebury
from beholder.stereo.types import Map, Mask, Pair


def folder(path: Path, what: str) -> Path:
    """A folder that exists."""
    if not path.is_dir():
        raise Misuse(f"got {path}, which is not a folder; expected {what}")
    return path


def first_existing(where: Path, names: Iterable[str]) -> Path | None:
    """The first of some files that is in a folder."""
    return next((where / name for name in names if (where / name).is_file()), None)


def pair(left: Path, right: Path, max_disparity: int) -> Pair:
    """The pair in two image files."""
    return Pair(image.read(left), image.read(right), max_disparity)


def check_range(disparity: Map, max_disparity: int, path: Path) -> Map:
    """A true map whose disparities lie in the range that models are told; else its scale or the range is wrong."""
    if not np.isfinite(disparity).any():
        raise ValueError(f"{path}: got no known disparity; expected a true map; is this the file of the truth?")
    largest = float(np.nanmax(disparity))
    if largest >= max_disparity:
        raise ValueError(
            f"{path}: got disparities up to {largest:g} px; expected less than {max_disparity}; "
            "the scale is wrong, or give max_disparity="
        )
    return disparity


def mask(path: Path) -> Mask:
    """The pixels that a mask of Middlebury's has as evaluated."""
    try:
        return evaluated(image.read(path))
    except ValueError as fault:
        raise ValueError(f"{path}: {fault}") from fault


def completed(
    true: Map, given: Mapping[str, Mask], *, gap: float = 2.0, border: int = 0, holes: bool = True
) -> tuple[dict[str, Mask], str]:
    """Regions as read from the masks there are, the others made; what that says of the truth's status."""
    if {"nonocc", "all", "disc"} <= set(given):
        return dict(given), "verified"
    made = middlebury(true, gap=gap, border=border, holes=holes) | dict(given)
    if "disc" not in given:
        hidden = made["all"] & ~made["nonocc"]
        made["disc"] = made["nonocc"] & discontinuities(true, hidden, gap=gap, holes=holes)
    return made, "derived"


def calibration(path: Path | None) -> Mapping[str, str]:
    """The lines key=value of a calib.txt, or nothing where there is none.

    >>> calibration(None)
    {}
    """
    lines = path.read_text("utf-8").splitlines() if path else []
    return dict(re.findall(r"^\s*(\w+)\s*=\s*(.*?)\s*$", "\n".join(lines), re.MULTILINE))


def range_of(where: Path, said: int | None, known: Mapping[str, int]) -> int:
    """How many disparities a scene has: as said, as its calib.txt says (ndisp), or as known by its name."""
    if said is not None:
        return said
    written = calibration(first_existing(where, ["calib.txt"])).get("ndisp", "")
    if written:
        return int(written)
    name = where.name.lower()
    if name not in known:
        raise ValueError(f"{where}: got no calib.txt with ndisp; expected it; give max_disparity=")
    return known[name]
