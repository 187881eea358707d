"""Plaids of bars that can be seen two ways, by the angle between the bars and by their speed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from beholder.core.sample import Dataset, Sample
from beholder.motion.percepts import Watched
from beholder.motion.stimuli.line_plaid import LinePlaid
from beholder.motion.stimuli.suite import Shown, sampling_of, suite
from beholder.motion.types import Movie, Percept

ANGLES = (100.0, 120.0, 140.0)  # deg at the middle speed, ours
SPEEDS = (1.5, 3.0, 6.0)  # deg/s at the middle angle, ours
SECONDS = 0.2  # of the film; the motion goes on unchanged


def line_plaids(full: bool = False, *, profile: str = "", watched: float = 60.0) -> Dataset[Watched, Percept]:
    """Plaids of two sets of bars, at three angles and three speeds, drifting up and down; `full` has four directions.

    The movie is short; the model is asked for its percepts over `watched` seconds. Tags: angle, speed.
    """
    pairs = [(angle, SPEEDS[1]) for angle in ANGLES] + [(ANGLES[1], speed) for speed in SPEEDS if speed != SPEEDS[1]]
    ways = (90.0, 270.0, 0.0, 180.0) if full else (90.0, 270.0)
    dataset: Dataset[Any, Percept] = suite(
        "line_plaids",
        [_shown(LinePlaid(angle=angle, speed=speed, direction=way)) for way in ways for angle, speed in pairs],
        replace(sampling_of(profile, full, 112), seconds=SECONDS),
        cite="HupeRubin2003",
        about="Bars seen alternately as one pattern and as two sliding ones: the durations are the data.",
    )
    return replace(dataset, load=_Watched(dataset.load, watched), content=f"{dataset.content},{watched:g}")


@dataclass(frozen=True)
class _Watched:
    load: Callable[[str], Sample[Movie, Percept]]
    seconds: float

    def __call__(self, id: str) -> Sample[Watched, Percept]:
        sample = self.load(id)
        film = sample.stimulus
        shown = Watched(film.frames, film.hertz, film.px_per_deg, film.onset, self.seconds)
        return Sample(id, shown, sample.reference, sample.tags)


def _shown(plaid: LinePlaid) -> Shown:
    return Shown(plaid, {"angle": f"{plaid.angle:g}", "speed": f"{plaid.speed:g}"})
