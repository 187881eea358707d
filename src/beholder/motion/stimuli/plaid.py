"""Plaids: two gratings in one disc, whose common motion need not lie between theirs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from beholder.errors import Misuse
from beholder.motion.stimuli.drawing import Floats, disc, wave
from beholder.motion.stimuli.sampling import Check, Sampling, carrier, fit
from beholder.motion.stimuli.settings import check_settings, numeric_settings
from beholder.motion.types import Percept, unit

TYPE_I = (-45.0, 45.0)  # deg: normals on both sides of the motion
TYPE_II = (48.2, 70.5)  # deg: both on one side, at speeds of 2 to 1 [memory; its 55.6° are derived]


@dataclass(frozen=True)
class Plaid:
    """The sum of two sinusoids with normals θᵢ off the common motion; each runs at V·cos θᵢ along its own normal.

    So the intersection of constraints, nᵢ · v = sᵢ, is the direction itself, and the vector average that of Σ sᵢ nᵢ.
    """

    normals: tuple[float, float] = TYPE_II
    speed: float = 10.0  # deg/s, ours
    frequency: float = 0.5  # cycles/deg of both, ours
    contrast: float = 1.0  # Michelson of the whole [placeholder]
    balance: float = 0.5  # share of the first component in the contrast
    diameter: float = 12.0  # deg, ours
    mean: float = 50.0  # cd/m² [placeholder]
    direction: float = 0.0
    turn: int = 1

    def __post_init__(self) -> None:
        check_settings(self, ("speed", "frequency", "diameter", "mean"))
        first, second = self.normals
        if first == second or max(abs(first), abs(second)) >= 90:
            raise Misuse(f"plaid: got normals {first:g}° and {second:g}°; expected two different ones within ±90°")
        if not 0 <= self.contrast <= 1 or not 0 < self.balance < 1:
            raise Misuse(f"plaid: got contrast={self.contrast:g}, balance={self.balance:g}; expected shares of 0 … 1")

    @property
    def components(self) -> Floats:
        """The velocity (u, v) of each sinusoid along its normal, deg/s."""
        vectors = np.array([unit(normal) for normal in self.normals])
        return np.asarray(self.speed * vectors[:, :1] * vectors)

    @property
    def percept(self) -> Percept:
        """In the end the intersection of constraints; brief or faint plaids of type II look like the vector average.

        >>> round(Plaid().percept.bias, 2), round(Plaid(normals=TYPE_I).percept.bias, 2)
        (55.6, 0.0)
        """
        u, v = self.components.mean(axis=0)
        average = self.direction + self.turn * float(np.degrees(np.arctan2(v, u)))
        return Percept(
            "plaid",
            object_direction=self.direction % 360,
            speed=self.speed,
            vector_average=average % 360,
            average_speed=float(np.hypot(u, v)),
            conditions=numeric_settings(self) | dict(zip(("first_normal", "second_normal"), self.normals, strict=True)),
            status="memory",
        )

    def checks(self, sampling: Sampling) -> list[Check]:
        """The faster sinusoid, and whether the disc fits."""
        fastest = float(np.hypot(*self.components.T).max())
        return [*carrier(self.frequency, self.frequency * fastest, sampling), fit(self.diameter / 2, sampling)]

    def luminance(self, u: Floats, v: Floats, seconds: float, sampling: Sampling) -> Floats:
        """The mean, and both sinusoids within the disc."""
        moved = u - self.speed * seconds
        stripes = np.zeros_like(u)
        for share, normal in zip((self.balance, 1 - self.balance), self.normals, strict=True):
            cosine, sine = unit(normal)
            stripes += share * wave(self.frequency * (moved * cosine + v * sine))
        window = disc(u, v, diameter=self.diameter, blur=2 * sampling.blur)
        return np.asarray(self.mean * (1 + self.contrast * window * stripes))
