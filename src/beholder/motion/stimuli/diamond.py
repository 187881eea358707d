"""Translating diamonds: outlines whose edges all point to one side of their motion, and the controls for it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from beholder.errors import Misuse
from beholder.motion.stimuli.drawing import Floats, reach, strokes, wave
from beholder.motion.stimuli.polygons import Point, Polygon, Stroke, covered
from beholder.motion.stimuli.sampling import Check, Sampling, carrier, fit, stroke
from beholder.motion.stimuli.settings import check_settings, numeric_settings
from beholder.motion.types import Percept, unit

BAND = (0.5, 1.25)  # cycles/deg of the texture [placeholder]: fine within the figure, and slow enough for 50 Hz
WAVES = 48  # sinusoids of a texture: enough that no direction stands out


@dataclass(frozen=True, eq=False)
class Texture:
    """Noise in a band of frequencies, as a sum of plane waves: exact at every point, so that it moves rigidly."""

    frequency: Floats  # (n, 2), cycles/deg
    phase: Floats  # (n,), cycles

    def __call__(self, u: Floats, v: Floats) -> Floats:
        """Shades of 0 … 1, around one half; two and a half standard deviations reach black and white."""
        waves = zip(self.frequency, self.phase, strict=True)
        total = sum((wave(u * along + v * across + phase) for (along, across), phase in waves), np.zeros_like(u))
        spread = np.sqrt(len(self.phase) / 2)
        return np.asarray(np.clip(0.5 + total / (5 * spread), 0, 1))


def texture(rng: np.random.Generator) -> Texture:
    """A random texture of all orientations."""
    radius, angle = rng.uniform(*BAND, WAVES), rng.uniform(0, 2 * np.pi, WAVES)
    return Texture(np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1), rng.random(WAVES))


@dataclass(frozen=True, eq=False)
class Diamond:
    """A rhombus of four strokes; its long axis is `tilt` degrees off the perpendicular to its motion.

    With a tilt of 45° and a half-angle of 7.5° both pairs of edges have their normals on one side of the motion, at
    37.5° and 52.5°, and the vector average is 44.007° off (type II). Turn 1 (ccw) means that this bias is
    counter-clockwise. A tilt of 0 is the type I control, a `fill` that moves along the one with two-dimensional cues.
    """

    edge: float = 8.0  # deg [placeholder]
    half_angle: float = 7.5  # deg [derived: with the tilt of 45° it gives the 44° of Tlapale et al. (2012)]
    tilt: float = 45.0  # deg [derived]
    width: float = 0.5  # deg [placeholder]
    speed: float = 10.0  # deg/s [memory]
    contrast: float = 1.0  # Weber; the series down to 0.05 is ours
    background: float = 20.0  # cd/m² [placeholder]
    fill: Texture | None = None
    direction: float = 0.0
    turn: int = 1

    def __post_init__(self) -> None:
        check_settings(self, ("edge", "half_angle", "width", "speed", "background"))
        if self.half_angle >= 90 or self.contrast < -1:
            raise Misuse(
                f"diamond: got half_angle={self.half_angle:g}, contrast={self.contrast:g}; expected < 90, ≥ -1"
            )

    @property
    def normals(self) -> tuple[float, float]:
        """Directions of the two pairs of edges' normals, from that of the motion, counter-clockwise."""
        return self.tilt - self.half_angle, self.tilt + self.half_angle

    @property
    def average(self) -> tuple[float, float]:
        """The mean of the edges' normal velocities (u, v), in units of the speed: mean of cos θ · (cos θ, sin θ).

        >>> u, v = Diamond().average
        >>> round(float(np.degrees(np.arctan2(v, u))), 4), round(float(np.hypot(u, v)), 5)
        (44.007, 0.69516)
        """
        vectors = np.array([unit(normal) for normal in self.normals])
        u, v = (vectors[:, :1] * vectors).mean(axis=0)
        return float(u), float(v)

    @property
    def percept(self) -> Percept:
        """In the end the true motion; first the vector average of the edges."""
        u, v = self.average
        bias = float(np.degrees(np.arctan2(v, u))) if self.tilt else 0.0
        return Percept(
            "diamond",
            object_direction=self.direction % 360,
            speed=self.speed,
            vector_average=(self.direction + self.turn * bias) % 360,
            average_speed=self.speed * float(np.hypot(u, v)),
            conditions=numeric_settings(self) | {"textured": float(self.fill is not None)},
            status=self._status(),
        )

    def _status(self) -> str:
        """How well it is known what people see in the end; that low contrast only delays it is our reading."""
        if self.contrast < 1:
            return "derived"
        return "seed" if self.tilt and self.fill is None else "verified"

    def corners(self) -> tuple[Point, Point, Point, Point]:
        """The four corners in order, around the middle: the ends of the long axis are the first and the third."""
        x, y = unit(self.tilt + 90)
        cosine, sine = unit(self.half_angle)
        long, short = self.edge * cosine, self.edge * sine
        return (long * x, long * y), (-short * y, short * x), (-long * x, -long * y), (short * y, -short * x)

    def edges(self) -> list[Stroke]:
        """The strokes' middle lines, around the figure."""
        corners = self.corners()
        return list(pairwise((*corners, corners[0])))

    def inside(self) -> Polygon:
        """The corners of what the strokes leave free: a smaller rhombus, or none where they are too wide.

        The strokes' inner sides lie width / 2 inside the edges, and the rhombus has an inner radius of
        edge · sin(2 · half_angle) / 2.

        >>> Diamond(edge=4.0, half_angle=15.0, width=2.0).inside()
        ()
        """
        cosine, sine = unit(self.half_angle)
        share = 1 - self.width / (2 * self.edge * cosine * sine)
        return tuple((share * x, share * y) for x, y in self.corners()) if share > 0 else ()

    def checks(self, sampling: Sampling) -> list[Check]:
        """The strokes, the texture's finest wave, and whether the figure stays in the frame all along its path."""
        steepest = max(abs(unit(normal)[0]) for normal in self.normals)
        far = reach(self, self.corners(), 2 * self.speed * sampling.middle) + self.width / 2
        found = stroke(self.width, self.speed * steepest, sampling)
        found += carrier(BAND[1], BAND[1] * self.speed, sampling) if self.fill else []
        return [*found, fit(far, sampling)]

    def luminance(self, u: Floats, v: Floats, seconds: float, sampling: Sampling) -> Floats:
        """The figure at its place; it passes the centre of the frame half-way."""
        moved = u - self.speed * (seconds - sampling.middle)
        ink = strokes(moved, v, ends=self.edges(), width=self.width, blur=sampling.blur)
        if self.fill is not None:
            ink += covered(moved, v, polygon=self.inside(), blur=sampling.blur) * self.fill(moved, v)
        return np.asarray(self.background * (1 + self.contrast * ink))
