"""Where things are at a time: lines between knots, orbits, and similarities of the plane.

A place is a complex number, x to the right and y down, in frame diagonals from the middle of the frame or in px.
"""

from __future__ import annotations

import cmath
import math
from bisect import bisect_right
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Similarity(NamedTuple):
    """Turns, scales and shifts the plane: z → turn·z + shift."""

    turn: complex = 1 + 0j
    shift: complex = 0j

    def __call__(self, place: complex) -> complex:
        """Where a place goes."""
        return self.turn * place + self.shift

    def after(self, first: Similarity) -> Similarity:
        """What happens if `first` happens first.

        >>> Similarity(2, 1).after(Similarity(1, 3))(0) == Similarity(2, 1)(3)
        True
        """
        return Similarity(self.turn * first.turn, self(first.shift))

    @property
    def inverse(self) -> Similarity:
        """The way back."""
        return Similarity(1 / self.turn, -self.shift / self.turn)

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The same as OpenCV's 2 x 3 matrix."""
        a, b = self.turn.real, self.turn.imag
        return np.array([[a, -b, self.shift.real], [b, a, self.shift.imag]])


def ease(u: float) -> float:
    """From 0 to 1 with a soft start and end.

    >>> ease(-1), ease(0.5), ease(2)
    (0.0, 0.5, 1.0)
    """
    u = min(max(u, 0.0), 1.0)
    return u * u * (3 - 2 * u)


@dataclass(frozen=True)
class Course:
    """A line through knots (seconds, place); before and after them it goes on, or rests if it is eased.

    >>> Course(((0, 0j), (1, 2 + 0j))).at(1.5)
    (3+0j)
    """

    knots: tuple[tuple[float, complex], ...]
    eased: bool = False

    def at(self, t: float) -> complex:
        """The place at a time."""
        if len(self.knots) == 1:
            return self.knots[0][1]
        times = [when for when, _ in self.knots]
        k = min(max(bisect_right(times, t) - 1, 0), len(times) - 2)
        u = (t - times[k]) / (times[k + 1] - times[k])
        start, end = self.knots[k][1], self.knots[k + 1][1]
        return start + (ease(u) if self.eased else u) * (end - start)

    def depth(self, t: float) -> float:
        """How near it is; lines stay where they are."""
        return 0.0


@dataclass(frozen=True)
class Orbit:
    """A circle seen at a slant: what is in front half of the time is behind for the other half."""

    centre: complex
    radius: float  # diagonals
    period: float  # s
    phase: float = 0.0  # radians
    slant: float = 0.25  # how high the ellipse is for its width

    def at(self, t: float) -> complex:
        """The place at a time."""
        turned = cmath.exp(1j * (2 * math.pi * t / self.period + self.phase))
        return self.centre + self.radius * complex(turned.real, self.slant * turned.imag)

    def depth(self, t: float) -> float:
        """How near it is: the lower half of the ellipse is in front."""
        return math.sin(2 * math.pi * t / self.period + self.phase)


def speed(path: Course | Orbit, t: float, step: float = 1e-3) -> float:
    """How fast something goes along a path, diagonals per second."""
    return abs(path.at(t + step / 2) - path.at(t - step / 2)) / step
