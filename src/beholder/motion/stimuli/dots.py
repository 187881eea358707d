"""Random-dot kinematograms: how many dots must go one way before their common motion is seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from beholder.errors import Misuse
from beholder.motion.stimuli.drawing import Floats, disc
from beholder.motion.stimuli.sampling import Check, Sampling, fit, stroke
from beholder.motion.stimuli.settings import check_settings, numeric_settings
from beholder.motion.types import Percept

LIVES = 64  # lots drawn for each dot; after them they begin again


@dataclass(frozen=True, eq=False)
class Lots:
    """What chance decides for each life of each dot: where it is born, where it goes, whether it goes with the others.

    All are shares of 0 … 1, so that one draw serves every coherence: more of it only adds dots that go together.
    """

    place: Floats  # (LIVES, n, 2)
    heading: Floats  # (LIVES, n)
    rank: Floats  # (LIVES, n): signal where below the coherence
    age: Floats  # (n,), at the onset, in lives


def lots(count: int, rng: np.random.Generator) -> Lots:
    """The lots of `count` dots."""
    if count < 1:
        raise Misuse(f"got {count} dots; expected 1 or more")
    draw = rng.random((LIVES, count, 4))
    return Lots(draw[..., :2], draw[..., 2], draw[..., 3], rng.random(count))


@dataclass(frozen=True, eq=False)
class Dots:
    """Dots in a disc: a share `coherence` goes along the direction, the others go anywhere at the same speed.

    Each lives `lifetime` seconds, then it is born elsewhere; dots that leave the field come in on its other side.
    """

    lots: Lots
    coherence: float = 0.5
    diameter: float = 12.0  # deg, ours [placeholder], as all that follows
    size: float = 0.4  # deg: a Gaussian blob, full width at half maximum
    speed: float = 6.0  # deg/s
    lifetime: float = 0.2  # s
    contrast: float = 1.0  # Weber
    background: float = 20.0  # cd/m²
    direction: float = 0.0
    turn: int = 1

    def __post_init__(self) -> None:
        check_settings(self, ("diameter", "size", "speed", "lifetime", "background"))
        if not 0 <= self.coherence <= 1 or self.contrast < -1:
            raise Misuse(f"dots: got coherence={self.coherence:g}, contrast={self.contrast:g}; expected 0 … 1, ≥ -1")

    @property
    def percept(self) -> Percept:
        """The common direction; the mean velocity of all dots is the coherence times the speed."""
        along = self.direction % 360
        return Percept(
            "dots",
            object_direction=along,
            speed=self.speed,
            vector_average=along if self.coherence else np.nan,
            average_speed=self.speed * self.coherence,
            conditions=numeric_settings(self) | {"count": float(len(self.lots.age))},
            status="placeholder",
        )

    def places(self, seconds: float) -> Floats:
        """The dots (u, v) at a time, in degrees; each is within half a diameter of the centre along u and v."""
        lived = self.lots.age + seconds / self.lifetime
        life, dot = np.floor(lived).astype(int) % LIVES, np.arange(len(lived))
        signal = self.lots.rank[life, dot] < self.coherence
        angle = np.where(signal, 0.0, 2 * np.pi * self.lots.heading[life, dot])
        path = (self.speed * self.lifetime * (lived % 1))[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return np.asarray((self.lots.place[life, dot] + path / self.diameter) % 1 * self.diameter - self.diameter / 2)

    def checks(self, sampling: Sampling) -> list[Check]:
        """A dot's size and step, as of a stroke, and whether the disc fits."""
        return [*stroke(self.size, self.speed, sampling), fit(self.diameter / 2, sampling)]

    def luminance(self, u: Floats, v: Floats, seconds: float, sampling: Sampling) -> Floats:
        """The background, and the dots within the disc; the prefilter widens them a little."""
        variance = (self.size / 2.3548) ** 2 + sampling.blur**2  # 2.3548 = 2·√(2 ln 2), width at half maximum to sd
        bare = np.ones_like(u)
        for x, y in self.places(seconds):
            bare *= 1 - np.exp(-((u - x) ** 2 + (v - y) ** 2) / (2 * variance))
        window = disc(u, v, diameter=self.diameter, blur=2 * sampling.blur)
        return np.asarray(self.background * (1 + self.contrast * window * (1 - bare)))
