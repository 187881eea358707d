"""Photographs cut into layers that move over one another, with exact flow and occlusion. For a run without any data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from beholder.core.sample import Dataset, Sample
from beholder.errors import Misuse
from beholder.motion.frame_pairs import FramePair, grey
from beholder.motion.true_flow.layers import Floats, Layer, flow, frames
from beholder.motion.true_flow.types import Mask, TrueFlow, Vectors

SHAPE = (192, 256)
PATCHES = 3
TEXTURES = ("astronaut", "coffee", "chelsea", "brick", "gravel", "grass", "rocket")
# px per frame, of the ground and of patches in each class of speed of Sintel's table.
GROUND, SLOW, MIDDLE, FAST = (0.5, 6.0), (1.0, 9.0), (11.0, 35.0), (42.0, 60.0)
TURN, GROWTH = 6.0, 0.06  # degrees and share: what a patch turns and grows at most between the frames
HERTZ, PX_PER_DEG = 30.0, 30.0  # nominal: for models that work in seconds or degrees


@dataclass(frozen=True)
class Drawn:
    """The loader: each pair is drawn from its own name."""

    seed: int

    def __call__(self, id: str) -> Sample[FramePair, TrueFlow]:
        """Two frames, and the true flow between them."""
        pictures, levels = _shown(self, id)
        shown = FramePair(levels, HERTZ, PX_PER_DEG, pictures=pictures)
        return Sample(id, shown, self.reference(id), {"fastest": "s40+" if _fast(id) else "s10-40"})

    def reference(self, id: str) -> TrueFlow:
        """The true flow, without the frames."""
        true, matched = _true(self, id)
        return TrueFlow(true, {"matched": matched, "unmatched": ~matched})

    def layers(self, id: str) -> list[Layer]:
        """The ground and the patches before it, farthest first."""
        rng = np.random.default_rng([self.seed, crc32(id.encode())])
        textures = rng.permutation(TEXTURES)
        speeds = [SLOW, MIDDLE, FAST if _fast(id) else MIDDLE]
        patches = [_layer(str(textures[n + 1]), speeds[n], rng) for n in rng.permutation(PATCHES)]
        return [_layer(str(textures[0]), GROUND, rng, ground=True), *patches]


def moving_layers(count: int = 8, *, seed: int = 0) -> Dataset[FramePair, TrueFlow]:
    """Pairs of 256 × 192 px: a photograph as ground and three patches of others before it, each with its own motion.

    Each layer is shifted, turned by up to 6° and scaled by up to 6 %. Of every two pairs one has a patch faster than
    40 px per frame. Flow is exact in every pixel; a pixel is matched if and only if the second frame shows the same
    point of the same layer. The pictures are photographs, but nothing else is natural: no blur, no light that changes,
    no parallax. Tags: fastest, the class of speed of the fastest patch.
    """
    if count < 1:
        raise Misuse(f"got count={count}; expected 1 or more")
    return Dataset(
        "moving_layers",
        tuple(f"layers{n + 1}" for n in range(count)),
        Drawn(seed),
        cite="vanderWalt2014",
        licence="generated from photographs of scikit-image, which are in the public domain or under CC0",
        content=f"seed={seed},shape={SHAPE}",
        status="derived",
        about="Photographs cut into layers that move over one another, with exact flow and exact occlusion.",
    )


@lru_cache(maxsize=16)  # models ask for the same pairs one after the other
def _shown(by: Drawn, id: str) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Both frames in colours and in grey levels."""
    pictures = frames(by.layers(id), SHAPE)
    return _kept(pictures), _kept(np.stack([grey(one) for one in pictures]))


@lru_cache(maxsize=16)
def _true(by: Drawn, id: str) -> tuple[Vectors, Mask]:
    true, matched = flow(by.layers(id), SHAPE)
    return _kept(true), _kept(matched)


def _kept(array: NDArray[Any]) -> NDArray[Any]:
    """The same, which nobody can change."""
    array.setflags(write=False)
    return array


def _fast(id: str) -> bool:
    """Whether a pair has a patch of the fastest class: every second one."""
    return int(id.removeprefix("layers")) % 2 == 0


def _layer(texture: str, speeds: tuple[float, float], rng: np.random.Generator, *, ground: bool = False) -> Layer:
    size = np.array(SHAPE[::-1])
    share = 0.25 if ground else 1.0  # of what a patch turns and grows: far from the centre it adds to the speed
    centre = rng.uniform(0.25, 0.75, 2) * size
    turn, growth = np.radians(rng.uniform(-TURN, TURN)) * share, 1 + rng.uniform(-GROWTH, GROWTH) * share
    way = _shift(speeds, centre, rng)
    about = growth * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    motion = np.column_stack([about, centre + way - about @ centre])
    offset = rng.uniform(40, 120, 2)
    if ground:
        return Layer(texture, offset, motion, centre)
    radius, waves = rng.uniform(0.2, 0.3) * SHAPE[0], (int(rng.integers(2, 6)), rng.uniform(0, 0.25), rng.uniform(0, 6))
    return Layer(texture, offset, motion, centre, radius, waves)


def _shift(speeds: tuple[float, float], centre: Floats, rng: np.random.Generator) -> NDArray[np.float64]:
    """A shift of this speed; of a fast patch towards the middle, or it would leave the frame."""
    long, angle = rng.uniform(*speeds), rng.uniform(0, 2 * np.pi)
    if speeds == FAST:
        inwards = np.array(SHAPE[::-1]) / 2 - centre
        angle = np.arctan2(inwards[1], inwards[0]) + rng.uniform(-0.7, 0.7)
    return np.asarray(long * np.array([np.cos(angle), np.sin(angle)]))
