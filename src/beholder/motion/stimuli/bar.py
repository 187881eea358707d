"""Translating bars: tilted to their motion, alone or cut into tiles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from beholder.errors import Misuse
from beholder.motion.stimuli.drawing import Floats, reach, strokes
from beholder.motion.stimuli.polygons import Stroke
from beholder.motion.stimuli.sampling import Check, Sampling, fit, stroke
from beholder.motion.stimuli.settings import check_settings, numeric_settings
from beholder.motion.types import Percept, unit


@dataclass(frozen=True)
class Bar:
    """A bar whose normal is `tilt` degrees off its motion, counter-clockwise for turn 1; tiles share its length.

    Its ends show the true motion, its long sides only the normal part of it. The more of a bar is side, the longer
    pursuit starts along the normal; cutting it into tiles brings ends back.
    """

    length: float = 20.0  # deg [seed]; the series 2.5, 5, 10, 20 is ours
    width: float = 0.5  # deg [seed]
    tilt: float = 45.0  # deg [verified for macaque pursuit of 20° bars]
    speed: float = 16.0  # deg/s [seed]
    tiles: int = 1
    gap: float = 1.0  # deg between tiles [placeholder]
    foreground: float = 92.0  # cd/m² [seed]
    background: float = 0.2  # cd/m² [placeholder; an aperture of that luminance is verified for line figures]
    direction: float = 0.0
    turn: int = 1

    def __post_init__(self) -> None:
        check_settings(self, ("length", "width", "speed", "tiles", "gap", "background"))
        if self.foreground < 0 or abs(self.tilt) >= 90:
            raise Misuse(f"bar: got {self.foreground:g} cd/m², tilt {self.tilt:g}°; expected 0 or more, below 90")
        if self.tile <= 0:
            raise Misuse(
                f"bar: got {self.tiles} tiles in {self.length:g}° with gaps of {self.gap:g}°; lower one of them"
            )

    @property
    def tile(self) -> float:
        """The length of each tile; all tiles and gaps together keep the bar's length."""
        return (self.length - (self.tiles - 1) * self.gap) / self.tiles

    @property
    def contrast(self) -> float:
        """Weber contrast, (L − L_b) / L_b."""
        return self.foreground / self.background - 1

    @property
    def percept(self) -> Percept:
        """In the end the true motion; the vector average is the normal of the bar, `tilt` degrees off."""
        normal = (self.direction + self.turn * self.tilt) % 360
        return Percept(
            "bar",
            object_direction=self.direction % 360,
            speed=self.speed,
            normal_direction=normal,
            vector_average=normal,
            average_speed=self.speed * unit(self.tilt)[0],
            conditions=numeric_settings(self) | {"contrast": self.contrast},
            status="seed",
        )

    def ends(self) -> list[Stroke]:
        """Both ends of each tile, around the middle of the bar."""
        x, y = unit(self.tilt + 90)
        starts = -self.length / 2 + (self.tile + self.gap) * np.arange(self.tiles)
        return [((start * x, start * y), ((start + self.tile) * x, (start + self.tile) * y)) for start in starts]

    def checks(self, sampling: Sampling) -> list[Check]:
        """The stroke, and whether the bar stays in the frame all along its path."""
        ends = [end for both in self.ends() for end in both]
        x, y = unit(self.tilt)
        sides = [(u + side * x, v + side * y) for u, v in ends for side in (-self.width / 2, self.width / 2)]
        far = reach(self, sides, 2 * self.speed * sampling.middle)
        return [*stroke(self.width, self.percept.average_speed, sampling), fit(far, sampling)]

    def luminance(self, u: Floats, v: Floats, seconds: float, sampling: Sampling) -> Floats:
        """The bar at its place; it passes the centre of the frame half-way."""
        moved = u - self.speed * (seconds - sampling.middle)
        ink = strokes(moved, v, ends=self.ends(), width=self.width, blur=sampling.blur)
        return np.asarray(self.background + (self.foreground - self.background) * ink)
