"""When things happen in a clip, and the parts that all changes share: its clock, its size, its randomness."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from beholder.core.randomness import rng_for
from beholder.video.types import ASSUMED_RATE, Bytes, Clip, Floats, Poses

MOST = 5  # events of a clip at the highest severity


@dataclass(frozen=True, eq=False)
class Take:
    """A clip that is to be changed."""

    clip: Clip
    pixels: Bytes
    rate: float
    kind: str
    seed: int
    donors: tuple[Bytes, ...] = ()  # (H, W, 3): pictures from which things are cut out

    @property
    def times(self) -> Floats:
        """Seconds at which its frames are shown."""
        return np.arange(len(self.pixels)) / self.rate

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return len(self.pixels) / self.rate

    @property
    def size(self) -> tuple[int, int]:
        """Height and width."""
        return self.pixels.shape[1], self.pixels.shape[2]

    @property
    def diagonal(self) -> float:
        """Of its frames, px."""
        return math.hypot(*self.size)

    def rng(self, *names: str) -> np.random.Generator:
        """Never depends on severity, so that per severity contains what the one below does."""
        return rng_for(self.seed, self.kind, *names)

    def with_pixels(self, pixels: Bytes) -> Clip:
        """The clip with other frames, as many as before."""
        return replace(self.clip, pixels=pixels, path=None, rate=self.rate, content="")


def take(clip: Clip, kind: str, seed: int, donors: tuple[Bytes, ...] = ()) -> Take:
    """A clip in memory, ready to be changed; its frames are not written to."""
    if clip.pixels is None:
        raise ValueError("got a clip in a file; expected frames in memory; decode it first")
    if len(clip.pixels) < 2:
        raise ValueError(f"got a clip of {len(clip.pixels)} frames; expected two or more")
    rate = ASSUMED_RATE if math.isnan(clip.rate) else clip.rate
    return Take(clip, clip.pixels, rate, kind, seed, donors)


def moments(rng: np.random.Generator, seconds: float, start: float = 0.12, end: float = 0.88) -> Floats:
    """Five moments well apart, in random order, within a part of a clip.

    >>> bool((np.diff(np.sort(moments(np.random.default_rng(0), 2.5))) > 0.1).all())
    True
    """
    slot = (end - start) / MOST
    return np.asarray((start + (rng.permutation(MOST) + rng.uniform(0.2, 0.8, MOST)) * slot) * seconds)


def between_frames(moment: float, rate: float, count: int) -> float:
    """The nearest moment half-way between two frames with at least three frames before and after it."""
    frame = min(max(round(moment * rate - 0.5), 2), max(count - 4, 0))
    return (frame + 0.5) / rate


def burst_frames(middles: Floats, lengths: Floats, times: Floats) -> list[NDArray[np.intp]]:
    """The frames within each burst; at least the one nearest to its middle."""
    found = []
    for middle, length in zip(middles, lengths, strict=True):
        nearest = int(np.argmin(np.abs(times - middle)))
        found.append(np.flatnonzero(np.abs(times - times[nearest]) <= length / 2))
    return found


def retimed(clip: Clip, rate: float, order: NDArray[np.intp]) -> Clip:
    """The clip with its frames, and its keypoints with them, in another order."""
    assert clip.pixels is not None  # `take` has looked
    bodies = tuple(Poses(p.skeleton, p.points[order], p.confidence[order]) for p in clip.poses)
    return replace(clip, pixels=clip.pixels[order], poses=bodies, rate=rate, content="")
