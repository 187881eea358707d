"""Five things pasted over a clip: where they are, and what becomes of those that a kind concerns."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.video.corruptions.cutouts import cut_out, pictures
from beholder.video.corruptions.following import camera_path
from beholder.video.corruptions.plans import MOST, Take, between_frames, moments
from beholder.video.scenes.paths import Similarity
from beholder.video.scenes.sprites import Canvas, Grain, Sprite, draw
from beholder.video.types import Bytes, Clip

SIZE = (0.20, 0.38)  # diameter, shares of the frame's short side
SPEED = (0.0065, 0.052)  # diagonals/s: 0.2 to 1.6 px a frame at 320 x 180 and 12 frames/s
SPIN = 0.35  # radians/s, at most
GRAIN = 1.2  # levels of sensor noise on what is pasted
TRIES = 24  # places that are tried for each thing; the one farthest from the others is taken


class State(NamedTuple):
    """What has become of a thing at a time."""

    offset: complex = 0j  # px
    size: float = 1.0
    opacity: float = 1.0


LAWFUL = State()  # nothing has become of it


@dataclass(frozen=True, eq=False)
class Thing:
    """A pasted thing. At its moment it is at its place; it follows the background, with a motion of its own."""

    sprite: Sprite
    radius: float  # px
    place: complex  # px
    velocity: complex  # px/s
    spin: float  # radians/s
    moment: float  # s: when something happens to it
    path: tuple[Similarity, ...]  # of the background
    rate: float
    extra: dict[str, complex] = field(default_factory=dict)  # what a kind drew for it

    def at(self, frame: int) -> Similarity:
        """How its surroundings have moved, and it with them, from its moment to a frame."""
        there = self.path[min(round(self.moment * self.rate), len(self.path) - 1)]
        late = frame / self.rate - self.moment
        own = Similarity(cmath.exp(1j * self.spin * late), self.place + self.velocity * late)
        return self.path[frame].after(there.inverse).after(own)

    def matrix(self, frame: int, state: State = LAWFUL) -> NDArray[np.float64]:
        """From the sprite's px to the frame's."""
        at = self.at(frame)
        at = Similarity(at.turn, at.shift + state.offset).after(Similarity(complex(state.size)))
        return at.after(self.sprite.centred).matrix


Fate = Callable[[Thing, float], State]  # of a thing that is concerned, at a time


def laid_out(
    take: Take, *, scale: float = 1.0, window: tuple[float, float] = (0.12, 0.88), count: int = MOST
) -> list[Thing]:
    """The things of a clip; the same whatever the severity. The first of them are the first to be concerned."""
    rng = take.rng("things")
    donors = pictures(take.donors)
    path = camera_path(take.clip)
    when = [between_frames(t, take.rate, len(take.pixels)) for t in moments(rng, take.seconds, *window)]
    things: list[Thing] = []
    for moment in when[:count]:
        radius = rng.uniform(*SIZE) / 2 * min(take.size)
        sprite = cut_out(donors, scale * radius, rng)
        velocity = cmath.rect(rng.uniform(*SPEED) * take.diagonal, rng.uniform(0, 2 * math.pi))
        spin = float(rng.uniform(-SPIN, SPIN))
        places = [_somewhere(take.size, radius, rng) for _ in range(TRIES)]
        tried = [Thing(sprite, scale * radius, p, velocity, spin, moment, path, take.rate) for p in places]
        things.append(max(tried, key=lambda thing: clearance(thing, things)))
    return things


def _somewhere(size: tuple[int, int], radius: float, rng: np.random.Generator) -> complex:
    """A place at which a thing is wholly within the frame."""
    near = 1.25 * radius + 2
    x, y = (rng.uniform(min(near, side / 2), max(side - near, side / 2)) for side in size[::-1])
    return complex(x, y)


def clearance(thing: Thing, others: Sequence[Thing], offset: complex = 0j) -> float:
    """The smallest gap between a thing and others over all frames, px."""
    frames = range(len(thing.path))
    own = np.array([thing.at(n).shift for n in frames]) + offset
    gaps = [np.abs(own - [other.at(n).shift for n in frames]).min() - other.radius for other in others]
    return float(min(gaps, default=0.0))


def paste(take: Take, things: Sequence[Thing], fate: Fate, severity: int) -> Clip:
    """The clip with the things in it; the first `severity` of them meet their fate."""
    states = [
        [fate(thing, t) if n < severity else fate(thing, -math.inf) for n, thing in enumerate(things)]
        for t in take.times
    ]
    frames = []
    for frame, row in enumerate(states):
        canvas = take.pixels[frame].astype(np.float32)
        for n, (thing, state) in enumerate(zip(things, row, strict=True)):
            stamp(canvas, thing, state, Grain(GRAIN, np.random.default_rng([take.seed, frame, n])), frame)
        frames.append(levels(canvas))
    return take.with_pixels(np.stack(frames))


def stamp(canvas: Canvas, thing: Thing, state: State, grain: Grain, frame: int) -> None:
    """Draw one thing into one frame."""
    if state.size > 0 and state.opacity > 0:
        draw(canvas, thing.sprite, thing.matrix(frame, state), opacity=state.opacity, grain=grain)


def levels(canvas: Canvas) -> Bytes:
    """A canvas in whole levels."""
    return np.clip(np.rint(canvas), 0, 255).astype(np.uint8)
