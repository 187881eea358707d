"""Barber poles before, in and behind the plane of their surround: a movie for each eye."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from beholder.core.sample import Dataset, Sample
from beholder.motion.stimuli.barber_pole import BarberPole
from beholder.motion.stimuli.depth import BinocularMovie, DeepPole, binocular
from beholder.motion.stimuli.diamond import texture
from beholder.motion.stimuli.sampling import Sampling
from beholder.motion.stimuli.suite import compass, sampling_of
from beholder.motion.types import Percept
from beholder.store.digest import digest

DISPARITIES = (0.5, 0.0, -0.5)  # deg, crossed above 0, ours [placeholder]; half a degree is seen at once
PLACES = {1: "before", 0: "level", -1: "behind"}


def depths(full: bool = False, *, profile: str = "", seed: int = 0) -> Dataset[BinocularMovie, Percept]:
    """Stripes in a rectangle of 10 × 2°, in front of (0.5°), level with, or behind (0.5°) a textured surround.

    The rectangles are horizontal and drift right or left; `full` adds upright ones, mirror images and smaller
    disparities. Tags: depth (before, level, behind), disparity.
    """
    rng = np.random.default_rng(seed)
    ways = (0.0, 180.0, 90.0, 270.0) if full else (0.0, 180.0)
    apart = (*DISPARITIES, 0.25, -0.25) if full else DISPARITIES
    scenes = [
        DeepPole(BarberPole(length=10.0, breadth=2.0, direction=way, turn=turn), texture(rng), disparity)
        for way in ways
        for turn in ((1, -1) if full else (1,))
        for disparity in apart
    ]
    named = {f"depth{at}": scene for at, scene in enumerate(scenes)}
    sampling = sampling_of(profile, full, 112)
    return Dataset(
        "depths",
        tuple(named),
        _Draw(named, sampling),
        cite="Shimojo1989",
        licence="generated",
        content=digest(scenes, sampling),
        about="A barber pole in depth: behind its surround, its line ends belong to the surround and do not mislead.",
    )


@dataclass(frozen=True, eq=False)
class _Draw:
    scenes: Mapping[str, DeepPole]
    sampling: Sampling

    def __call__(self, id: str) -> Sample[BinocularMovie, Percept]:
        scene = self.scenes[id]
        return Sample(id, binocular(scene, self.sampling), scene.percept, _tags(scene))


def _tags(scene: DeepPole) -> dict[str, str]:
    return {
        "class": scene.percept.kind,
        "direction": compass(scene.direction),
        "turn": "ccw" if scene.turn == 1 else "cw",
        "depth": PLACES[int(np.sign(scene.disparity))],
        "disparity": f"{scene.disparity:g}",
    }
