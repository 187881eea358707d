"""Coutrot's databases: eyes on films with their own and with other sound, one place per frame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from beholder.attention.datasets import _folder
from beholder.attention.datasets._films import Reel, Shown, film_dataset, geometry_note
from beholder.attention.datasets._gaze import Card
from beholder.attention.gaze.detection import Gaze
from beholder.attention.gaze.detection import detector as detector_of
from beholder.attention.maps.features import ASSUMED
from beholder.attention.types import Floats, Lookers, Outside
from beholder.core.cite import source
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.io import film, structs

HERTZ = 25.0  # of both databases
CITE = {"Coutrot_Database1": "Coutrot2013", "Coutrot_Database2": "Coutrot2014"}
ABOUT = (
    "{people} recordings of participants on {clips} films ({conditions}), free viewing for the length of each film "
    "(about 17 s in database 1), one gaze position per frame at 25 Hz. Fixations were found by the {detector} "
    "detector; slow pursuit counts as fixation, fast pursuit is left out. px per degree {known}; coordinates are px "
    "of the film, taken as they are. It is not known whether they count from 0 or 1, nor whether the same number is "
    "the same person on two films."
)


@source("Coutrot2013,Coutrot2014")
def coutrot(
    path: Path,
    *,
    detector: str = "dispersion",
    condition: str = "",
    px_per_deg: float = ASSUMED,
    outside: Outside = "drop",
) -> Dataset[Shown, Lookers]:
    """The folder with coutrot_database1.mat or 2, and the films (clip_1.avi …), if you have them, anywhere below it.

    In a file, Coutrot_DatabaseN.CONDITION.CLIP has `data`, 2 x frames x participants in px, and `info` with vidwidth
    and vidheight. A sample is a film with everybody who saw it. Their group is the condition (the sound); `condition`
    selects one. Without the film a sample shows only its size: people and recorded scanpaths can still be scored.
    """
    root = _folder.existing_folder(path, "the folder of Coutrot's database")
    file = _file(root)
    name, held = _database(file)
    films = {one.stem: one for one in _folder.pictures(root, film.SUFFIXES).values()}
    conditions = _conditions(held, condition, file)
    reels: dict[str, Reel] = {}
    for sound, clips in conditions.items():
        for clip, recorded in clips.items():
            found = _reel(recorded, sound, f"{file}, {sound}.{clip}", detector=detector, px_per_deg=px_per_deg)
            reels[clip] = _joined(reels.get(clip), found, clip)
    reels = {clip: _filmed(reel, films.get(clip)) for clip, reel in reels.items()}
    about = ABOUT.format(
        people=sum(len(reel.paths) for reel in reels.values()),
        clips=len(reels),
        conditions=", ".join(conditions),
        detector=detector,
        known=geometry_note(px_per_deg),
    )
    label = f"{name.lower()}_{detector}" + (f"_{condition}" if condition else "")
    card = Card(label, about, CITE.get(name, "Coutrot2014"), "none stated; offered for research", px_per_deg)
    return film_dataset(reels, card, root=root, annotations=[file], outside=outside)


def recordings(path: Path, *, condition: str = "") -> dict[str, tuple[tuple[int, int], dict[str, Gaze]]]:
    """What the fixations are found in: per film its rows and columns, and each participant's gaze in px of the film."""
    file = _file(_folder.existing_folder(path, "the folder of Coutrot's database"))
    found: dict[str, tuple[tuple[int, int], dict[str, Gaze]]] = {}
    for sound, clips in _conditions(_database(file)[1], condition, file).items():
        for clip, recorded in clips.items():
            info, gaze = recorded["info"], _gaze(recorded["data"], f"{file}, {sound}.{clip}")
            _, people = found.setdefault(clip, ((int(info["vidheight"]), int(info["vidwidth"])), {}))
            people |= {f"{sound}#{at:02}": one for at, one in enumerate(_people(gaze), 1)}
    return found


def _file(root: Path) -> Path:
    found = sorted(file for file in root.glob("*.mat") if "coutrot" in file.name.lower())
    if len(found) != 1:
        names = ", ".join(file.name for file in found) or "none"
        raise Misuse(
            f"got {root} with {names} of coutrot_database1.mat and …2.mat; expected one; put each in its own folder"
        )
    return found[0]


def _database(file: Path) -> tuple[str, Mapping[str, Any]]:
    held = structs.read(file)
    name = next((name for name in held if name.startswith("Coutrot")), "")
    if not name or not isinstance(held[name], dict):
        raise Misuse(f"{file}: got {', '.join(held) or 'nothing'}; expected the struct Coutrot_Database1 or …2")
    return name, held[name]


def _conditions(held: Mapping[str, Any], wanted: str, file: Path) -> dict[str, dict[str, Any]]:
    """The clips of each condition; what is no struct of clips, such as a note, is left away."""
    every = {name: _clips(value) for name, value in held.items() if isinstance(value, dict) and _clips(value)}
    if wanted and wanted not in every:
        raise Misuse(f"{file}: got condition={wanted!r}; expected one of {', '.join(every)}")
    if not every:
        raise Misuse(f"{file}: got no CONDITION.CLIP with data and info; expected Coutrot's database")
    return {name: clips for name, clips in every.items() if wanted in ("", name)}


def _clips(value: Mapping[str, Any]) -> dict[str, Any]:
    return {name: clip for name, clip in value.items() if isinstance(clip, dict) and {"data", "info"} <= set(clip)}


def _reel(recorded: Mapping[str, Any], sound: str, where: str, *, detector: str, px_per_deg: float) -> Reel:
    info = recorded["info"]
    missing = [key for key in ("vidwidth", "vidheight") if not isinstance(info, dict) or key not in info]
    if missing:
        raise Misuse(f"{where}: got no {missing[0]} in info; expected vidwidth and vidheight")
    shape = int(info["vidheight"]), int(info["vidwidth"])
    gaze = _gaze(recorded["data"], where)
    find = detector_of(detector)
    paths = {f"{sound}#{at:02}": find(one, px_per_deg=px_per_deg) for at, one in enumerate(_people(gaze), 1)}
    return Reel(paths, shape, HERTZ, gaze.shape[1], groups=dict.fromkeys(paths, sound))


def _gaze(values: Any, where: str) -> Floats:
    """(2, frames, participants); one participant alone has lost the last axis."""
    found = np.asarray(values, np.float64)
    found = found[..., None] if found.ndim == 2 else found
    if found.ndim != 3 or found.shape[0] != 2:
        raise Misuse(f"{where}: got data of shape {np.shape(values)}; expected 2 x frames x participants")
    return found


def _people(gaze: Floats) -> Iterator[Gaze]:
    for x, y in np.moveaxis(gaze, 2, 0):
        yield Gaze(np.ascontiguousarray(x), np.ascontiguousarray(y), HERTZ)


def _joined(before: Reel | None, found: Reel, clip: str) -> Reel:
    """A film that was seen in several conditions, with everybody who saw it."""
    if before is None:
        return found
    if before.shape != found.shape:
        raise Misuse(f"{clip}: got films of {before.shape} and {found.shape} in two conditions; expected the same film")
    groups = {**before.groups, **found.groups}
    return replace(before, paths={**before.paths, **found.paths}, groups=groups, count=max(before.count, found.count))


def _filmed(reel: Reel, file: Path | None) -> Reel:
    """A reel with its film, where that is here: it must be as large as the database says, and may be shorter."""
    if file is None:
        return reel
    facts = film.facts(file)
    if facts.shape != reel.shape:
        raise Misuse(f"{file}: got frames of {facts.shape}; expected {reel.shape}, as the database says")
    return replace(reel, file=file, count=min(reel.count, facts.frames))
