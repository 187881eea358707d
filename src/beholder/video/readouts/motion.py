"""How fast what moves on its own moves: flow less the camera's flow, over moving segments."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from beholder.video.evidence import Motion, Track
from beholder.video.readouts.flow import Field, Pair
from beholder.video.readouts.footage import Footage
from beholder.video.readouts.segments import COARSE, Follower, Labels, Mask, Moving, followed, lasting, moving, tracks
from beholder.video.types import Floats

TICK = 1 / 8  # s: one frame of the paper's clips
SPARSE = 4  # px between the places at which the pace is looked at
NOISE = 0.1  # px: flow of a picture at rest
ALIKE = 0.5  # correlation of two fields of flow


def motion(
    footage: Footage, pairs: Sequence[Pair], subject: Sequence[Mask] | None = None
) -> tuple[Motion, tuple[Track, ...]]:
    """D_t over each analysed pair, and the moving segments as objects.

    D_t is the mean residual speed of the pixels of lasting segments whose flow can be trusted, in frame diagonals per
    second: 0 where nothing moves. It is that of the way made in 1/8 s, the paper's frame. Where masks of the `subject`
    are given, it is that of the pixels under them.
    """
    found = [moving(p, footage.diagonal, float(step)) for p, step in zip(pairs, footage.steps, strict=True)]
    named = _named(found, pairs, footage.times[:-1])
    lasts = lasting(named)
    kept = [lasts[labels] for labels in named] if subject is None else list(subject)
    per_second = 1 / (footage.diagonal * footage.steps)
    speed = _speeds(found, kept, pairs, footage.steps) / footage.diagonal
    whole = np.array([_length(p) for p in pairs]) * per_second
    area = np.array([k.mean() for k in kept], dtype=np.float64)
    return Motion(footage.times[1:], speed, area, whole, pace(pairs)), tracks(named, footage.times[:-1])


def _speeds(found: Sequence[Moving], kept: Sequence[Mask], pairs: Sequence[Pair], steps: Floats) -> Floats:
    """Mean residual speed of what moves, px per second, over 1/8 s.

    Where a pair is shorter, it is between the speed over this pair and that over this and the next one, which is less
    where things tremble or turn back; so a clip at 16 frames/s has the speeds of one at 8.
    """
    speeds = []
    for at, (one, mask) in enumerate(zip(found, kept, strict=True)):
        short = _mean_length(one.residual, mask & one.trusted, mask) / steps[at]
        if steps[at] >= TICK or at + 1 == len(found) or not kept[at + 1].any():
            speeds.append(short)
            continue
        way = one.residual + followed(found[at + 1].residual, pairs[at])
        long = _mean_length(way, mask & one.trusted, mask) / (steps[at] + steps[at + 1])
        share = min(1.0, (TICK - steps[at]) / steps[at + 1])
        speeds.append((1 - share) * short + share * long)
    return np.array(speeds)


def pace(pairs: Sequence[Pair]) -> Floats:
    """How many steps of its neighbours each pair makes at once: 1 of even motion, 3 where two frames were left out.

    m = Σ f·v / Σ v·v over the frame, f the flow of the pair and v the mean of the flow before and after it. Where f and
    v are little alike (a correlation below 0.5), where the motion turns back after it (a jolt that is made up for), and
    at both ends of a clip, it is 1: nothing can be said.
    """
    flows = [p.forward[::SPARSE, ::SPARSE] for p in pairs]
    inner = [_steps(*three) for three in zip(flows, flows[1:], flows[2:], strict=False)]
    return np.array([1.0, *inner, 1.0][: len(pairs)])


def _steps(before: Field, flow: Field, after: Field) -> float:
    usual = (before + after) / np.float32(2)
    own, its, both = (float(np.vdot(a, b)) for a, b in ((flow, flow), (usual, usual), (flow, usual)))
    noise = NOISE**2 * flow.size
    goes_on = np.vdot(before, after) > 0
    return both / (its + noise) if goes_on and both > ALIKE * np.sqrt(own * its) else 1.0


def _named(found: Sequence[Moving], pairs: Sequence[Pair], times: Floats) -> list[Labels]:
    """The segments of each pair by the lasting names of objects."""
    follower, named = Follower(), []
    for one, pair, seconds in zip(found, pairs, times.tolist(), strict=True):
        named.append(follower.name(one.labels, seconds))
        follower.expect(named[-1], pair, seconds)
    return named


def _mean_length(vectors: Field, mask: Mask, otherwise: Mask) -> float:
    """The mean length of vectors under a mask; where it is empty, under another; 0 where both are."""
    for chosen in (mask, otherwise):
        if chosen.any():
            own = vectors[chosen]
            return float(np.hypot(own[:, 0], own[:, 1]).mean())
    return 0.0


def _length(pair: Pair) -> float:
    """Mean length of all flow, px."""
    flow = np.ascontiguousarray(pair.forward[::COARSE, ::COARSE])
    return float(cv2.mean(cv2.magnitude(*cv2.split(flow)))[0])
