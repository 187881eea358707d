"""Simulated observers: programs whose parameters were chosen to resemble people. They are no people."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

import numpy as np

from beholder.attention.datasets._scenes import PX_PER_DEG, Scene
from beholder.attention.types import Floats, Scanpath, scanpath

Rng = np.random.Generator

VIEWING_MS = 3000.0
CENTRE = 0.2  # standard deviation of the pull to the centre, as a share of each side
FOCAL_DEG = 5.0  # after a longer saccade a fixation is ambient, and short
MEDIAN_MS = {"focal": 270.0, "ambient": 200.0}


@dataclass(frozen=True)
class Walker:
    """How one simulated observer looks."""

    name: str
    group: str
    pull: float  # share of first saccades that go to a salient place
    noise: float  # deg: standard deviation of where a saccade lands around what it aimed at


def make_walkers(count: int) -> list[Walker]:
    """Make `count` observers, steady and roaming ones in turn."""
    steady, roaming = ("steady", 0.85, 0.4), ("roaming", 0.6, 0.6)
    return [Walker(f"simulated{n:02}", *(steady if n % 2 else roaming)) for n in range(1, count + 1)]


def simulate_path(scene: Scene, walker: Walker, *, id: str, seed: int) -> Scanpath:
    """Simulate one observer's path on one picture; it does not depend on other pictures.

    From the centre, after some 220 ms, saccade follows saccade. Each goes to a salient place (less and less often), to
    the middle, or anywhere; or, more and more often, it stays near. It takes 21 + 2.2 ms a degree; the fixation after
    a short one is longer. The time in the centre before the first saccade is not part of the path.
    """
    rng = np.random.default_rng([seed, crc32(f"{id}/{walker.name}".encode())])
    size = np.array(scene.shape[::-1], np.float64)
    here, time = size / 2, rng.normal(220, 30)
    rows: list[list[float]] = []
    while time < VIEWING_MS:
        there = _inside(_saccade_target(scene, walker, rng=rng, here=here, rank=len(rows)), size)
        amplitude = float(np.hypot(*(there - here))) / PX_PER_DEG
        time += 21 + 2.2 * amplitude
        median = MEDIAN_MS["ambient" if amplitude > FOCAL_DEG else "focal"]
        lasts = max(80.0, median * float(np.exp(rng.normal(0, 0.35))))
        rows.append([*there, time, lasts])
        here, time = there, time + lasts
    x, y, onset, duration = np.array(rows).T
    return scanpath(x, y, onset_ms=onset, duration_ms=duration)


def _saccade_target(scene: Scene, walker: Walker, *, rng: Rng, here: Floats, rank: int) -> Floats:
    """Where a saccade goes."""
    size = np.array(scene.shape[::-1], np.float64)
    wobble = rng.normal(0, walker.noise * PX_PER_DEG, 2)
    if rank and rng.random() < min(0.15 + 0.03 * rank, 0.45):
        return here + rng.normal(0, 1.2 * PX_PER_DEG, 2) + wobble
    if scene.blobs and rng.random() < walker.pull * np.exp(-rank / 9):
        weights = np.array([blob.weight for blob in scene.blobs])
        blob = scene.blobs[rng.choice(len(weights), p=weights / weights.sum())]
        return size * (blob.x, blob.y) + rng.normal(0, blob.spread * PX_PER_DEG, 2) + wobble
    if rng.random() < 0.6:
        return size * rng.normal(0.5, CENTRE, 2)
    return size * rng.random(2)


def _inside(point: Floats, size: Floats) -> Floats:
    """A point, reflected at the borders."""
    folded = np.abs(point) % (2 * size)
    return np.asarray(np.clip(np.minimum(folded, 2 * size - folded), 0, np.nextafter(size, 0)))
