"""scanDDM of D'Amelio and others: cells of a scene race to be looked at next, which says when, too."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beholder.attention.models._paths import (
    Guide,
    Paths,
    Rng,
    clip_inside,
    guide_map,
    last_point,
    observer_count,
    one_or_many,
)
from beholder.attention.types import Floats, Picture, Scanpath, scanpath
from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.vision.scales import resized

# Of the public demonstration [V].
SHORT = 15  # cells of the shorter side
STEP = 1 / 250  # s: a tenth of a frame at 25 a second
DELAY = 0.06  # s: before that no evidence grows
LEAST = 1e-3  # of the greatest value: cells below take no part
LEAD = 1.0  # over the second, with which a race is won


@dataclass(frozen=True)
class Race:
    """Constants of scanDDM, those of its public demonstration [V]."""

    noise: float = 7.0  # s: variance of the evidence a second
    eta: float = 17.0  # how fast evidence grows
    k: float = 10.0  # cells: width of Cauchy's law

    def __post_init__(self) -> None:
        if not (self.noise >= 0 and self.eta > 0 and self.k > 0):
            raise Misuse(f"got {self}; expected noise of 0 or more, eta and k above 0")


@source("DAmelio2025", answers="scanpath", family="race", supervised="as its map")
def scanddm(
    picture: Picture,
    *,
    rng: Rng,
    many: int | None = None,
    of: Guide = "itti",
    seconds: float = 5.0,
    race: Race | None = None,
    after: Scanpath | None = None,
) -> Paths:
    """Fixations won in drift-diffusion races between the cells of a grid, 15 along the shorter side.

    The value of cell p seen from c is prior_p · Cauchy(p − c) · (1 + cos 4φ)/2, φ the direction, over its maximum,
    times η / (1 + log₂(1 + prior_c)). Evidence grows by v dt + √(s dt) N(0, 1), dt 4 ms, from 60 ms on; the first cell
    that leads by 1 is next, and its time is the duration of the fixation at c. The prior is the map of `of`, a built-in
    model's name or a function from a picture to a map. The path begins in the middle, with the fixation before the
    first race, and ends after `seconds`, even within a fixation. With `after` it begins in the cell of that path's last
    fixation; races have no other memory.

    Deviation: rows and columns are not exchanged as in the public program, fixations lie anywhere in their cell instead
    of 20 px away from it, and the fixated cell takes no part in the race. Saccades take no time.
    """
    if not 0 < seconds < np.inf:
        raise Misuse(f"got seconds={seconds}; expected above 0")
    rows, columns = picture.shape
    shape = round(rows * SHORT / min(rows, columns)), round(columns * SHORT / min(rows, columns))
    track = Track.of(resized(guide_map(picture, of), shape), race or Race())
    begin = None if after is None else _cell(last_point(after, picture.shape) / picture.shape[::-1], shape)
    cells, ends = race_winners(track, count=observer_count(many), steps=round(seconds / STEP), rng=rng, begin=begin)
    paths = [_path(c, e, track, picture, rng) for c, e in zip(cells, ends, strict=True)]
    return one_or_many(paths, many)


@dataclass(frozen=True, eq=False)
class Track:
    """How fast evidence for every cell grows, seen from every cell; −inf for those that take no part."""

    shape: tuple[int, int]
    drift: Floats  # (cells, cells), per second
    noise: float

    @staticmethod
    def of(prior: Floats, race: Race) -> Track:
        """From a map of salience on the grid; a map of zeros is even."""
        flat = np.maximum(prior, 0).ravel() / prior.max() if prior.max() > 0 else np.ones(prior.size)
        row, column = (each.ravel() for each in np.indices(prior.shape))
        down, right = row[None] - row[:, None], column[None] - column[:, None]
        wide = race.k * np.array(prior.shape) / min(prior.shape)
        cauchy = (1 + (down / wide[0]) ** 2 + (right / wide[1]) ** 2) ** -1.5
        even = cauchy * (1 + np.cos(4 * np.arctan2(down, right))) / 2
        np.fill_diagonal(even, 0.0)
        value = flat * even
        value = np.where(value.max(axis=1, keepdims=True) > 0, value, even)  # all else 0: salience has nothing to say
        value /= value.max(axis=1, keepdims=True)
        drift = value * race.eta / (1 + np.log2(1 + flat))[:, None]
        return Track((prior.shape[0], prior.shape[1]), np.where(value > LEAST, drift, -np.inf), race.noise)


def _cell(sides: Floats, shape: tuple[int, int]) -> int:
    """The cell that holds a place x, y in sides of the picture."""
    return int(sides[1] * shape[0]) * shape[1] + int(sides[0] * shape[1])


def race_winners(
    track: Track, *, count: int, steps: int, rng: Rng, begin: int | None = None
) -> tuple[list[list[int]], list[list[int]]]:
    """For each observer the cells that were looked at, and the step in which each fixation ended."""
    middle = track.shape[0] // 2 * track.shape[1] + track.shape[1] // 2 if begin is None else begin
    here, begun = np.full(count, middle), np.zeros(count, int)
    evidence = np.zeros((count, len(track.drift)))
    cells: list[list[int]] = [[middle] for _ in range(count)]
    ends: list[list[int]] = [[] for _ in range(count)]
    for step in range(1, steps + 1):
        growing = (step - begun) * STEP > DELAY
        change = STEP * track.drift[here] + np.sqrt(track.noise * STEP) * rng.standard_normal(evidence.shape)
        evidence += np.where(growing[:, None], change, 0.0)
        two = np.partition(evidence, -2, axis=1)[:, -2:]
        for one in np.flatnonzero(growing & (two[:, 1] - two[:, 0] >= LEAD)):
            here[one], begun[one] = int(evidence[one].argmax()), step
            ends[one].append(step)
            cells[one].append(int(here[one]))
            evidence[one] = 0.0
    return cells, [[*each, steps] for each in ends]


def _path(cells: list[int], ends: list[int], track: Track, picture: Picture, rng: Rng) -> Scanpath:
    row, column = np.divmod(np.array(cells), track.shape[1])
    sides: NDArray[np.float64] = (np.stack([column, row], axis=1) + rng.random((len(cells), 2))) / track.shape[::-1]
    times = 1000 * STEP * np.r_[0, ends]
    places = clip_inside(sides * picture.shape[::-1], picture.shape)
    return scanpath(*places.T, onset_ms=times[:-1], duration_ms=np.diff(times))
