"""Skeletons → how long each bone is in units of the body, how far each joint is bent, and where either is impossible.

Lengths are natural logarithms, so that a difference is a ratio. The unit is the body itself: what all its bones have
in common in a frame (median over bones) is nearness to the camera, not stretching. A torso alone would do for people
only, and is foreshortened whenever they bend.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.bones import PROPORTIONS, twins, unsided
from beholder.video.evidence import Box, Event, Facts
from beholder.video.readouts.footage import Footage
from beholder.video.types import Floats, Poses

SEEN = 0.3  # a keypoint of more confidence counts: VMBench's threshold
OFTEN = 0.5  # bones and joints that are seen in fewer of the body's frames are left out: VMBench's T/2
LEAST = 6  # … and of fewer frames than these nothing is usual
FEW = 3  # bones: with fewer in a frame nobody knows how near the body is
STEP = 0.125  # s: the time to which the limits of a step refer: VMBench's clips have 8 frames/s
GAP = 0.26  # s: what was seen longer ago is not compared
NOISE = 4.0  # standard deviations of a step that keypoints may jump without meaning anything
SMOOTH = 0.05  # s: lengths are smoothed so far before they are compared with what is usual
TURNING = 4.0  # a body whose bones all vary is seen turning: so many times their typical spread is no stretch
FULL = 0.9  # quantile over time of a bone's length that is taken for its whole length: it is seen from the side then
EXCESS = 0.69  # log 2: a bone may exceed its twin on the other side so far, which may be seen foreshortened
WIDTH = 0.1  # of a body's extent: so far on either side of a bone it may reach
END_ON = 1.4  # log 4: a bone so much shorter than usual points at the camera; its direction is not known


class Limits(NamedTuple):
    """What a body may do: τ of the length and the angle of a step, and of a length against what is usual."""

    stretch: float = 0.37  # log ratio within 1/8 s: a factor of 1.45, VMBench's 45 %
    turn: float = 30.0  # degrees within 1/8 s: VMBench's
    spread: float = 0.05  # log ratio to the bone's own usual length


@dataclass(frozen=True, eq=False)
class Body:
    """What can be measured of a skeleton in each frame; NaN: not seen."""

    times: Floats  # s
    lengths: Floats  # (T, bones): log length in units of the body
    angles: Floats  # (T, joints): degrees, 0 … 180


@dataclass(frozen=True, eq=False)
class Intact:
    """How far each bone and joint is intact in each frame: 1 as it should be, 0 impossible, NaN not seen."""

    bones: Floats  # (T, bones): the worst of the three
    steps: Floats  # (T, bones): no sudden change of length
    constancy: Floats  # (T, bones): the length that is usual
    proportion: Floats  # (T, bones): not far longer than its twin and than people are made
    joints: Floats  # (T, joints)
    spread: float  # the tolerance of constancy that was used

    @property
    def every(self) -> Floats:
        """(T, bones + joints)."""
        return np.concatenate([self.bones, self.joints], axis=1)


def body(poses: Poses, facts: Facts) -> Body:
    """Lengths and angles of a skeleton, in the clip's own frames."""
    count = min(len(facts.times), len(poses.points))
    height, width = facts.shape
    points = poses.points[:count] * (width, height)
    points = np.where((poses.confidence[:count] > SEEN)[..., None], points, np.nan)
    at = {name: k for k, name in enumerate(poses.skeleton.points)}
    ends = np.array([[at[a], at[b]] for a, b in poses.skeleton.bones], int).reshape(-1, 2)
    turns = np.array([[at[name] for name in joint] for joint in poses.skeleton.joints], int).reshape(-1, 3)
    lengths = np.linalg.norm(points[:, ends[:, 0]] - points[:, ends[:, 1]], axis=-1)
    with np.errstate(divide="ignore"):
        logs = np.where(lengths > 1e-6, np.log(lengths), np.nan)
    logs = _often(logs - _nearness(logs)[:, None])
    angles = _angles(points[:, turns[:, 0]] - points[:, turns[:, 1]], points[:, turns[:, 2]] - points[:, turns[:, 1]])
    return Body(facts.times[:count], logs, _often(np.where(_end_on(poses, logs), np.nan, angles)))


def _nearness(logs: Floats) -> Floats:
    """What all bones of a frame have in common: the log of the size at which the body is seen."""
    near = _median(logs - _median(logs, 0), 1)
    near = _median(logs - _median(logs - near[:, None], 0), 1)
    near[(~np.isnan(logs)).sum(axis=1) < FEW] = np.nan
    return near


def _angles(one: Floats, other: Floats) -> Floats:
    cross = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
    return np.asarray(np.degrees(np.abs(np.arctan2(cross, (one * other).sum(-1)))))


def _end_on(poses: Poses, logs: Floats) -> NDArray[np.bool_]:
    """(T, joints): where one of a joint's bones points at the camera."""
    short = logs < _median(logs, 0) - END_ON
    bones = {frozenset(bone): k for k, bone in enumerate(poses.skeleton.bones)}
    of = [[bones.get(frozenset(ends)) for ends in (joint[:2], joint[1:])] for joint in poses.skeleton.joints]
    found = [short[:, [k for k in its if k is not None]].any(axis=1) for its in of]
    return np.stack(found, axis=1) if found else np.zeros((len(logs), 0), bool)


def _often(series: Floats) -> Floats:
    """Without those that are seen in too few of the frames in which anything is seen."""
    seen = ~np.isnan(series)
    return np.where(seen.sum(axis=0) >= max(LEAST, OFTEN * seen.any(axis=1).sum()), series, np.nan)


def intact(poses: Poses, facts: Facts, limits: Limits = Limits()) -> Intact:  # noqa: B008  (a tuple of numbers)
    """Where the bones and joints of a body stay within what is possible.

    Steps: |Δℓ| ≤ max(`stretch` · Δt/(1/8 s), noise), or the step as a share of the usual length. Joints: D ≤
    max(`turn` · Δt/(1/8 s), noise), where D is the part of a step that neither continues the step before nor is
    continued by the next: quick limbs sweep, broken ones jump. Constancy: a length ℓ against its median over the clip
    may differ by τ = max(`spread`, 4 · the spread that is typical of this body's bones), twice as much where the bone
    looks shorter, as it does when it turns away; from τ to 3 τ a bone counts as ever less intact. Proportion: not more
    than twice as long as both its twin on the other side and, where the torso is known, a person's proportions would
    have it.
    """
    found = body(poses, facts)
    steps = _within(found.lengths, found.times, limits.stretch, sweep=False)
    joints = _within(found.angles, found.times, limits.turn, sweep=True)
    constancy, tau = _constancy(found, limits.spread)
    proportion = _proportion(poses, found.lengths)
    bones = np.fmin(np.fmin(steps, constancy), proportion)
    return Intact(bones, steps, constancy, proportion, joints, tau)


def _within(series: Floats, times: Floats, limit: float, *, sweep: bool) -> Floats:
    """1 where a step stays below a limit per 1/8 s, 0 where not, NaN where not seen. A first sight is intact."""
    found = np.where(np.isnan(series), np.nan, 1.0)
    for k, values in enumerate(series.T):
        at = np.flatnonzero(~np.isnan(values))
        if len(at) < 2:
            continue
        change, gaps = np.diff(values[at]), np.diff(times[at])
        size = _unswept(change) if sweep else np.minimum(np.abs(change), _of_usual(values[at]))
        allowed = np.maximum(limit * gaps / STEP, NOISE * np.sqrt(2) * _noise(values[at]))
        found[at[1:], k] = (size <= allowed) | (gaps > GAP)
    return found


def _of_usual(lengths: Floats) -> Floats:
    """Steps of a length as shares of what is usual: a bone that points at the camera changes its logarithm fast."""
    return np.asarray(np.abs(np.diff(np.exp(lengths - np.median(lengths)))))


def _unswept(change: Floats) -> Floats:
    """How much of each step is not the sweep of the steps around it."""
    turns = np.abs(np.diff(change, prepend=change[:1], append=change[-1:]))
    turns[[0, -1]] = np.inf
    return np.asarray(np.minimum(np.abs(change), np.minimum(turns[:-1], turns[1:])))


def _noise(values: Floats) -> float:
    """The standard deviation of what jumps from frame to frame, from second differences."""
    return float(1.4826 * np.median(np.abs(np.diff(values, 2))) / np.sqrt(6)) if len(values) > 2 else 0.0


def _constancy(found: Body, spread: float) -> tuple[Floats, float]:
    lengths = _smooth(found.lengths, found.times)
    off = lengths - _median(lengths, 0)
    own = 1.4826 * _median(np.abs(off), 0)
    tau = float(np.fmax(spread, TURNING * _median(own[None], 1)[0]))
    ratio = np.maximum(off, -off / 2) / tau
    return np.asarray(np.clip(1.5 - ratio / 2, 0, 1)), tau


def _smooth(series: Floats, times: Floats) -> Floats:
    """Gaussian means over time of what is seen."""
    weights = np.exp(-0.5 * ((times[:, None] - times) / SMOOTH) ** 2)
    seen = ~np.isnan(series)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = (weights @ np.where(seen, series, 0)) / (weights @ seen)
    return np.where(seen, means, np.nan)


def _proportion(poses: Poses, lengths: Floats) -> Floats:
    """0 where a bone is more than twice as long as its twin, seen from the side, and as a person's torso allows."""
    full = np.array([np.nanquantile(own, FULL) if (~np.isnan(own)).any() else np.nan for own in lengths.T])
    other = twins(poses.skeleton)
    limit = np.array([full[other[k]] if k in other else np.nan for k in range(len(full))])
    allowed = np.fmax(limit, _by_torso(poses, full)) + EXCESS
    found = np.where(np.isnan(lengths), np.nan, 1.0)
    with np.errstate(invalid="ignore"):
        found[lengths > allowed] = 0.0
    return found


def _by_torso(poses: Poses, full: Floats) -> Floats:
    """Whole lengths as a person's torso has them, where the skeleton is a person's."""
    names = [frozenset(map(unsided, bone)) for bone in poses.skeleton.bones]
    torso = [full[k] for k, ends in enumerate(names) if ends == {"shoulder", "hip"} and not np.isnan(full[k])]
    known = np.array([np.log(PROPORTIONS[ends]) if ends in PROPORTIONS else np.nan for ends in names])
    return known + max(torso) if torso else np.full(len(names), np.nan)


def _median(series: Floats, axis: int) -> Floats:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # nothing was seen: the median is NaN, as it should be
        return np.asarray(np.nanmedian(series, axis=axis))


def events(poses: Poses, facts: Facts, limits: Limits = Limits()) -> Iterator[Event]:  # noqa: B008
    """When and where a bone or a joint is less than half intact."""
    found = intact(poses, facts, limits)
    ends = [*((("bone"), names) for names in poses.skeleton.bones), *(("joint", j) for j in poses.skeleton.joints)]
    times = np.append(facts.times, facts.seconds)
    for (kind, names), series in zip(ends, found.every.T, strict=True):
        which = [poses.skeleton.points.index(name) for name in names]
        for start, end in _runs(series < 0.5):
            worst = 1 - float(np.nanmin(series[start:end]))
            yield Event(kind, float(times[start]), float(times[end]), _box(poses.points[start:end, which]), worst)


def limbs(poses: Poses, at: int, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which pixels the bones of a body may cover in a frame, each as thick as a part of the body's size."""
    height, width = shape
    covered = np.zeros((height, width), np.uint8)
    if at >= len(poses.points):
        return covered > 0
    places = np.where((poses.confidence[at] > SEEN)[:, None], poses.points[at] * (width, height) - 0.5, np.nan)
    known = dict(zip(poses.skeleton.points, places, strict=True))
    ends = np.array([(known[a], known[b]) for a, b in poses.skeleton.bones]).reshape(-1, 2, 2)
    seen = ends[~np.isnan(ends).any(axis=(1, 2))]
    if len(seen):
        thick = 2 * max(1, round(WIDTH * float(np.hypot(*np.ptp(seen.reshape(-1, 2), axis=0)))))
        cv2.polylines(covered, list(seen.round().astype(np.int32)), isClosed=False, color=1, thickness=thick)
    return covered > 0


def frames_of(footage: Footage) -> list[int]:
    """Which frames of the whole clip the analysed ones of a stretch are: those that are shown at their times."""
    first = round(footage.facts.times[0] / float(np.median(np.diff(footage.facts.times))))
    return [first + int(at) for at in footage.at]


def _runs(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and one past the last place of each stretch that is true."""
    edges = np.flatnonzero(np.diff(mask.astype(int), prepend=0, append=0))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _box(points: Floats) -> Box:
    flat = points.reshape(-1, 2)
    left, top = np.nanmin(flat, axis=0)
    right, bottom = np.nanmax(flat, axis=0)
    return float(left), float(top), float(right), float(bottom)
