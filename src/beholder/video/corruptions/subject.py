"""One thing that moves all the time over a clip, at a known speed."""

from __future__ import annotations

import cmath
import math

import numpy as np

from beholder.video.corruptions.cutouts import cut_out, pictures
from beholder.video.corruptions.following import camera_path
from beholder.video.corruptions.pasted import GRAIN, State, Thing, levels, stamp
from beholder.video.corruptions.plans import Take
from beholder.video.scenes.sprites import Grain
from beholder.video.types import Clip

SPEED = (0.10, 0.14)  # diagonals/s at its own speed
SIZE = (0.34, 0.42)  # diameter, shares of the short side
RADIUS = (0.10, 0.13)  # of its circle, shares of the short side
FACTORS = (0.5, 0.7, 1.0, 1.3, 1.6, 2.0)  # of its speed, by severity


def speed_change(take: Take, severity: int) -> Clip:
    """A pasted thing runs along its circle from 0.5 to 2 times as fast; the clip itself stays."""
    return with_subject(take, FACTORS[severity])


def with_subject(take: Take, factor: float) -> Clip:
    """The clip with a thing that circles in the middle of it, `factor` times as fast as it otherwise would."""
    rng = take.rng("subject")
    radius = rng.uniform(*SIZE) / 2 * min(take.size)
    sprite = cut_out(pictures(take.donors), radius, rng)
    circle = rng.uniform(*RADIUS) * min(take.size)
    turning = factor * rng.uniform(*SPEED) * take.diagonal / circle * rng.choice([-1, 1])
    phase = rng.uniform(0, 2 * math.pi)
    middle = complex(take.size[1], take.size[0]) / 2 * (1 + rng.uniform(-0.08, 0.08))
    moment = float(take.times[-1]) / 2
    thing = Thing(sprite, radius, middle, 0j, 0.0, moment, camera_path(take.clip), take.rate)
    frames = []
    for frame, t in enumerate(take.times):
        canvas = take.pixels[frame].astype(np.float32)
        at = circle * cmath.exp(1j * (turning * (float(t) - moment) + phase))
        stamp(canvas, thing, State(at), Grain(GRAIN, np.random.default_rng([take.seed, frame])), frame)
        frames.append(levels(canvas))
    return take.with_pixels(np.stack(frames))
