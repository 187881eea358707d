"""Eye tracking in BIDS: raw gaze, the events that showed pictures, and the pictures in `stimuli`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.attention.datasets import _folder
from beholder.attention.datasets._gaze import Card, Seen, gaze_dataset
from beholder.attention.gaze.detection import Gaze, fixations_from_spans
from beholder.attention.gaze.detection import detector as detector_of
from beholder.attention.types import Floats, Lookers, Outside, Picture, Scanpath
from beholder.core.cite import source
from beholder.core.sample import Dataset
from beholder.display import Screen
from beholder.errors import Misuse
from beholder.io import bids as files_of
from beholder.io.image import PICTURES

ABOUT = (
    "Eye tracking in BIDS, {people} participants; the data set's own description gives task and viewing time. A "
    "picture is a stim_file of the events, shown at its own size in the middle of the screen; {scale:.4g} px per "
    "degree, from the screen's size and distance; coordinates count from 0. Fixations {by}; samples that the "
    "tracker marks as a blink are dropped."
)
TRACKER = "tracker"


@source("Gorgolewski2016")
def bids(
    path: Path, *, detector: str = "velocity", eye: str = "eye1", task: str = "", outside: Outside = "drop"
) -> Dataset[Picture, Lookers]:
    """The root of a data set with sub-…_recording-eye1_physio.tsv.gz, …_events.tsv with stim_file, and stimuli.

    Fixations are found here by a `detector` (velocity, acceleration, dispersion). With detector=tracker they are those
    that the tracker marked in …_physioevents.tsv.gz, each at the mean of its samples, without those that began before
    the picture. px per degree come from ScreenSize, ScreenResolution and ScreenDistance. `task` selects the recordings
    of one task.
    """
    find = _tracked if detector == TRACKER else partial(_detected, find=detector_of(detector))
    root = _folder.existing_folder(path, "the root of a BIDS data set").resolve()
    files = [file for file in files_of.recordings(root, eye) if task in ("", files_of.entities(file).get("task"))]
    if not files:
        raise Misuse(f"got {root} without sub-*_recording-{eye}_physio.tsv.gz; expected eye tracking in BIDS")
    pictures = _folder.pictures(_folder.require(root, "stimuli"))
    paths: dict[str, list[tuple[str, Scanpath]]] = {}
    scales, absent = set(), set()
    for file in files:
        held = files_of.read(file, root)
        screen = _screen(held, file)
        scales.add(round(screen.px_per_deg, 6))
        absent |= {name for event in held.events if _is_picture(event) and (name := _picture(event)) not in pictures}
        for id, trial in _pictures_shown(held, screen, pictures):
            paths.setdefault(id, []).append((files_of.entities(file)["sub"], find(trial, held, file)))
    if len(scales) > 1:
        raise Misuse(f"got {root} with {sorted(scales)} px per degree; expected one screen for all; say task=")
    if not paths:
        raise Misuse(f"got {root} without events whose stim_file is one of {len(pictures)} pictures in stimuli")
    seen = {id: Seen(_folder.one_path_each(theirs, id), pictures[id]) for id, theirs in sorted(paths.items())}
    seen |= {id: Seen({}) for id in sorted(absent)}
    (scale,) = scales
    people = len({files_of.entities(file)["sub"] for file in files})
    by = "are the tracker's own" if detector == TRACKER else f"were found by the {detector} detector"
    about = ABOUT.format(people=people, scale=scale, by=by)
    annotations = [*files, *root.rglob("*_events.tsv"), *root.rglob(f"*{files_of.MARKED}"), *root.rglob("*.json")]
    card = Card(
        f"bids_{detector}", about, "Gorgolewski2016", "the data set's own", scale, settings=f"eye={eye},task={task}"
    )
    return gaze_dataset(seen, card, root=root, annotations=annotations, outside=outside)


def _screen(held: files_of.Recording, file: Path) -> Screen:
    """The screen that the events' JSON describes, in m; its origin must be where ours is."""
    missing = [key for key in ("ScreenResolution", "ScreenSize", "ScreenDistance") if key not in held.screen]
    if missing:
        raise Misuse(f"{file}: got no {missing[0]} in StimulusPresentation of its events' JSON; expected it")
    origin = held.screen.get("ScreenOrigin", ["top", "left"])
    if sorted(origin) != ["left", "top"]:
        raise Misuse(f"{file}: got the ScreenOrigin {origin}; expected top, left; convert the coordinates")
    width, height = map(int, held.screen["ScreenResolution"])
    return Screen(width, height, 100 * float(held.screen["ScreenSize"][0]), 100 * float(held.screen["ScreenDistance"]))


class Trial(NamedTuple):
    """A picture on the screen: when, and the gaze during it in px of the picture."""

    start: float  # s, the events' clock
    gaze: Gaze
    px_per_deg: float


def _detected(trial: Trial, held: files_of.Recording, file: Path, *, find: Callable[..., Scanpath]) -> Scanpath:
    return find(trial.gaze, px_per_deg=trial.px_per_deg)


def _tracked(trial: Trial, held: files_of.Recording, file: Path) -> Scanpath:
    """The fixations that the tracker marked during a picture."""
    marked = [mark for mark in held.marks if mark.kind == "fixation" and mark.seconds > 0]
    if not marked:
        raise Misuse(
            f"{file}: got no fixations in {files_of.MARKED} beside it; expected the tracker's own; or choose a detector"
        )
    starts = np.array([mark.start for mark in marked]) - trial.start - trial.gaze.start_ms / 1000
    lasts = np.array([mark.seconds for mark in marked])
    first = np.rint(starts * trial.gaze.hertz).astype(int)
    after = np.rint((starts + lasts) * trial.gaze.hertz).astype(int)
    during = (first >= 0) & (first < len(trial.gaze)) & (after > first)
    return fixations_from_spans(
        trial.gaze, list(zip(first[during].tolist(), after[during].tolist(), strict=True)), np.nanmean
    )


def _open(held: files_of.Recording, times: Floats) -> NDArray[np.bool_]:
    """Which samples were taken while the eye was open, as far as the tracker says."""
    found = np.ones(len(times), bool)
    for mark in held.marks:
        if (mark.shut or mark.kind == "blink") and mark.seconds > 0:
            found &= (times < mark.start) | (times >= mark.start + mark.seconds)
    return found


def _picture(event: Mapping[str, str]) -> str:
    """The picture that an event showed, as it is named in `stimuli`."""
    return Path(event.get("stim_file") or "").with_suffix("").as_posix().removeprefix("stimuli/")


def _is_picture(event: Mapping[str, str]) -> bool:
    return Path(event.get("stim_file") or "").suffix.lower() in PICTURES


def _pictures_shown(held: files_of.Recording, screen: Screen, pictures: dict[str, Path]) -> Iterator[tuple[str, Trial]]:
    """Each picture that was shown."""
    times = held.start + np.arange(len(held.columns["x_coordinate"])) / held.hertz
    seen = _open(held, times)
    gaze = {axis: np.where(seen, held.columns[f"{axis}_coordinate"], np.nan) for axis in "xy"}
    for event in held.events:
        id = _picture(event)
        if id not in pictures:
            continue
        start, lasted = float(event["onset"]), float(event["duration"])
        during = (times >= start) & (times < start + lasted)
        height, width = _folder.picture_size(pictures[id])
        x = gaze["x"][during] - (screen.width_px - width) / 2
        y = gaze["y"][during] - (screen.height_px - height) / 2
        first = 1000 * (times[during][0] - start) if during.any() else 0.0
        yield id, Trial(start, Gaze(x, y, held.hertz, float(first)), screen.px_per_deg)
