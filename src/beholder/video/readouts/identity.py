"""Bodies found frame by frame → the same body through all frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from beholder.video.types import Floats, Poses, Skeleton

SEEN = 0.3  # a keypoint of more confidence counts
SAME = 0.5  # likeness above which two bodies of one frame are one, found twice
FOLLOWS = 0.2  # likeness above which a body is that of the frame before
FORGET = 5  # frames: a body that was lost longer ago comes back as a new one
SHORT = 0.25  # bodies seen in fewer of the frames are left out: passers-by and mistakes of the detector


class Found(NamedTuple):
    """A body in one frame."""

    points: Floats  # (K, 2), as shares of the frame
    confidence: Floats  # (K,)


def likeness(one: Found, other: Found) -> float:
    """How much two bodies are the same: the mean of the overlap of their boxes and the nearness of their points.

    Overlap is intersection over union; nearness is exp(−d / (0.2 · s)), d the median distance of points seen in both
    and s the diagonal of the larger box. 0 where they share no point.
    """
    both = (one.confidence > SEEN) & (other.confidence > SEEN)
    if not both.any():
        return 0.0
    boxes = [(np.min(p, axis=0), np.max(p, axis=0)) for p in (one.points[both], other.points[both])]
    (left, right), (left_2, right_2) = boxes
    shared = np.prod(np.clip(np.minimum(right, right_2) - np.maximum(left, left_2), 0, None))
    union = np.prod(right - left) + np.prod(right_2 - left_2) - shared
    size = max(float(np.hypot(*(b - a))) for a, b in boxes)
    apart = float(np.median(np.linalg.norm(one.points[both] - other.points[both], axis=1)))
    near = np.exp(-apart / (0.2 * size)) if size else float(apart == 0)
    return float((shared / union if union else near) + near) / 2


def same(one: Found, other: Found) -> bool:
    """Whether two bodies of one frame are one, found twice."""
    return likeness(one, other) > SAME


def followed(frames: Sequence[Sequence[Found]], skeleton: Skeleton) -> tuple[Poses, ...]:
    """Each body through all frames: those that are most alike are matched first, one with one."""
    tracks: list[dict[int, Found]] = []
    for at, bodies in enumerate(frames):
        recent = {k: own[max(own)] for k, own in enumerate(tracks) if at - max(own) <= FORGET}
        pairs = [(likeness(body, last), k, n) for n, body in enumerate(bodies) for k, last in recent.items()]
        taken: dict[int, int] = {}
        for alike, k, n in sorted(pairs, reverse=True):
            if alike > FOLLOWS and n not in taken and k not in taken.values():
                taken[n] = k
        for n, body in enumerate(bodies):
            if n in taken:
                tracks[taken[n]][at] = body
            else:
                tracks.append({at: body})
    long = [own for own in tracks if len(own) >= SHORT * len(frames)]
    return tuple(_poses(own, len(frames), skeleton) for own in long)


def _poses(track: dict[int, Found], count: int, skeleton: Skeleton) -> Poses:
    points = np.full((count, len(skeleton.points), 2), np.nan)
    confidence = np.zeros((count, len(skeleton.points)))
    for at, body in track.items():
        points[at], confidence[at] = body
    return Poses(skeleton, points, confidence)
