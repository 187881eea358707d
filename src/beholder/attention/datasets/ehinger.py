"""Ehinger: fourteen people who searched 912 street scenes for a pedestrian."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from beholder.attention.datasets import _fixations, _folder
from beholder.attention.datasets._gaze import Card, Seen, gaze_dataset
from beholder.attention.gaze.placing import Placing
from beholder.attention.recordings.long_table import Wanted
from beholder.attention.types import Lookers, Outside, Picture, Scanpath, scanpath
from beholder.core.cite import source
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.io import structs

TARGET = {"TP": "present", "TA": "absent"}
ABOUT = (
    "14 participants, search for a pedestrian, 912 pictures (both lists agree), viewing time not given (until the "
    "person answered); px per degree {known}; pixels count from {offset:g} at the upper left corner of the picture"
    "{from_table}."
)


@source("Ehinger2009")
def ehinger(
    path: Path, *, px_per_deg: float = np.nan, offset: float = 0.0, outside: Outside = "drop"
) -> Dataset[Picture, Lookers]:
    """The folder with eyeData (one .mat per picture) and the pictures below it; or a long table, as in `fixations`.

    A file holds a struct of its own name with `target` (TP or TA) and, for each person, subdata(s).fixXY of n x 2. This
    form is known only from a program that reads the files. Whether coordinates count from 0 or 1 is not known; MIT's
    other set counts from 0. `offset` is the coordinate of the picture's upper left corner. Tag "target": present or
    absent.
    """
    where = _folder.first_existing(path, "eyeData", "EyeData") if path.is_dir() else None
    files = sorted(where.glob("*.mat")) if where else []
    known = f"as given, {px_per_deg:g}" if np.isfinite(px_per_deg) else "not known"
    about = ABOUT.format(known=known, offset=offset, from_table="" if files else "; from your own table")
    settings = f"offset={offset:g}"
    card = Card("ehinger", about, "Ehinger2009", "none stated; offered for research", px_per_deg, settings=settings)
    if files:
        found = {file.stem: file for file in _folder.pictures(path).values()}
        seen = {file.stem: _read_pictures(file, found.get(file.stem), offset) for file in files}
        return gaze_dataset(seen, card, root=path, annotations=files, outside=outside)
    try:
        read = _fixations.read_pictures(path, Wanted(placing=Placing(offset=offset)))
    except Misuse as fault:
        raise Misuse(f"{fault} (or the folder eyeData as it is published, with one .mat per picture)") from None
    file = read.rows.file
    return gaze_dataset(read.seen, card, root=file.parent, annotations=[file], outside=outside)


def _read_pictures(file: Path, picture: Path | None, offset: float) -> Seen:
    held: Any = next(iter(structs.read(file).values()), None)
    if not isinstance(held, dict) or "subdata" not in held:
        raise Misuse(f"{file}: got no subdata; expected a struct with target and subdata(s).fixXY")
    target = TARGET.get(str(held.get("target", "")), "")
    return Seen(dict(_people(held["subdata"], file, offset)), picture, tags={"target": target} if target else {})


def _people(subjects: Any, file: Path, offset: float) -> Iterator[tuple[str, Scanpath]]:
    for at, one in enumerate(structs.several(subjects), 1):
        if not isinstance(one, dict) or "fixXY" not in one:
            raise Misuse(f"{file}: got no fixXY in subdata({at}); expected n x 2 numbers")
        points = np.asarray(one["fixXY"], np.float64)
        if points.size % 2 or (points.ndim == 2 and points.shape[1] != 2):
            raise Misuse(f"{file}: got fixXY of shape {points.shape} in subdata({at}); expected n x 2")
        x, y = points.reshape(-1, 2).T - offset
        yield f"{at:02}", scanpath(x, y)
