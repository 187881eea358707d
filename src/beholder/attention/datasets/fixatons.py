"""Folders of FixaTons: STIMULI, and SCANPATHS/PICTURE/PERSON as lines of x, y, start and end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from beholder.attention.datasets import _folder
from beholder.attention.datasets._gaze import Card, Seen, gaze_dataset
from beholder.attention.gaze.times import known_durations
from beholder.attention.types import Lookers, Outside, Picture, Scanpath, scanpath
from beholder.core.cite import source
from beholder.core.sample import Dataset
from beholder.errors import Misuse

ABOUT = (
    "Scanpaths in FixaTons' form (px and seconds), of {sets}; participants, task and viewing time are those of the "
    "original sets; px per degree {known}; coordinates count from 0. An empty file is an empty path; a fixation "
    "that does not end after its start has no known duration."
)


@source("Zanca2018")
def fixatons(
    path: Path, *, px_per_deg: float = np.nan, flip: bool = False, outside: Outside = "drop"
) -> Dataset[Picture, Lookers]:
    """The folder of one set, or of several: then ids are SET/PICTURE.

    `flip` turns y around, for sets that count it from below (FixaTons' page says that some do; their files do not).
    """
    root = _folder.existing_folder(path, "a folder of FixaTons, with STIMULI and SCANPATHS")
    sets = [root] if _is_set(root) else sorted(place for place in root.iterdir() if place.is_dir() and _is_set(place))
    if not sets:
        raise Misuse(f"got {root} without STIMULI and SCANPATHS; expected a folder of FixaTons, or a folder of several")
    seen: dict[str, Seen] = {}
    annotations: list[Path] = []
    for place in sets:
        prefix = "" if place == root else f"{place.name}/"
        found, files = _set(place, flip)
        seen |= {f"{prefix}{id}": replace(one, tags={"set": place.name}) for id, one in found.items()}
        annotations += files
    known = f"as given, {px_per_deg:g}" if np.isfinite(px_per_deg) else "not known"
    about = ABOUT.format(sets=", ".join(place.name for place in sets), known=known)
    name = "fixatons" if len(sets) > 1 else f"fixatons_{sets[0].name}"
    licence = "none stated; by the authors' permission"
    card = Card(name, about, "Zanca2018", licence, px_per_deg, settings=f"flip={flip}")
    return gaze_dataset(seen, card, root=root, annotations=annotations, outside=outside)


def _is_set(place: Path) -> bool:
    return (place / "STIMULI").is_dir() and (place / "SCANPATHS").is_dir()


def _set(place: Path, flip: bool) -> tuple[dict[str, Seen], list[Path]]:
    pictures = _folder.pictures(place / "STIMULI")
    seen, files = {}, []
    for trials in sorted(one for one in (place / "SCANPATHS").iterdir() if one.is_dir()):
        theirs = [file for file in sorted(trials.iterdir()) if file.is_file() and not file.name.startswith(".")]
        file = pictures.get(trials.name) or pictures.get(Path(trials.name).stem)
        rows = _folder.picture_size(file)[0] if flip and file else None
        paths = {one.stem if one.suffix == ".txt" else one.name: path_in(one, rows) for one in theirs}
        seen[Path(trials.name).stem if file and file.stem != trials.name else trials.name] = Seen(paths, file)
        files += theirs
    return seen, files


def path_in(file: Path, rows: int | None = None) -> Scanpath:
    """The path in a file of lines x, y, start, end in px and seconds; with `rows`, y is turned around."""
    try:
        lines = [line.split() for line in file.read_text("utf-8").splitlines() if line.strip()]
        values = np.array(lines, np.float64).reshape(-1, 4) if lines else np.empty((0, 4))
    except ValueError:
        raise Misuse(f"{file}: got lines that are not four numbers; expected x y start end") from None
    x, y, start, end = values.T
    return scanpath(
        x, y if rows is None else rows - y, onset_ms=1000 * start, duration_ms=known_durations(1000 * (end - start))
    )
