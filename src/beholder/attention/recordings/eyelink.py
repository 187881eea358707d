"""Raw gaze of EyeLink text files (.asc): a file per person, and messages that say when what was shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from beholder.attention.datasets.eyelink import STOPS
from beholder.attention.datasets.eyelink import Trial as Shown
from beholder.attention.datasets.eyelink import trials as pictures_shown
from beholder.attention.recordings.trials import Trial, even_gaze, mark_lost, sampling_rate
from beholder.attention.types import Scanpath, scanpath
from beholder.errors import Misuse
from beholder.io import eyelink as asc

PICTURE = re.compile(r"[^\s/\\\"',;]+\.(?:jpe?g|png|bmp|tiff?|ppm|pgm)\b", re.IGNORECASE)
NUMBERED = "TRIALID"  # what SR Research's programs write when a trial begins


def read(file: Path, *, starts: str = "", eye: str = "") -> Iterator[Trial]:
    """The trials of a file, whose name is the observer's; fixations that the tracker marked come with them.

    A trial begins with a message that starts with the words `starts`, whose rest names the stimulus; or that names a
    picture's file; or TRIALID. It ends with the next one, a message of its end, or the recording. Without any such
    message the whole recording is one trial.
    """
    held = asc.read(file, eye)
    if not len(held.samples):
        raise Misuse(f"{file}: got events but no samples; expected both; run edf2asc without -e")
    hertz = held.hertz if np.isfinite(held.hertz) else sampling_rate(held.samples[:, 0], str(file))
    for shown in _shown(held, starts, file):
        time, x, y, _ = held.samples.T
        during = (time >= shown.start) & (time < shown.end)
        if not during.any():
            continue
        gaze = even_gaze(time[during], *mark_lost(x[during], y[during]), hertz, str(file))
        begun = float(time[during][0] - shown.start)
        yield Trial(
            _stem(shown.picture),
            file.stem,
            replace(gaze, start_ms=begun),
            tracked=_tracked(held, shown),
            screen=held.screen,
        )


def _shown(held: asc.Recording, starts: str, file: Path) -> list[Shown]:
    """What was shown, and from when to when on the tracker's clock."""
    if starts:
        found = list(_windows(held, starts))
        if not found:
            raise Misuse(f"{file}: got no message that starts with {starts!r}; expected one for each trial")
        return found
    names = {name.lower() for _, text in held.messages for name in PICTURE.findall(text)}
    if names:
        return list(pictures_shown(held, {name: Path(name) for name in names}))
    numbered = list(_windows(held, NUMBERED))
    first, last = float(held.samples[0, 0]), float(held.samples[-1, 0])
    return numbered or [Shown(file.stem, first, last + 1)]


def _windows(held: asc.Recording, starts: str) -> Iterator[Shown]:
    begins = [(time, text[len(starts) :].strip()) for time, text in held.messages if text.startswith(starts)]
    stops = sorted([*held.ends, *(time for time, text in held.messages if text.startswith((starts, *STOPS)))])
    last = float(held.samples[-1, 0]) + 1
    for at, (time, name) in enumerate(begins, 1):
        yield Shown(name or f"trial{at}", time, next((stop for stop in stops if stop > time), last))


def _stem(name: str) -> str:
    return Path(name).stem if PICTURE.fullmatch(name) else name


def _tracked(held: asc.Recording, shown: Shown) -> Scanpath:
    """The tracker's own fixations that began during a trial."""
    start, duration, x, y, _ = held.fixations.T
    during = (start >= shown.start) & (start < shown.end)
    return scanpath(x[during], y[during], onset_ms=start[during] - shown.start, duration_ms=duration[during])
