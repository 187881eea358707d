"""Drifting gratings in a disc: what is summed over space, and up to which size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from beholder.errors import Misuse
from beholder.motion.stimuli.drawing import Floats, disc, ramp, wave
from beholder.motion.stimuli.sampling import Check, Sampling, carrier, fit
from beholder.motion.stimuli.settings import check_settings, numeric_settings
from beholder.motion.types import Percept


@dataclass(frozen=True)
class Grating:
    """A sinusoid that drifts along its own normal, in a disc on a field of its mean luminance."""

    diameter: float = 20.0  # deg; the series 2.5 … 40 is ours [placeholder]
    frequency: float = 0.27  # cycles/deg [verified]
    speed: float = 37.0  # deg/s [verified], hence 9.99 Hz
    contrast: float = 1.0  # Michelson [placeholder]
    mean: float = 50.0  # cd/m² [placeholder]
    phase: float = 0.0  # cycles
    edge: float = 0.0  # deg of a raised cosine inside the rim; 0 is sharp, one pixel of blur
    direction: float = 0.0
    turn: int = 1

    def __post_init__(self) -> None:
        check_settings(self, ("diameter", "frequency", "speed", "mean"))
        if not 0 <= self.contrast <= 1 or not 0 <= self.edge <= self.diameter / 2:
            raise Misuse(f"grating: got contrast={self.contrast:g}, edge={self.edge:g}; expected 0 … 1, 0 … the radius")

    @property
    def hertz(self) -> float:
        """Cycles a second at every point."""
        return self.frequency * self.speed

    @property
    def percept(self) -> Percept:
        """It is seen to drift along its normal at any size."""
        along = self.direction % 360
        return Percept(
            "grating",
            object_direction=along,
            speed=self.speed,
            normal_direction=along,
            vector_average=along,
            average_speed=self.speed,
            conditions=numeric_settings(self),
            status="seed",
        )

    def checks(self, sampling: Sampling) -> list[Check]:
        """The sinusoid, and whether the disc fits."""
        return [*carrier(self.frequency, self.hertz, sampling), fit(self.diameter / 2, sampling)]

    def luminance(self, u: Floats, v: Floats, seconds: float, sampling: Sampling) -> Floats:
        """The mean, and the sinusoid within the disc."""
        stripes = wave(self.frequency * u - self.hertz * seconds + self.phase)
        window = disc(u, v, diameter=self.diameter, blur=2 * sampling.blur)
        if self.edge:
            window = window * ramp(self.diameter / 2 - np.hypot(u, v), self.edge)
        return np.asarray(self.mean * (1 + self.contrast * window * stripes))
