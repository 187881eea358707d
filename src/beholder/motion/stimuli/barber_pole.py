"""Barber poles: a grating that drifts obliquely behind a rectangle, whose edges make the illusion or break it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from beholder.errors import Misuse
from beholder.motion.stimuli.drawing import Floats, box, ramp, reach, wave
from beholder.motion.stimuli.sampling import Check, Sampling, carrier, fit
from beholder.motion.stimuli.settings import check_settings, numeric_settings
from beholder.motion.types import Percept, unit

ABOLISHED = 0.25  # of the period: indentations of this depth or more end the illusion [verified, Kooi 1993]


@dataclass(frozen=True)
class BarberPole:
    """A grating behind `length` × `breadth` degrees; the long axis is the direction, the normal `angle` degrees off it.

    `indent` cuts all sides into teeth of that share of a period, whose flanks run along and across the stripes, so that
    line ends move as the stripes do. `soft` fades the contrast towards the long sides, `masked` is the share of the
    area that is covered in the middle.
    """

    length: float = 12.0  # deg [memory: 1:1, 2:1, 3:1 are usual; ours are 12 × 12, 4, 2]
    breadth: float = 4.0  # deg
    angle: float = 45.0  # deg [memory]
    frequency: float = 0.5  # cycles/deg, ours
    hertz: float = 4.0  # cycles per second, ours
    contrast: float = 1.0  # Michelson [placeholder]
    mean: float = 50.0  # cd/m² [placeholder]
    indent: float = 0.0  # periods
    soft: float = 0.0  # deg of a raised cosine inside the long sides
    masked: float = 0.0  # share of the area; up to 0.9 was shown to people [verified]
    direction: float = 0.0
    turn: int = 1

    def __post_init__(self) -> None:
        check_settings(self, ("length", "breadth", "frequency", "hertz", "mean"))
        if not 0 < self.angle < 90 or self.breadth > self.length:
            raise Misuse(
                f"barberpole: got angle={self.angle:g}, {self.length:g} × {self.breadth:g}; "
                "expected an angle between 0 and 90, and length ≥ breadth"
            )
        if not 0 <= self.contrast <= 1 or not 0 <= self.masked < 1 or not 0 <= self.soft <= self.breadth / 2:
            raise Misuse("barberpole: got contrast, masked or soft out of range; expected 0 … 1, 0 … 1, 0 … breadth/2")
        if not 0 <= self.indent / self.frequency < self.breadth / 2:
            raise Misuse(f"barberpole: got indent={self.indent:g} periods; expected teeth below half the breadth")

    @property
    def speed(self) -> float:
        """Of the stripes along their normal, deg/s."""
        return self.hertz / self.frequency

    @property
    def terminators(self) -> float:
        """Direction of the sum of all line ends' velocities, degrees from the long axis: atan(breadth / length).

        The long sides hold 2·L·f·cos θ of them at V/cos θ, the short ones 2·W·f·sin θ at V/sin θ: 2·f·V·(L, W) in all.

        >>> [round(BarberPole(length=12, breadth=breadth).terminators, 4) for breadth in (4, 2)]
        [18.4349, 9.4623]
        """
        return float(np.degrees(np.arctan2(self.breadth, self.length)))

    @property
    def illusory(self) -> bool:
        """Whether people see the stripes run along the long axis in the end: not in a square, nor with deep teeth."""
        return self.breadth < self.length and self.indent < ABOLISHED

    @property
    def percept(self) -> Percept:
        """In the end the long axis, where there is an illusion; first, and otherwise, the normal of the stripes."""
        normal = (self.direction + self.turn * self.angle) % 360
        return Percept(
            "barber",
            object_direction=self.direction % 360 if self.illusory else normal,
            speed=self.speed / unit(self.angle)[0] if self.illusory else self.speed,
            normal_direction=normal,
            vector_average=normal,
            average_speed=self.speed,
            conditions=numeric_settings(self)
            | {"aspect": self.length / self.breadth, "terminators": self.terminators, "speed": self.speed},
            status=self._status(),
        )

    def _status(self) -> str:
        """How well it is known what people see in the end. How far shallow teeth and soft sides go is not."""
        if self.soft or 0 < self.indent < ABOLISHED:
            return "placeholder"
        if self.indent:
            return "verified"
        return "seed" if self.illusory and not self.masked else "derived"

    def checks(self, sampling: Sampling) -> list[Check]:
        """The stripes, and whether the rectangle fits as it is turned."""
        corners = [(self.length / 2, side * self.breadth / 2) for side in (-1, 1)]
        return [*carrier(self.frequency, self.hertz, sampling), fit(reach(self, corners), sampling)]

    def luminance(self, u: Floats, v: Floats, seconds: float, sampling: Sampling) -> Floats:
        """The mean, and the stripes within the aperture."""
        cosine, sine = unit(self.angle)
        stripes = wave(self.frequency * (u * cosine + v * sine) - self.hertz * seconds)
        return np.asarray(self.mean * (1 + self.contrast * self.aperture(u, v, 2 * sampling.blur) * stripes))

    def aperture(self, u: Floats, v: Floats, blur: float) -> Floats:
        """How much of the stripes is seen at each point: 0 … 1. One pixel of blur: the sides' line ends are the cue."""
        if self.indent:
            seen = self._toothed(u, v, self.breadth, self.angle, blur) * self._toothed(
                v, u, self.length, 90 - self.angle, blur
            )
        else:
            seen = box(u, self.length, blur) * box(v, self.breadth, blur)
        if self.masked:
            cut = 2 * self.rim
            seen = np.maximum(seen - box(u, self.length - cut, blur) * box(v, self.breadth - cut, blur), 0)
        if self.soft:
            seen = seen * ramp(self.breadth / 2 - np.abs(v), self.soft)
        return np.asarray(seen)

    @property
    def rim(self) -> float:
        """Degrees that the mask leaves on every side: (L − 2r)(W − 2r) = masked · L · W.

        >>> round(BarberPole(length=12, breadth=4, masked=0.5).rim, 4)
        0.8377
        """
        sides, shown = self.length + self.breadth, (1 - self.masked) * self.length * self.breadth
        return float(sides - np.sqrt(sides**2 - 4 * shown)) / 4

    def _toothed(self, along: Floats, across: Floats, breadth: float, angle: float, blur: float) -> Floats:
        """Coverage between two toothed sides; the far one is the near one turned by 180°, so that flanks are parallel.

        A tooth rises along the normal of the stripes and falls along the stripes; distances are to its nearest flank.
        """
        depth = self.indent / self.frequency
        cosine, sine = unit(angle)
        rise, fall = depth * cosine / sine, depth * sine / cosine
        where = np.where(across < 0, -along, along) % (rise + fall)
        rising = where < rise
        height = np.where(rising, where * sine / cosine, depth - (where - rise) * cosine / sine)
        inside = (breadth / 2 - depth + height - np.abs(across)) * np.where(rising, cosine, sine)
        return np.asarray(ndtr(inside / blur))
