"""Scenes in depth: a movie for each eye, whose layers differ by their disparity."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from beholder.core.measure import NotApplicable
from beholder.errors import Misuse
from beholder.motion.stimuli.barber_pole import BarberPole
from beholder.motion.stimuli.diamond import Texture
from beholder.motion.stimuli.drawing import Derived, Floats, reach, wave
from beholder.motion.stimuli.drawn import drawn
from beholder.motion.stimuli.sampling import Check, Sampling, carrier, fit
from beholder.motion.types import Movie, Percept, unit

LEFT, RIGHT = 1, -1  # eyes: what is near lies further to the right in the left eye


@dataclass(frozen=True, eq=False)
class BinocularMovie:
    """What both eyes see at the same instants. A model that looks with one eye takes `left` or `right`, a `Movie`."""

    left: Movie
    right: Movie

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotApplicable(  # a model of one movie is no worse for it
            f"this is a binocular pair, which has no {name!r}: it takes a model that looks at pair.left and "
            "pair.right, two movies; one that sees with one eye may be given pair.left"
        )


@dataclass(frozen=True, eq=False)
class DeepPole:
    """A barber pole before, in or behind the plane of a textured surround.

    `disparity` is that of the stripes against the surround, in degrees: above 0 they are nearer and carry their own
    edges with them; below 0 they are farther and seen through a hole, whose edges belong to the surround. Only then do
    the line ends tell nothing of the stripes' motion, and the pole's direction is no longer seen.
    """

    pole: BarberPole
    surround: Texture
    disparity: float = 0.0  # deg, ours [placeholder]
    contrast: float = 0.5  # of the surround's texture, ours [placeholder]

    def __post_init__(self) -> None:
        if not np.isfinite(self.disparity) or not 0 <= self.contrast <= 1:
            raise Misuse(
                f"deeppole: got disparity={self.disparity:g}, contrast={self.contrast:g}; "
                "expected finite degrees, and 0 … 1"
            )

    @property
    def direction(self) -> float:
        """The long axis of the pole."""
        return self.pole.direction

    @property
    def turn(self) -> int:
        """That of the pole."""
        return self.pole.turn

    @property
    def percept(self) -> Percept:
        """Before and in the surround's plane the pole's own; behind it the stripes' normal, as far as is remembered."""
        of = self.pole.percept
        conditions = {**of.conditions, "disparity": self.disparity}
        if self.disparity < 0:
            of = replace(of, object_direction=of.normal_direction, speed=self.pole.speed)
        return replace(of, kind="deep barber", conditions=conditions, status="memory")

    def checks(self, sampling: Sampling) -> list[Check]:
        """The stripes, and whether the rectangle fits wherever an eye sees it."""
        corners = [(self.pole.length / 2, side * self.pole.breadth / 2) for side in (-1, 1)]
        far = reach(self.pole, corners) + max(self.disparity, 0) / 2
        return [*carrier(self.pole.frequency, self.pole.hertz, sampling), fit(far, sampling)]

    def seen_by(self, eye: int) -> OneEye:
        """The scene of one eye."""
        return OneEye(self, eye)


@dataclass(frozen=True, eq=False)
class OneEye(Derived[DeepPole]):
    """A scene in depth as one eye sees it, which is a scene to be drawn."""

    scene: DeepPole
    eye: int

    def luminance(self, u: Floats, v: Floats, seconds: float, sampling: Sampling) -> Floats:
        """The stripes where this eye sees them, within edges that are theirs if they are near."""
        scene, pole = self.scene, self.scene.pole
        du, dv = self.offset
        edges = (u - du, v - dv) if scene.disparity > 0 else (u, v)
        window = pole.aperture(*edges, 2 * sampling.blur)
        cosine, sine = unit(pole.angle)
        stripes = wave(pole.frequency * ((u - du) * cosine + (v - dv) * sine) - pole.hertz * seconds)
        behind = scene.contrast * (2 * scene.surround(u, v) - 1)
        return np.asarray(pole.mean * (1 + window * pole.contrast * stripes + (1 - window) * behind))

    @property
    def offset(self) -> tuple[float, float]:
        """Half of the disparity, to the right for the left eye, along u and v."""
        shift = self.eye * self.scene.disparity / 2
        cosine, sine = unit(self.direction)
        return shift * cosine, -self.turn * shift * sine


def binocular(scene: DeepPole, sampling: Sampling) -> BinocularMovie:
    """A scene in depth on the grids of both eyes."""
    return BinocularMovie(*(drawn(scene.seen_by(eye), sampling) for eye in (LEFT, RIGHT)))
