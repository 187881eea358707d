"""How a model looks at a picture or film, as a trace: for so long, and from where people begin."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from beholder.attention.exhibits._looks import Look
from beholder.attention.files.paths import accept_scanpaths, as_list
from beholder.attention.gaze.extraction import dispersion_fixations
from beholder.attention.maps.features import Clip
from beholder.attention.paths.viewing_time import FIXATIONS_PER_SECOND, ViewingTime, with_viewing_time
from beholder.attention.types import Floats, Picture, Scanpath, scanpath
from beholder.core.benchmark import Recorded
from beholder.core.entrant import parameters
from beholder.core.randomness import rng_for
from beholder.core.sample import Dataset
from beholder.registry.load import load
from beholder.registry.models import models
from beholder.study.design.tracks import BLINK, Trace, from_fixations, longest_gap

TRIES = 16  # paths of a model that cannot be told where to begin: that which begins nearest is taken
NEAR = 1.0  # deg: a path that begins no further from its start has begun there
LONGER = 1.6  # models are asked for more seconds than are shown, for the last fixation may end early
HERTZ = 100.0  # of the trajectories of our models
WIDER = (1.5, 2.0, 2.5, 3.0, 4.0)  # deg
HOLD = 0.8  # s: a fixation is held for no longer where the model moves on: 95 % of people's on MIT1003 are shorter
SACCADES = "synthetic saccades"
OWN_START = "starts at its own place"
OWN_TIMES = "durations drawn from people's"


Span = tuple[int, int]  # first sample, and the one after the last


@dataclass(frozen=True, eq=False)
class Walk:
    """A model's trace, and what a reader of the results must know of it."""

    trace: Trace
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Sight:
    """What models are shown of a look, and for how long."""

    look: Look
    shown: Picture | Clip
    seconds: float
    seed: int
    raw: bool = False  # whether models that move by themselves are shown as they move, and not by their fixations

    def drift(self) -> np.random.Generator:
        """The same for everybody on this picture: what is alike but for the drift is found to be alike."""
        return drift_of(self.look, self.seed)


def sight(look: Look, *, seconds: float, seed: int, raw: bool = False) -> Sight:
    """A look as models see it; of a film, as much as is shown."""
    shown = look.load()
    if isinstance(shown, Clip):
        shown = replace(shown, frames=shown.frames[: math.ceil(seconds * shown.hertz) + 1])
    return Sight(look, shown, seconds, seed, raw)


def drift_of(look: Look, seed: int) -> np.random.Generator:
    """Randomness of the eye's drift."""
    return rng_for(seed, look.id, "drift")


@dataclass(frozen=True, eq=False)
class Walker:
    """A model of scanpaths with its name."""

    name: str
    model: Any  # a function, or recorded answers

    @property
    def tries(self) -> int:
        """How often it is asked until it has looked long enough: one that answers the same each time, once."""
        return 4 if "rng" in parameters(self.model) else 1

    def walk(self, sight: Sight, start: Floats, *, lasts: Floats, rng: np.random.Generator) -> Walk:
        """Its trace, in px of the look, from a point that people began at where it can be told to.

        Its fixations are joined by synthetic saccades. A model that has a trajectory is shown by the fixations of that,
        or, if `sight.raw`, as it moves. `lasts` are people's durations (s), for models that know none.
        """
        look, ratio = sight.look, np.array(sight.look.shape[::-1]) / sight.shown.shape[::-1]
        if self.moves is not None:
            moved = self._trajectory(sight, start / ratio, rng) * ratio
            if sight.raw:
                return Walk(Trace(np.arange(len(moved)) / HERTZ, moved))
            held = rests(moved, look.px_per_deg)
            times, onset = held.duration_ms / 1000, held.onset_ms / 1000
            trace = from_fixations(held.points, times, onset=onset, px_per_deg=look.px_per_deg, rng=sight.drift())
            return Walk(trace, (SACCADES,))
        path, notes = self._path(sight, start / ratio, rng)
        times, onset = path.duration_ms / 1000, path.onset_ms / 1000
        if not np.isfinite(times).all():
            times, onset = rng.choice(lasts, len(path)), np.full(len(path), np.nan)
            notes = (*notes, OWN_TIMES)
        if longest_gap(times, onset) > BLINK:  # it moves without a fixation: nothing that fixations could show
            return Walk(Trace(np.empty(0), np.empty((0, 2))))
        points, scale = path.points * ratio, look.px_per_deg
        trace = from_fixations(points, times, onset=onset, px_per_deg=scale, rng=sight.drift())
        return Walk(trace, (SACCADES, *notes))

    @property
    def moves(self) -> Any:
        """What gives the model's movement before its fixations are cut, if it has that and all its settings apply."""
        inner = getattr(self.model, "func", self.model)
        moves = getattr(sys.modules.get(getattr(inner, "__module__", "")), "trajectories", None)
        return moves if moves and set(getattr(self.model, "keywords", {})) <= set(parameters(moves)) else None

    def _trajectory(self, sight: Sight, start: Floats, rng: np.random.Generator) -> Floats:
        """(t, 2): where it looks at 100 Hz."""
        settings = {"seconds": LONGER * sight.seconds, "after": _begin(start), **getattr(self.model, "keywords", {})}
        return np.asarray(self.moves(sight.shown, rng=rng, count=1, **settings)[0])

    def _path(self, sight: Sight, start: Floats, rng: np.random.Generator) -> tuple[Scanpath, tuple[str, ...]]:
        shown: Any = sight.shown
        if isinstance(self.model, Recorded):
            answers = accept_scanpaths(self.model.recall(sight.look.sample), shown)
            return _nearest(as_list(answers), start), (OWN_START,)
        count = round(LONGER * sight.seconds * FIXATIONS_PER_SECOND) + 2
        model = with_viewing_time(self.model, ViewingTime(LONGER * sight.seconds, count))
        has = parameters(model)
        if "after" in has:
            model = partial(model, after=_begin(start))
        chancy = "rng" in has
        tries = TRIES if chancy and "after" not in has else 1
        if tries > 1 and "many" in has:
            raw = list(model(shown, rng=rng, many=tries))
        else:
            raw = [model(shown, rng=rng) if chancy else model(shown) for _ in range(tries)]
        path = _nearest([one for each in raw for one in as_list(accept_scanpaths(each, shown))], start)
        if "after" not in has:
            return path, (f"of {tries}, the nearest to a person's start" if tries > 1 else OWN_START,)
        scale = sight.look.px_per_deg * shown.shape[1] / sight.look.shape[1]
        far = len(path) == 0 or np.hypot(*(path.points[0] - start)) > NEAR * scale
        return (_joined(start, path) if far else path), ()


def rests(moved: Floats, px_per_deg: float) -> Scanpath:
    """The fixations of a trajectory (t, 2) of 100 Hz, as scores have them, without a time in which there is none.

    They are where it stays within 1.5 deg for 80 ms. Models glide where eyes jump, so each is held, when it is played,
    until the saccade to the next begins. Where there is none for longer than 0.8 s, the place where the model stays
    within 2, 2.5, 3 or 4 deg is taken, the narrowest that there is. The first fixation is where it began.
    """
    spans: list[Span] = []
    for threshold in WIDER:
        edges = [0, *(edge for span in spans for edge in span), len(moved)]
        gaps = [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if (b - a) / HERTZ > HOLD or not spans]
        for first, after in gaps:
            found = dispersion_fixations(moved[first:after], hertz=HERTZ, px_per_deg=px_per_deg, threshold=threshold)
            begins = first + np.rint(found.onset_ms * HERTZ / 1000).astype(int)
            ends = begins + np.rint(found.duration_ms * HERTZ / 1000).astype(int)
            spans += list(zip(begins.tolist(), ends.tolist(), strict=True))
        spans.sort()
    if not spans or spans[0][0] > 0:
        spans.insert(0, (0, 1))
    middles = np.array([moved[a:b].mean(axis=0) for a, b in spans])
    onset, lasts = (np.array(one, float) * 1000 / HERTZ for one in zip(*((a, b - a) for a, b in spans), strict=True))
    lasts[-1] = 1000 * len(moved) / HERTZ - onset[-1]
    return Scanpath(middles[:, 0], middles[:, 1], onset, lasts)


def walkers(specs: Sequence[str], dataset: Dataset[Any, Any] | None) -> list[Walker]:
    """The models behind specs as --model takes them: names, file.py:fn, dir:folder, cmd:…"""
    benchmark = load("attention/scanpath") if dataset is None else load("attention/scanpath", dataset=dataset)
    found = {name: one for spec in specs for name, one in models(spec, benchmark).items()}
    return [
        Walker(name, one if isinstance(one, Recorded) else one.function(benchmark.files)) for name, one in found.items()
    ]


def _begin(start: Floats) -> Scanpath:
    return scanpath(start[:1], start[1:], onset_ms=[0.0], duration_ms=[250.0])


def _nearest(paths: Sequence[Scanpath], start: Floats) -> Scanpath:
    """Of several paths, the one that begins nearest to a point."""
    held = [path for path in paths if len(path)]
    return min(held, key=lambda path: float(np.hypot(*(path.points[0] - start)))) if held else scanpath([], [])


def _joined(start: Floats, path: Scanpath) -> Scanpath:
    """A path with the fixation that it goes on from."""
    first = _begin(start)
    times = (np.concatenate([first.onset_ms, 250 + path.onset_ms]), np.concatenate([[250.0], path.duration_ms]))
    return Scanpath(np.concatenate([first.x, path.x]), np.concatenate([first.y, path.y]), *times)
