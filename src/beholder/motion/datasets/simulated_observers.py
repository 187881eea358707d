"""Textured patches in motion, and simulated observers: nobody was asked. For a first run without any data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.sample import Dataset, Sample
from beholder.errors import Misuse
from beholder.motion.perceived import Probes, Scene, bilinear

Floats = NDArray[np.float64]

SIZE = 96  # px
PROBES, OBSERVERS, TRIALS = 12, 4, 2
PATCHES = 3
SPEED = 3.0  # px/frame, the greatest
MARGIN = 14  # px from the border in which nobody is asked
POOLING = 6.0  # px, standard deviation of the Gaussian over which simulated observers average
GAIN, SPREAD = 0.8, 0.1  # of the observers: slower than the truth, each a little otherwise
NOISE = 0.25  # px/frame, of a trial
HERTZ, PX_PER_DEG = 30.0, 16.0
MEAN, CONTRAST = 50.0, 0.25  # cd/m²; standard deviation over the mean


class Patch(NamedTuple):
    """A disc of texture; the background is one without an edge."""

    centre: Floats  # x, y in px, midway between the frames
    radius: float
    velocity: Floats  # px/frame, y down
    waves: Floats  # n × (amplitude, frequency x, frequency y in cycles/px, phase)


@dataclass(frozen=True)
class Simulated:
    """The loader: each movie is drawn from its own number."""

    seed: int

    def __call__(self, id: str) -> Sample[Scene, Probes]:
        """A movie of textured patches with its simulated people."""
        patches, points, probes = self._drawn(id)
        frames = np.stack([picture(patches, time) for time in (-0.5, 0.5)])
        return Sample(
            id,
            Scene(frames, HERTZ, PX_PER_DEG, points=points),
            probes,
            {"set": "simulated", "movie": id},
        )

    def reference(self, id: str) -> Probes:
        """What the simulated people answered, without the frames."""
        return self._drawn(id)[2]

    def _drawn(self, id: str) -> tuple[list[Patch], Floats, Probes]:
        """Patches, probed points and answers, drawn from the movie's number."""
        rng = np.random.default_rng([self.seed, int(id.removeprefix("movie"))])
        patches = _patches(rng)
        points = rng.uniform(MARGIN, SIZE - 1 - MARGIN, (PROBES, 2))
        flow = flow_of(patches)
        people = _people(pooled(flow, points), rng)
        names = tuple(f"simulated {n + 1}" for n in range(OBSERVERS))
        return patches, points, Probes(_nearest(flow, points), people, names)


def simulated_observers(*, movies: int = 10, seed: int = 0) -> Dataset[Scene, Probes]:
    """Frame pairs of textured discs on a textured ground, each with its own motion, and simulated observers.

    A score on this dataset says nothing about people; its status is placeholder. No people took part: a simulated
    observer answers gain × (the true flow averaged under a Gaussian of 6 px) + noise. Its answers are therefore slower
    than the truth and blend neighbours at edges, which a model may or may not do as well. Tags: set, movie.
    """
    if movies < 2:
        raise Misuse(f"got movies={movies}; expected two or more")
    return Dataset(
        "simulated_observers",
        tuple(f"movie{n + 1}" for n in range(movies)),
        Simulated(seed),
        cite="Yang2025",
        licence="generated",
        content=f"seed={seed},movies={movies}",
        status="placeholder",
        people="simulated",
        about="Generated movies with simulated observers, who pool over space; no real person took part.",
    )


def _patches(rng: np.random.Generator) -> list[Patch]:
    """The ground, and discs before it, farthest first."""
    ground = Patch(np.zeros(2), np.inf, _velocity(rng), _waves(rng))
    discs = [
        Patch(rng.uniform(0.2, 0.8, 2) * SIZE, rng.uniform(0.13, 0.24) * SIZE, _velocity(rng), _waves(rng))
        for _ in range(PATCHES)
    ]
    return [ground, *discs]


def _velocity(rng: np.random.Generator) -> Floats:
    angle, speed = rng.uniform(0, 2 * np.pi), rng.uniform(0.3, 1) * SPEED
    return speed * np.array([np.cos(angle), np.sin(angle)])


def _waves(rng: np.random.Generator, count: int = 40) -> Floats:
    """Gratings of all orientations whose amplitudes fall with frequency, as in photographs; period 6 to 40 px."""
    frequency = np.exp(rng.uniform(np.log(1 / 40), np.log(1 / 6), count))
    angle, phase = rng.uniform(0, np.pi, count), rng.uniform(0, 2 * np.pi, count)
    amplitude = 1 / frequency / np.sqrt((1 / frequency**2).sum() / 2)
    return np.stack([amplitude, frequency * np.cos(angle), frequency * np.sin(angle), phase], axis=1)


def _grid() -> Floats:
    """x and y of every pixel, H × W × 2."""
    return np.stack(np.meshgrid(np.arange(SIZE), np.arange(SIZE)), axis=-1).astype(float)


def _inside(patch: Patch, time: float) -> NDArray[np.bool_]:
    away = _grid() - patch.centre - time * patch.velocity
    return np.asarray(np.hypot(away[..., 0], away[..., 1]) < patch.radius)


def picture(patches: list[Patch], time: float) -> NDArray[np.float32]:
    """The frame at a time, in frames from the middle of the pair; textures move with their patches, exactly."""
    found = np.zeros((SIZE, SIZE))
    for patch in patches:
        where = _grid() - time * patch.velocity
        amplitude, fx, fy, phase = patch.waves.T
        waves = amplitude * np.cos(2 * np.pi * (where[..., :1] * fx + where[..., 1:] * fy) + phase)
        found = np.where(_inside(patch, time), waves.sum(axis=-1), found)
    return np.clip(MEAN * (1 + CONTRAST * found), 0, None).astype(np.float32)


def flow_of(patches: list[Patch]) -> Floats:
    """The true flow midway between the frames, H × W × 2, y up."""
    found = np.zeros((SIZE, SIZE, 2))
    for patch in patches:
        found[_inside(patch, 0.0)] = patch.velocity * (1, -1)
    return found


def _nearest(flow: Floats, points: Floats) -> Floats:
    column, row = np.rint(points).astype(int).T
    return np.asarray(flow[row, column])


def pooled(flow: Floats, points: Floats) -> Floats:
    """The flow averaged under a Gaussian around each point."""
    from scipy.ndimage import gaussian_filter

    smooth = partial(gaussian_filter, sigma=POOLING, mode="nearest")
    return bilinear(np.stack([smooth(flow[..., n]) for n in (0, 1)], axis=-1), points)


def _people(seen: Floats, rng: np.random.Generator) -> Floats:
    """Answers of the observers, each with a gain, each trial with noise."""
    gains = rng.normal(GAIN, SPREAD, (OBSERVERS, 1, 1, 1))
    return np.asarray(gains * seen + rng.normal(0, NOISE, (OBSERVERS, TRIALS, *seen.shape)))
