"""Wobble: motion that is neither rigid nor steady, found in the flow without knowing what moves.

Whatever is rigid moves nearly affinely, and so does each of its parts: some window in its neighbourhood explains the
motion of every pixel. What no such window explains is bending. Cloth, fur and faces bend, too, but seldom swing; what
wobbles swings to and fro some two or three times a second, for more than one swing: oscillation. A rigid thing that
shakes moves much and hardly bends. Bending that changes its speed from frame to frame is restlessness; it is natural
in crowds, cloth and water.

Lengths are shares of the frame's diagonal, told in px of a frame of 320 × 180, whose diagonal has 367 px; speeds are
in px per frame at 13.5 frames/s, the rate of the clips on which thresholds were first found.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.evidence import Box, Deformation, Event
from beholder.video.readouts.bending import Plane, bending, both, half
from beholder.video.readouts.flow import Field, Pair, fetched, flow_of, places
from beholder.video.readouts.footage import Footage
from beholder.video.readouts.keypoints import frames_of, limbs
from beholder.video.types import Floats, Poses

Mask = NDArray[np.bool_]

LEAST = 12  # analysed frames: with fewer nothing is seen to swing
SLOWEST = 7.0  # analysed frames/s: below, quick swings cannot be told from slow ones
SHORTEST = 0.35  # s: a swing must be followed at least so far
DIAGONAL, PACE = 367.0, 13.5  # px and frames/s of the units
WINDOW = 12.0  # px: σ of the window in which motion should be affine
ASIDE = 18.0  # px: how far aside of a pixel, right or left and up or down, the other windows are that may explain it
SWINGS = (1.5, 1.75, 2.0, 2.3, 2.65, 3.1)  # Hz
RESOLVED = 0.42  # of the rate: the quickest swing that it shows
REACH = 0.7  # s: how far into the past and the future a swing is followed
STRIDE = 0.15  # s: between the moments that are looked at
NOISE, FAINT, PLAIN = 0.1, 0.12, 0.3  # px: of the flow itself; the least swing that counts; one that counts once …
CAP = 3.0  # … up to which a larger one counts more often
SWING = (0.4, 0.6)  # share of the unsteady bending that one swing explains: from nothing to all
EVEN = (0.3, 0.6)  # the calmest third of the time over the mean, likewise: what only passes by does not swing
BENT = (0.05, 0.12)  # the swing of the bending over all unsteady motion, likewise: what is rigid hardly bends
UNSTEADY = 0.2  # least share of a swing in all bending
TRUSTED = 0.4  # least share of the time in which the flow is trustworthy
FLAG = 0.02  # share of the frame that must oscillate
ACCELERATED, OWN = 0.25, 0.35  # px that bending changes from frame to frame, and the share of it that this is
HALF = np.diag([0.5, 0.5, 1.0])  # from px of a frame to px of half its size
MOST = 1.0  # px of bending that count
TINY = 1e-9  # so that nothing is divided by 0


class _Layers(NamedTuple):
    """The flow of all pairs at half size, in px of that size; (n, h, w, 2), unless it is said otherwise."""

    forward: NDArray[np.float32]
    backward: NDArray[np.float32]
    motion: NDArray[np.float32]  # against the camera; 0 where it is not trustworthy
    bending: NDArray[np.float32]
    trust: NDArray[np.float32]  # (n, h, w): 1 or 0


class _Window(NamedTuple):
    """The stretch of time in which swings are looked for, in analysed frames."""

    reach: int
    stride: int
    steady: NDArray[np.float32]  # (2, n): orthonormal; what stays or drifts
    swings: NDArray[np.float32]  # (swings, 2, n): orthonormal each, without what stays or drifts


def deformation(footage: Footage, pairs: Sequence[Pair], poses: Sequence[Poses] = ()) -> Deformation:
    """Oscillation, restlessness and bending over a clip; empty where it is too short or its rate too low.

    Where skeletons are known, `poses`, their limbs do not oscillate: they swing by nature, and bones tell more of them.
    """
    step = float(np.median(footage.steps))
    window = _window(step, len(pairs))
    if len(footage.pixels) < LEAST or step > 1 / SLOWEST or window.reach * step < SHORTEST:
        return Deformation(np.empty(0), np.empty(0), np.empty(0), np.empty(0), 0.0, ())
    layers = _layers(footage, pairs)
    shape = layers.trust.shape[1:]
    unit = _px(shape) * step * PACE
    at = range(window.reach, len(pairs) - window.reach, window.stride)
    around = [slice(t - window.reach, t + window.reach + 1) for t in at]
    swinging = [_oscillation(layers, part, window, unit) for part in around]
    if poses:
        free = _free(footage, poses, shape)
        swinging = [plane * free[part].all(axis=0) for plane, part in zip(swinging, around, strict=True)]
    bent = np.array([_bent(field, unit) for field in layers.bending])
    moments = footage.times[list(at)]
    return Deformation(
        moments,
        np.array([float(plane.mean()) for plane in swinging]),
        np.array([_restless(layers, t, unit) for t in at]),
        np.array([bent[part].mean() for part in around]),
        float(layers.trust.mean()),
        _events(moments, swinging, window.stride * step),
    )


def _window(step: float, count: int) -> _Window:
    reach = max(1, min(round(REACH / step), (count - 2) // 2))
    times = np.arange(-reach, reach + 1) * step
    steady = np.linalg.qr(np.stack([np.ones_like(times), times], axis=1))[0]
    swings = []
    for hertz in (hertz for hertz in SWINGS if hertz <= RESOLVED / step):
        wave = np.stack([np.cos(2 * np.pi * hertz * times), np.sin(2 * np.pi * hertz * times)], axis=1)
        swings.append(np.linalg.qr(wave - steady @ (steady.T @ wave))[0].T)
    stride = max(1, round(STRIDE / step))
    return _Window(reach, stride, steady.T.astype(np.float32), np.array(swings, np.float32))


def _px(shape: tuple[int, ...]) -> float:
    """How many px of a frame of half size a px of 320 × 180 is."""
    height, width = shape
    return float(np.hypot(height, width)) / DIAGONAL


def _layers(footage: Footage, pairs: Sequence[Pair]) -> _Layers:
    grey = [half(cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY).astype(np.float32)) for frame in footage.pixels]
    height, width = grey[0].shape
    shapes = [(len(pairs), height, width, 2)] * 4 + [(len(pairs), height, width)]
    layers = _Layers._make(np.empty(shape, np.float32) for shape in shapes)
    for n, (one, (first, second)) in enumerate(zip(pairs, pairwise(grey), strict=True)):
        for place, found in zip(layers, _layer(one, first, second), strict=True):
            place[n] = found
    return layers


def _layer(one: Pair, first: Plane, second: Plane) -> tuple[Field, Field, Field, Field, Plane]:
    px = _px(first.shape)
    forward, backward = (half(flow) * np.float32(0.5) for flow in (one.forward, one.backward))
    trust = _trust(first, second, forward, backward)
    motion = (forward - flow_of(HALF @ one.homography @ np.linalg.inv(HALF), first.shape)) * trust[..., None]
    return forward, backward, motion, bending(forward, trust, WINDOW * px / 2, round(ASIDE * px / 2)), trust


def _free(footage: Footage, poses: Sequence[Poses], shape: tuple[int, ...]) -> Mask:
    """(n, h, w): where no limb of a known body is, in each analysed frame."""
    free = np.ones((len(footage.at), *shape), bool)
    for body in poses:
        free &= ~np.stack([limbs(body, at, shape) for at in frames_of(footage)])
    return free


def _trust(first: Plane, second: Plane, forward: Field, backward: Field) -> Plane:
    """1 where the flow finds its way back, explains the picture, and there is something to be seen."""
    height, width = first.shape
    at = places((height, width)) + forward
    x, y = at[..., 0], at[..., 1]
    inside = (x >= 0) & (y >= 0) & (x <= width - 1) & (y <= height - 1)
    astray = forward + fetched(backward, forward)
    unexplained = cv2.blur(np.abs(first - fetched(second, forward)), (5, 5))
    contrast = np.sqrt(np.maximum(cv2.blur(first * first, (7, 7)) - cv2.blur(first, (7, 7)) ** 2, 0))
    close = both(astray**2) < (2 * _px(first.shape)) ** 2
    return np.asarray(inside & close & (unexplained < 0.8 * contrast + 3) & (contrast > 4), np.float32)


def _oscillation(layers: _Layers, part: slice, window: _Window, unit: float) -> Plane:
    """How far each pixel swings around a moment, in units of a plain swing, up to `CAP`.

    The bending that is seen at a place over time, less what stays or drifts, is compared with the swing that explains
    most of it, across and down apart, and with all motion there against the camera. Places are not followed: what
    moves through a wobble wobbles there.
    """
    motion, trust = layers.motion[part], layers.trust[part]
    bent = layers.bending[part] * trust[..., None]
    count = len(bent)
    series = bent.reshape(count, -1)
    moving = series - window.steady.T @ (window.steady @ series)
    squares = (moving * moving).reshape(bent.shape)
    found = (window.swings.reshape(-1, count) @ moving).reshape(-1, 2, *bent.shape[1:])
    swing = both(np.max([_local(_energy(one)) for one in found], axis=0)) / count
    shaking = motion.reshape(count, -1)
    steady = (window.steady @ shaking).reshape(2, *motion.shape[1:])
    all_motion = both(_local(_energy(motion) - _energy(steady))) / count
    all_bending = both(_local(_energy(bent))) / count
    third = round(count / 3)
    parts = [both(_local(some.mean(0))) for some in (squares[:third], squares[third:-third], squares[-third:])]
    rest = (third * (parts[0] + parts[2]) + (count - 2 * third) * parts[1]) / count
    counts = (swing > UNSTEADY * all_bending) & (swing > (FAINT * unit) ** 2) & (_local(trust.mean(0)) > TRUSTED)
    sure = _ramp(swing / (rest + (NOISE * unit) ** 2), SWING) * _ramp(np.min(parts, axis=0) / (rest + TINY), EVEN)
    sure = sure * _ramp(swing / (all_motion + TINY), BENT)
    return np.asarray(counts * sure * np.minimum(np.sqrt(swing) / (PLAIN * unit), CAP), np.float32)


def _energy(series: NDArray[np.float32]) -> NDArray[np.float32]:
    """The sum of squares over the first axis."""
    flat = series.reshape(len(series), -1)
    return np.asarray(np.einsum("tp,tp->p", flat, flat), np.float32).reshape(series.shape[1:])


def _local(of: NDArray[np.float32]) -> NDArray[np.float32]:
    """Means over 7 × 7 px of what is never negative; running sums may make it so, by a little."""
    return np.asarray(np.maximum(cv2.blur(of, (7, 7)), 0), np.float32)


def _ramp(of: NDArray[Any], ends: tuple[float, float]) -> NDArray[np.float32]:
    """0 below the first end, 1 above the second."""
    return np.asarray(np.clip((of - ends[0]) / (ends[1] - ends[0]), 0, 1), np.float32)


def _restless(layers: _Layers, t: int, unit: float) -> float:
    """The share of the frame whose bending changes its speed, followed one frame back and one on."""
    now, home = layers.bending[t], places((layers.trust.shape[1], layers.trust.shape[2]))
    after = _at(layers, t + 1, home + layers.forward[t])
    before = _at(layers, t - 1, home + layers.backward[t - 1])
    change = cv2.GaussianBlur(now - (before[..., :2] + after[..., :2]) / 2, (0, 0), 1)
    size = np.hypot(change[..., 0], change[..., 1])
    own = np.sqrt(np.mean([both(one[..., :2] ** 2) for one in (before, now, after)], axis=0))
    trusted = np.min([before[..., 2], layers.trust[t], after[..., 2]], axis=0) > 0.5
    return float((trusted & (size > ACCELERATED * unit) & (size > OWN * own)).mean())


def _at(layers: _Layers, t: int, at: Field) -> NDArray[np.float32]:
    """Bending and trust at some places."""
    both_of = np.dstack([layers.bending[t], layers.trust[t]])
    return np.asarray(cv2.remap(both_of, at[..., 0], at[..., 1], cv2.INTER_LINEAR))


def _bent(field: Field, unit: float) -> float:
    """The mean bending of the whole frame, px; trustworthy or not, for what bends strongly is seldom well followed."""
    size = np.hypot(field[..., 0], field[..., 1])
    return float(np.minimum(size / unit, MOST).mean())


def _events(moments: Floats, swinging: Sequence[Plane], apart: float) -> tuple[Event, ...]:
    """Moments in a row in which enough of the frame oscillates, with the box of the largest place that does."""
    shares = np.array([plane.mean() for plane in swinging])
    edges = np.flatnonzero(np.diff((shares > FLAG).astype(int), prepend=0, append=0))
    found = []
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        box = _box(np.max(swinging[start:end], axis=0) > 0.5)
        begin, stop = max(0.0, float(moments[start]) - apart / 2), float(moments[end - 1]) + apart / 2
        found.append(Event("wobble", begin, stop, box, float(min(1, shares[start:end].mean() / (3 * FLAG)))))
    return tuple(found)


def _box(mask: Mask) -> Box | None:
    height, width = mask.shape
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    if len(stats) < 2:
        return None
    left, top, wide, high, _ = stats[1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))].tolist()
    return left / width, top / height, (left + wide) / width, (top + high) / height
