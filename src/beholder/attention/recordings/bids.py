"""Raw gaze of BIDS data sets: every recording of one eye, cut by the events that showed something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from beholder.attention.gaze.detection import Gaze, fixations_from_spans
from beholder.attention.recordings.trials import Bools, Trial, mark_lost
from beholder.attention.types import Floats, Scanpath
from beholder.display import Screen
from beholder.errors import Misuse
from beholder.io import bids


def read(path: Path, *, eye: str = "") -> Iterator[Trial]:
    """The trials below the root of a data set, or of one …_physio.tsv.gz in it.

    A trial is an event with a stim_file; without any, the whole recording is one. What the tracker calls a blink is
    lost. px per degree come from the events' JSON where it describes the screen.
    """
    root = path if path.is_dir() else _root(path)
    files = bids.recordings(root, eye or "eye1") if path.is_dir() else [path]
    if not files:
        raise Misuse(f"got {root} without sub-*_recording-{eye or 'eye1'}_physio.tsv.gz; expected eye tracking in BIDS")
    for file in files:
        held = bids.read(file, root)
        times = held.start + np.arange(len(held.columns["x_coordinate"])) / held.hertz
        x, y = mark_lost(held.columns["x_coordinate"], held.columns["y_coordinate"])
        open_ = _open(held, times)
        x, y = np.where(open_, x, np.nan), np.where(open_, y, np.nan)
        screen = _screen(held.screen)
        for name, start, end in _shown(held, times):
            during = (times >= start) & (times < end)
            if during.any():
                gaze = Gaze(x[during], y[during], held.hertz, 1000 * float(times[during][0] - start))
                yield Trial(
                    name,
                    bids.entities(file).get("sub", file.name),
                    gaze,
                    np.nan if screen is None else screen.px_per_deg,
                    _tracked(held, gaze, start),
                    None if screen is None else (screen.width_px, screen.height_px),
                )


def _root(file: Path) -> Path:
    """The folder of the data set that a file is in: that with dataset_description.json, or the one above sub-…"""
    above = list(file.resolve().parents)
    described = [folder for folder in above if (folder / "dataset_description.json").is_file()]
    return next(iter(described), next((folder.parent for folder in above if folder.name.startswith("sub-")), above[0]))


def _shown(held: bids.Recording, times: Floats) -> list[tuple[str, float, float]]:
    """Name, start and end (s) of each trial."""
    shown = [event for event in held.events if event.get("stim_file", "n/a") not in ("n/a", "")]
    if not shown:
        return [("recording", float(times[0]), float(times[-1]) + 1)] if len(times) else []
    found = []
    for event in shown:
        name = Path(event["stim_file"]).with_suffix("").as_posix().removeprefix("stimuli/")
        found.append((name, float(event["onset"]), float(event["onset"]) + float(event["duration"])))
    return found


def _open(held: bids.Recording, times: Floats) -> Bools:
    found = np.ones(len(times), bool)
    for mark in held.marks:
        if (mark.shut or mark.kind == "blink") and mark.seconds > 0:
            found &= (times < mark.start) | (times >= mark.start + mark.seconds)
    return found


def _screen(said: Mapping[str, Any]) -> Screen | None:
    """The screen, where the events' JSON describes it; there in m."""
    if any(key not in said for key in ("ScreenResolution", "ScreenSize", "ScreenDistance")):
        return None
    width, height = map(int, said["ScreenResolution"])
    return Screen(width, height, 100 * float(said["ScreenSize"][0]), 100 * float(said["ScreenDistance"]))


def _tracked(held: bids.Recording, gaze: Gaze, start: float) -> Scanpath | None:
    """The fixations that the tracker marked during a trial, each at the mean of its samples."""
    marked = [mark for mark in held.marks if mark.kind == "fixation" and mark.seconds > 0]
    if not marked:
        return None
    begun = start + gaze.start_ms / 1000
    spans = [
        (round((mark.start - begun) * gaze.hertz), round((mark.start + mark.seconds - begun) * gaze.hertz))
        for mark in marked
    ]
    inside = [(first, after) for first, after in spans if 0 <= first < len(gaze) and after > first]
    return fixations_from_spans(gaze, inside, np.nanmean)
