"""Where eyes go without looking: landing densities learnt from people, blind to the picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from beholder.attention.forecasts.outlooks import Cells
from beholder.attention.models._landing import (
    cells,
    draw_points,
    durations,
    first_density,
    landing_density,
    log_density,
    onsets,
    with_likelihood,
)
from beholder.attention.models._paths import Paths, Rng, clip_inside, observer_count, one_or_many
from beholder.attention.types import Density, Floats, Picture, Scanpath, scanpath
from beholder.core.cite import source
from beholder.errors import Misuse

SHORTEST_MS = 40.0  # fixations that can follow one another in so long a time at most are drawn at once


def conditional_log_density(picture: Picture, path: Scanpath) -> Floats:
    """log p(y | x) of the next fixation (H, W), x the last one of a path; of the first one where it is empty."""
    return log_density(_after(path, picture.shape), picture.shape)


@dataclass(frozen=True)
class Blind:
    """A forecast from the last fixation and the size of the picture alone; its pixels are not read."""

    shape: tuple[int, int]

    def __call__(self, history: Scanpath) -> Cells | Density:
        """p(y | x) in cells of 1/64 of the width and 1/48 of the height."""
        return cells(_after(history, self.shape), self.shape)


def forecast(picture: Picture) -> Blind:
    """The forecast of a picture."""
    return Blind(picture.shape)


def _after(path: Scanpath, shape: tuple[int, int]) -> Floats:
    """Probabilities of the next fixation by cell."""
    if not len(path):
        return first_density()
    last = path.points[-1:] / shape[::-1]
    if not ((last >= 0) & (last < 1)).all():
        raise ValueError(f"got the last fixation at {path.points[-1].tolist()}; expected it inside the picture")
    return np.asarray(landing_density(last)[0])


@with_likelihood(conditional_log_density, forecast)
@source("LeMeur2015,Jiang2014", answers="scanpath", family="prior", trained_on="eyecrowd", supervised="blind")
def saccadic_prior(picture: Picture, *, rng: Rng, many: int | None = None, seconds: float = 5.0) -> Paths:
    """People's average scanpath dynamics: p(y | x) ∝ s(y − x) b(y), learnt from 500 pictures of EyeCrowd.

    s is how eyes jump and b is where they tend to be, both in sides of the picture and mirrored; the first fixation has
    a density of its own. Durations are log-normal, with 30 ms between two fixations; the path holds the fixations that
    begin within `seconds`. The model sees only the picture's size: it is a blind model with people's dynamics.

    Deviation: after Le Meur and Liu's joint density of amplitude and direction, from memory, without their salience and
    memory. The parameters are ours: see `beholder.attention.learning.saccadic_prior`.
    """
    if not 0 < seconds < np.inf:
        raise Misuse(f"got seconds={seconds}; expected above 0")
    count = observer_count(many)
    lasts = durations((count, int(np.ceil(1000 * seconds / SHORTEST_MS))), rng)
    times = onsets(lasts)
    points = [draw_points(np.broadcast_to(first_density(), (count, *first_density().shape)), rng)]
    while len(points) < (times < 1000 * seconds).sum(axis=1).max():
        points.append(draw_points(landing_density(points[-1]), rng))
    places = clip_inside(np.stack(points, axis=1) * picture.shape[::-1], picture.shape)
    return one_or_many([_cut(*each, until=1000 * seconds) for each in zip(places, times, lasts, strict=True)], many)


def _cut(places: Floats, times: Floats, lasts: Floats, *, until: float) -> Scanpath:
    """The fixations that begin in time; the last one may go on after it."""
    held = int((times < until).sum())
    held = min(held, len(places))
    return scanpath(*places[:held].T, onset_ms=times[:held], duration_ms=lasts[:held])
