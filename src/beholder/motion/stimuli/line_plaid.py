"""Plaids of bars: two rectangular waves, seen now as one pattern and now as two that slide over each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from beholder.errors import Misuse
from beholder.motion.stimuli.drawing import Floats, box, disc
from beholder.motion.stimuli.sampling import Check, Sampling, carrier, fit, stroke
from beholder.motion.stimuli.settings import check_settings, numeric_settings
from beholder.motion.types import Percept, unit


@dataclass(frozen=True)
class LinePlaid:
    """Dark bars on a light disc that drift along two normals, `angle` degrees apart, around the direction.

    Where bars cross, both take their share of the light, as two filters do. The larger the angle and the faster the
    bars, the more the two are seen to slide; the smaller, the more they cohere.
    """

    angle: float = 120.0  # deg between the two normals, ours
    speed: float = 3.0  # deg/s of the bars along their normals, ours
    frequency: float = 0.4  # cycles/deg, ours [placeholder], as all that follows
    duty: float = 1 / 3  # share of a period that is bar
    contrast: float = 0.4  # share of the light that a bar takes
    diameter: float = 12.0  # deg
    background: float = 50.0  # cd/m²
    direction: float = 90.0
    turn: int = 1

    def __post_init__(self) -> None:
        check_settings(self, ("angle", "speed", "frequency", "duty", "contrast", "diameter", "background"))
        if self.angle >= 180 or self.duty >= 1 or self.contrast > 1:
            raise Misuse(
                f"lineplaid: got angle={self.angle:g}, duty={self.duty:g}, contrast={self.contrast:g}; "
                "expected an angle below 180, a duty below 1, a contrast of at most 1"
            )

    @property
    def pattern_speed(self) -> float:
        """Of the crossings, deg/s: the intersection of constraints, V / cos(angle / 2).

        >>> round(LinePlaid(angle=120.0, speed=3.0).pattern_speed, 6)
        6.0
        """
        return self.speed / unit(self.angle / 2)[0]

    @property
    def percept(self) -> Percept:
        """While it coheres, the crossings' motion; what is seen when, is a matter of durations and not in here."""
        along = self.direction % 360
        return Percept(
            "line plaid",
            object_direction=along,
            speed=self.pattern_speed,
            vector_average=along,
            average_speed=self.speed * unit(self.angle / 2)[0],
            conditions=numeric_settings(self),
            status="verified",
        )

    def checks(self, sampling: Sampling) -> list[Check]:
        """The bars, their rhythm, and whether the disc fits."""
        bars = stroke(self.duty / self.frequency, self.speed, sampling)
        return [
            *bars,
            *carrier(self.frequency, self.frequency * self.speed, sampling),
            fit(self.diameter / 2, sampling),
        ]

    def luminance(self, u: Floats, v: Floats, seconds: float, sampling: Sampling) -> Floats:
        """The light that both sets of bars leave; the disc's surround is as light as it is between bars."""
        window = disc(u, v, diameter=self.diameter, blur=2 * sampling.blur)
        left = np.full_like(u, self.background)
        for side in (-1, 1):
            cosine, sine = unit(side * self.angle / 2)
            along = u * cosine + v * sine - self.speed * seconds
            left = left * (1 - self.contrast * window * self._bars(along, sampling.blur))
        return left

    def _bars(self, along: Floats, blur: float) -> Floats:
        """Coverage of a train of bars: that of the nearest one, and of its neighbours' blur."""
        period = 1 / self.frequency
        near = (along + period / 2) % period - period / 2
        return np.asarray(sum(box(near + turn * period, self.duty * period, blur) for turn in (-1, 0, 1)))
