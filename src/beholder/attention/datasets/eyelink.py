"""EyeLink recordings: a text file (.asc) per person, and the pictures that their messages name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from beholder.attention.datasets import _folder
from beholder.attention.datasets._gaze import Card, Seen, gaze_dataset
from beholder.attention.gaze.detection import Gaze
from beholder.attention.gaze.detection import detector as detector_of
from beholder.attention.types import Lookers, Outside, Picture, Scanpath, scanpath
from beholder.core.cite import source
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.io import eyelink as asc

STOPS = ("TRIAL_RESULT", "TRIAL OK", "STOP_TRIAL", "BLANK_SCREEN")  # messages after which nothing is shown
ABOUT = (
    "EyeLink recordings of {people} participants; task and viewing time are not stated in the files. A picture "
    "appears with the message that names it, at its own size in the middle of the screen, and stays until the next "
    "picture, a message that ends it, or the end of the recording; px per degree {known}; coordinates count from 0. "
    "Fixations {by}."
)


@dataclass(frozen=True)
class Trial:
    """A picture on the screen, in ms of the tracker's clock."""

    picture: str
    start: float
    end: float


@source("LeMeur2013")
def eyelink(
    path: Path, *, detector: str = "", px_per_deg: float = np.nan, eye: str = "", outside: Outside = "drop"
) -> Dataset[Picture, Lookers]:
    """The folder with one .asc per person (named after the observer) and the pictures below it.

    Fixations are the tracker's own (EFIX; one that began before the picture is left out) with their pupil size, or,
    with a `detector` (acceleration, velocity, dispersion), found in the samples; a detector needs px_per_deg. `eye` is
    L or R.
    """
    root = _folder.existing_folder(path, "a folder of .asc files and pictures")
    files = sorted(root.rglob("*.asc"))
    if not files:
        raise Misuse(f"got {root} without .asc files; expected one per person, made by edf2asc")
    pictures = {file.name.lower(): file for file in _folder.pictures(root).values()}
    paths: dict[str, list[tuple[str, Scanpath]]] = {}
    for file in files:
        held = asc.read(file, eye)
        for trial in trials(held, pictures):
            left, top = _corner(held, pictures[trial.picture], file)
            found = _fixations(held, trial, detector=detector, px_per_deg=px_per_deg)
            paths.setdefault(trial.picture, []).append((file.stem, replace(found, x=found.x - left, y=found.y - top)))
    if not paths:
        raise Misuse(f"got {root} with no message that names one of {len(pictures)} pictures; expected MSG … name.jpg")
    seen = {
        Path(name).stem: Seen(_folder.one_path_each(theirs, name), pictures[name])
        for name, theirs in sorted(paths.items())
    }
    known = f"as given, {px_per_deg:g}" if np.isfinite(px_per_deg) else "not known"
    by = f"were found in the samples by the {detector} detector" if detector else "are the tracker's own"
    about = ABOUT.format(people=len(files), known=known, by=by)
    name = f"eyelink_{detector}" if detector else "eyelink"
    card = Card(name, about, "LeMeur2013", "not stated", px_per_deg, settings=f"eye={eye}")
    return gaze_dataset(seen, card, root=root, annotations=files, outside=outside)


def trials(held: asc.Recording, pictures: Mapping[str, Path]) -> Iterator[Trial]:
    """When each picture was on the screen."""
    marks = [(time, _named(text, pictures), text) for time, text in held.messages]
    stops = sorted([*held.ends, *(time for time, name, text in marks if name or text.startswith(STOPS))])
    last = max([*stops, *held.samples[-1:, 0], 0.0])
    for time, name, _ in marks:
        if name:
            yield Trial(name, time, next((stop for stop in stops if stop > time), last))


def _named(text: str, pictures: Mapping[str, Path]) -> str:
    """The picture that a message names as a word or at the end of a path, or nothing."""
    words = [word.strip("\"',;").replace("\\", "/").rpartition("/")[2].lower() for word in text.split()]
    return next((word for word in words if word in pictures), "")


def _corner(held: asc.Recording, picture: Path, file: Path) -> tuple[float, float]:
    """Where the upper left of a picture is that stands in the middle of the screen."""
    if held.screen is None:
        raise Misuse(f"{file}: got no GAZE_COORDS or DISPLAY_COORDS; expected the size of the screen in a message")
    height, width = _folder.picture_size(picture)
    return (held.screen[0] - width) / 2, (held.screen[1] - height) / 2


def _fixations(held: asc.Recording, trial: Trial, *, detector: str, px_per_deg: float) -> Scanpath:
    """The fixations of a trial, on the screen, in time since the picture appeared."""
    if not detector:
        start, duration, x, y, pupil = held.fixations.T
        during = (start >= trial.start) & (start < trial.end)
        onset = start[during] - trial.start
        return scanpath(x[during], y[during], onset_ms=onset, duration_ms=duration[during], pupil=pupil[during])
    time, x, y, _ = held.samples.T
    during = (time >= trial.start) & (time < trial.end)
    first = time[during][:1].sum() - trial.start if during.any() else 0.0
    return detector_of(detector)(Gaze(x[during], y[during], held.hertz, first), px_per_deg=px_per_deg)
