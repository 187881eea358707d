"""Free photographs and pop-out displays with simulated observers: it needs nothing, and proves nothing of people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from beholder.attention.datasets import _scenes
from beholder.attention.datasets._scenes import PX_PER_DEG, SCENES
from beholder.attention.datasets._walkers import make_walkers, simulate_path
from beholder.attention.people.controls import FixationPool, pool_fixations
from beholder.attention.types import Lookers, Picture, Scanpath
from beholder.core.cite import source
from beholder.core.sample import Dataset, Sample
from beholder.errors import Misuse

STATUS = "placeholder"  # no person looked
ABOUT = (
    "SIMULATED observers, not people: {count} programs look for 3 s at places marked by hand, at the middle and at "
    "random places. The pictures are scikit-image's free photographs, displays with one odd item, and two "
    "featureless pictures. For trying things out: no score here says anything about human vision. 16 px per degree."
)


@source("vanderWalt2014")
def simulated(observers: int = 10, *, seed: int = 0) -> Dataset[Picture, Lookers]:
    """Twelve pictures with simulated observers of two groups, steady and roaming.

    Tag "kind": photograph, pop-out (the odd item draws every eye) or featureless (nothing does).
    """
    if not 2 <= observers <= 99:
        raise Misuse(f"got observers={observers}; expected 2 … 99")
    looking = make_walkers(observers)
    paths = {
        id: {one.name: simulate_path(scene, one, id=id, seed=seed) for one in looking} for id, scene in SCENES.items()
    }
    shapes = {id: scene.shape for id, scene in SCENES.items()}
    groups = {one.name: one.group for one in looking}
    return Dataset(
        "simulated",
        tuple(SCENES),
        Simulation(paths, pool_fixations(paths, shapes), groups, seed),
        cite="vanderWalt2014",
        licence="photographs: public domain or CC0; everything else is generated",
        content=f"observers={observers},seed={seed}",
        status=STATUS,
        people="simulated",
        about=ABOUT.format(count=observers),
    )


@dataclass(frozen=True, eq=False)
class Simulation:
    """The loader: pictures are drawn or read when asked for."""

    paths: Mapping[str, Mapping[str, Scanpath]]
    pool: FixationPool
    groups: Mapping[str, str]
    seed: int

    def __call__(self, id: str) -> Sample[Picture, Lookers]:
        """One picture and everybody who is simulated to look at it."""
        shown = Picture(_scenes.pixels(id, self.seed), PX_PER_DEG)
        return Sample(id, shown, self.reference(id), {"kind": SCENES[id].kind})

    def reference(self, id: str) -> Lookers:
        """Who is simulated to look, without the picture."""
        shape = SCENES[id].shape
        controls = self.pool.controls_for(id, shape)
        return Lookers(self.paths[id], shape, PX_PER_DEG, controls, self.groups, status=STATUS)
