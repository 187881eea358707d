"""Things that vanish, emerge or teleport, and things that lawfully leave, shrink or are hidden."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from beholder.video.corruptions.cutouts import pictures, tile
from beholder.video.corruptions.pasted import GRAIN, State, Thing, clearance, laid_out, levels, paste, stamp
from beholder.video.corruptions.plans import Take
from beholder.video.scenes.paths import ease
from beholder.video.scenes.sprites import Grain
from beholder.video.types import Clip

JUMP = (0.3, 0.5)  # shares of the width
LEAVING = (0.33, 0.65)  # diagonals/s: 10 to 20 px a frame at 320 x 180 and 12 frames/s
EASING = 0.5  # s until a thing that leaves has its speed: at once would be a jump
SHRINKING = (0.55, 1.1)  # s
FADING = 0.33  # s: four frames at 12/s
SMALL = 0.45
SWEEP, CREEP = 0.3, 0.06  # widths/s of an occluder: 2.5 % of the width a frame at 12/s, or a fifth of it


def vanish(take: Take, severity: int) -> Clip:
    """Things are gone from one frame to the next."""
    return paste(take, laid_out(take), _gone, severity)


def small(take: Take, severity: int) -> Clip:
    """Small things are gone from one frame to the next."""
    return paste(take, laid_out(take, scale=SMALL), _gone, severity)


def half_transparent(take: Take, severity: int) -> Clip:
    """Things through which the clip is seen are gone from one frame to the next."""
    return paste(take, laid_out(take), lambda thing, t: State(opacity=0.5 * (t <= thing.moment)), severity)


def fade(take: Take, severity: int) -> Clip:
    """Things dissolve within a third of a second."""

    def fate(thing: Thing, t: float) -> State:
        return State(opacity=min(max(1 - (t - thing.moment) / FADING, 0.0), 1.0))

    return paste(take, laid_out(take, window=(0.12, 0.8)), fate, severity)


def _gone(thing: Thing, t: float) -> State:
    return State(opacity=float(t <= thing.moment))


def emerge(take: Take, severity: int) -> Clip:
    """Things are there from one frame to the next."""

    def fate(thing: Thing, t: float) -> State:
        return State(opacity=float(t > thing.moment or t == -math.inf))  # those not concerned are there all the time

    return paste(take, laid_out(take), fate, severity)


def teleport(take: Take, severity: int) -> Clip:
    """Things are elsewhere from one frame to the next."""
    things = laid_out(take)
    rng = take.rng("jumps")
    jumping: list[Thing] = []
    for thing in things:
        ended = [replace(other, place=other.place + other.extra["jump"]) for other in jumping]
        others = [other for other in things if other is not thing] + ended
        jumping.append(replace(thing, extra={"jump": _jump(take, thing, others, rng)}))
    return paste(take, jumping, lambda thing, t: State(thing.extra["jump"] * (t > thing.moment)), severity)


def _jump(take: Take, thing: Thing, others: Sequence[Thing], rng: np.random.Generator) -> complex:
    """A jump that ends within the frame, as far from the other things as can be had."""
    height, width = take.size
    near = 1.1 * thing.radius
    tried = [cmath.rect(rng.uniform(*JUMP) * width, rng.uniform(0, 2 * math.pi)) for _ in range(60)]
    ends = [thing.place + step for step in tried]
    inside = [near < e.real < width - near and near < e.imag < height - near for e in ends]
    fitting = [step for step, fits in zip(tried, inside, strict=True) if fits]
    across = complex(math.copysign(0.35 * width, width / 2 - thing.place.real))
    return max(fitting[:8] or [across], key=lambda step: clearance(thing, others, step))


def leave(take: Take, severity: int) -> Clip:
    """Things speed up and leave through the nearest border."""
    rng = take.rng("ways")
    things = laid_out(take, window=(0.08, 0.5))
    leaving = [replace(thing, extra={"away": _away(take, thing) * rng.uniform(*LEAVING)}) for thing in things]

    def fate(thing: Thing, t: float) -> State:
        late = max(t - thing.moment, 0.0)
        way = late**2 / (2 * EASING) if late < EASING else late - EASING / 2
        return State(thing.extra["away"] * take.diagonal * way)

    return paste(take, leaving, fate, severity)


def _away(take: Take, thing: Thing) -> complex:
    """The direction of the nearest border."""
    height, width = take.size
    x, y = thing.place.real, thing.place.imag
    return min([(x, -1 + 0j), (width - x, 1 + 0j), (y, -1j), (height - y, 1j)], key=lambda way: way[0])[1]


def shrink(take: Take, severity: int) -> Clip:
    """Things shrink to nothing, as if they went away."""
    rng = take.rng("times")
    things = [
        replace(thing, extra={"lasts": complex(rng.uniform(*SHRINKING))})
        for thing in laid_out(take, window=(0.08, 0.5))
    ]

    def fate(thing: Thing, t: float) -> State:
        size = 1 - ease((t - thing.moment) / thing.extra["lasts"].real)
        return State(size=size if size * thing.radius > 0.4 else 0.0)

    return paste(take, things, fate, severity)


def occlusion(take: Take, severity: int) -> Clip:
    """Textured squares sweep or creep over things, which stay where they are."""
    rng = take.rng("squares")
    things = laid_out(take)
    squares = [_square(take, thing, n, rng) for n, thing in enumerate(things)]
    clip = paste(take, things, lambda thing, t: State(), severity)
    assert clip.pixels is not None
    pixels = clip.pixels.copy()
    for frame in range(len(pixels) * bool(severity)):
        canvas = pixels[frame].astype(np.float32)
        for n, square in enumerate(squares[:severity]):
            grain = Grain(GRAIN, np.random.default_rng([take.seed, frame, n, 1]))
            stamp(canvas, square, State(), grain, frame)
        pixels[frame] = levels(canvas)
    return take.with_pixels(pixels)


def _square(take: Take, thing: Thing, number: int, rng: np.random.Generator) -> Thing:
    """A square that covers a thing wholly at its moment; every second one creeps."""
    side = 2.5 * thing.radius
    sprite = tile(pictures(take.donors), side, rng)
    widths = CREEP if number % 2 else SWEEP
    own = widths * take.size[1] * cmath.exp(1j * (rng.choice([0, math.pi]) + rng.uniform(-0.3, 0.3)))
    return replace(thing, sprite=sprite, radius=side / 2, velocity=thing.velocity + own, spin=0.0)
