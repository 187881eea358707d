"""OIS as released: how many limbs never change their length, and how many joints never their angle, too suddenly."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable
from beholder.video.release.sampling import looked_at
from beholder.video.release.switches import AS_RELEASED, Switches
from beholder.video.skeletons import COCO
from beholder.video.types import Floats, Poses

POINTS = {name: at for at, name in enumerate(COCO.points)}
LIMBS = {  # by the places of their ends among COCO's points
    "torso": (5, 11), "left_upper_arm": (5, 7), "left_forearm": (7, 9), "right_upper_arm": (6, 8),
    "right_forearm": (8, 10), "left_thigh": (11, 13), "left_calf": (13, 15), "right_thigh": (12, 14),
    "right_calf": (14, 16), "shoulder_width": (5, 6), "hip_width": (11, 12), "neck": (0, 5),
}  # fmt: skip
JOINTS = {  # the angle is at the second
    "left_elbow": (5, 7, 9), "right_elbow": (6, 8, 10), "left_shoulder": (7, 5, 11), "right_shoulder": (8, 6, 12),
    "left_hip": (5, 11, 13), "right_hip": (6, 12, 14), "left_knee": (11, 13, 15), "right_knee": (12, 14, 16),
}  # fmt: skip
CONFIDENCE = 0.3  # a point that is less sure is not seen
LEAST = 1e-6  # px: a shorter limb is not seen
STRETCH = 0.45  # of the length before: more from one seen frame to the next is too sudden
TURN = 30.0  # degrees, likewise
LENGTH_SEEN, ANGLE_SEEN = 2, 3  # a limb must be seen in ⌊T/2⌋ frames, a joint in ⌊T/3⌋


class Body(NamedTuple):
    """The keypoints of one body, frame by frame."""

    points: Floats  # (T, 17, 2), px
    confidence: Floats  # (T, 17); 0 where a point was not found


def human(poses: Poses, shape: tuple[int, int], frames: int) -> Body | None:
    """Keypoints in the order of COCO-17, in px, as far as the skeleton has points of these names; None: it has none.

    Points that the skeleton lacks, and frames that it does not reach, are not seen.
    """
    own = {name: at for at, name in enumerate(poses.skeleton.points)}
    shared = [name for name in COCO.points if name in own]
    if not shared:
        return None
    count = min(frames, len(poses.points))
    points, confidence = np.zeros((frames, len(POINTS), 2)), np.zeros((frames, len(POINTS)))
    to, of = [POINTS[name] for name in shared], [own[name] for name in shared]
    found = poses.points[:count][:, of] * (shape[1], shape[0])
    points[:count, to] = np.nan_to_num(found)
    confidence[:count, to] = np.where(np.isnan(found).any(-1), 0.0, poses.confidence[:count][:, of])
    return Body(points, confidence)


def lengths(body: Body, ends: tuple[int, int]) -> Floats:
    """The length of a limb in the frames in which it is seen."""
    a, b = ends
    found = np.linalg.norm(body.points[:, a] - body.points[:, b], axis=-1)
    return np.asarray(found[_seen(body, ends) & (found > LEAST)])


def angles(body: Body, ends: tuple[int, int, int]) -> Floats:
    """The angle of a joint, degrees, in the frames in which it is seen."""
    a, at, b = (body.points[:, end] for end in ends)
    one, other = a - at, b - at
    with np.errstate(invalid="ignore", divide="ignore"):
        cosine = (one * other).sum(-1) / (np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1))
    return np.asarray(np.degrees(np.arccos(np.clip(cosine, -1, 1)))[_seen(body, ends)])


def _seen(body: Body, ends: Sequence[int]) -> NDArray[np.bool_]:
    return np.asarray((body.confidence[:, list(ends)] > CONFIDENCE).all(axis=1))


def too_sudden(length: Floats) -> bool:
    """Whether a length ever changes by more than 45 % of what it was: |l_{i+1} − l_i| / l_i > 0.45.

    >>> too_sudden(np.array([1.0, 1.45])), too_sudden(np.array([1.0, 1.46])), too_sudden(np.array([1.46, 1.0]))
    (False, True, False)
    """
    return bool((np.abs(np.diff(length)) / length[:-1] > STRETCH).any())


def too_far(angle: Floats) -> bool:
    """Whether an angle ever changes by more than 30°; one that is undefined (two points in one place) is too far.

    >>> too_far(np.array([90.0, 120.0])), too_far(np.array([90.0, 121.0])), too_far(np.array([90.0, np.nan]))
    (False, True, True)
    """
    return not bool((np.abs(np.diff(angle)) <= TURN).all())


def body_integrity(body: Body, switches: Switches = AS_RELEASED) -> tuple[float, float]:
    """The shares of the 12 limbs and of the 8 joints that are normal.

    One sudden change anywhere makes a part abnormal. With D7 a part that is hardly ever seen is normal; without it, it
    does not count (NaN where none is left).
    """
    frames = len(body.points)
    limbs = [
        (len(found) >= frames // LENGTH_SEEN and len(found) > 1, too_sudden(found))
        for found in (lengths(body, ends) for ends in LIMBS.values())
    ]
    joints = [
        (len(found) >= frames // ANGLE_SEEN and len(found) > 1, too_far(found))
        for found in (angles(body, ends) for ends in JOINTS.values())
    ]
    return _normal(limbs, switches), _normal(joints, switches)


def _normal(parts: Iterable[tuple[bool, bool]], switches: Switches) -> float:
    """The share of normal parts, each given as (was it seen, is it abnormal)."""
    counted = [not (seen and abnormal) for seen, abnormal in parts if seen or switches.failure_is_perfect]
    return float(np.mean(counted)) if counted else math.nan


def surest(bodies: Sequence[Body]) -> Body:
    """In each frame the body whose points are surest on average: D10, as if they were all of one person."""
    best = np.argmax([body.confidence.mean(axis=1) for body in bodies], axis=0)
    every = np.arange(len(best))
    points, confidence = (np.stack([body[part] for body in bodies])[best, every] for part in (0, 1))
    return Body(points, confidence)


def integrity(bodies: Sequence[Body], times: Floats, switches: Switches = AS_RELEASED) -> float:
    """OIS = ½ normal limbs / 12 + ½ normal joints / 8.

    With D10 of a body made of the surest one in each frame; else the mean over bodies. With D7 it is 1 where there is
    no body; else not applicable.
    """
    at = looked_at(times, switches)
    taken = [Body(body.points[at], body.confidence[at]) for body in bodies]
    if taken and switches.first_person_only:
        taken = [surest(taken)]
    found = [np.mean(body_integrity(body, switches)) for body in taken]
    held = [value for value in found if not np.isnan(value)]
    if not held and not switches.failure_is_perfect:
        raise NotApplicable("no body was seen well enough")
    return float(np.mean(held)) if held else 1.0
