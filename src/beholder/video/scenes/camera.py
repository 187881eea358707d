"""A camera that rests, pans, zooms, rolls or is held by hand."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from beholder.video.scenes.paths import Similarity

MIDDLE = 1.25  # s: when the world is where its places say; scenes are written around this moment
WAVES = 6  # sinusoids of a hand's shake
SLOWEST, FASTEST = 0.3, 2.0  # Hz: a hand sways more than it trembles


class Rates(NamedTuple):
    """How the picture moves, as it is read from a clip."""

    pan: complex  # of the middle of the frame, right and down, diagonals per second
    zoom: float  # log of the magnification per second
    roll: float  # degrees per second, counter-clockwise


@dataclass(frozen=True)
class Camera:
    """Motion of the picture, not of the camera: a picture that pans to the right shows what is further left."""

    pan: complex = 0j  # right and down, diagonals per second
    zoom: float = 0.0  # log of the magnification per second
    roll: float = 0.0  # degrees per second, counter-clockwise
    shake: float = 0.0  # diagonals: standard deviation of a hand's sway in each direction
    seed: int = 0  # of the sway

    def view(self, t: float) -> Similarity:
        """Where the places of the world are seen at a time; the integral of constant rates about the frame's middle."""
        rate = complex(self.zoom, -math.radians(self.roll))  # y points down: counter-clockwise is negative
        turn = cmath.exp(rate * (t - MIDDLE))
        drift = self.pan * ((turn - 1) / rate if rate else t - MIDDLE)
        return Similarity(turn, drift + self.sway(t))

    def sway(self, t: float) -> complex:
        """The shake of a hand: a few slow sinusoids, the faster the smaller."""
        if not self.shake:
            return 0j
        rng = np.random.default_rng([self.seed, 71])
        hertz = np.geomspace(SLOWEST, FASTEST, WAVES) * rng.uniform(0.85, 1.15, WAVES)
        phases = rng.uniform(0, 2 * np.pi, (2, WAVES))
        sizes = 1 / hertz / np.sqrt(np.sum(1 / hertz**2) / 2)
        x, y = (sizes * np.sin(2 * np.pi * hertz * t + phases)).sum(1) * self.shake
        return complex(x, y)

    def rates(self, t: float, step: float) -> Rates:
        """The mean rates between a time and a step later, as a homography between two frames shows them."""
        between = self.view(t + step).after(self.view(t).inverse)
        turned = cmath.log(between.turn)
        return Rates(between.shift / step, turned.real / step, -math.degrees(turned.imag) / step)

    @property
    def moves(self) -> bool:
        """Whether the picture moves at all."""
        return bool(self.pan or self.zoom or self.roll or self.shake)
