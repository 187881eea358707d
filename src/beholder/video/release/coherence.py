"""TCS as released: how many objects vanish or emerge between keyframes without an excuse."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable
from beholder.video.release.switches import AS_RELEASED, Switches
from beholder.video.types import Floats

Mask = NDArray[np.bool_]
Way = Literal["vanish", "emerge"]
SAME = 0.75  # IoU: above it, a detected mask is an object that is followed already
GRID = 50  # points across and down the frame, of which those on the object are followed


class Rules(NamedTuple):
    """When an object may be gone: shares of its points, and its size as a share of the frame."""

    hidden_at_edge: float  # of the points, in a frame in which it may have left
    outside: float  # of the points, that must then be beyond the border
    inside: float  # of the points, in a frame in which it may be small
    small: float  # the longer side of the box of the middle 80 % of its points
    hidden: float  # of the points, in some frame, or else the detector was wrong


RULES: Mapping[Way, Rules] = {
    "vanish": Rules(0.80, 0.5, 0.8, 0.07, 1.0),
    "emerge": Rules(0.85, 0.5, 0.8, 0.03, 0.8),
}


class Followed(NamedTuple):
    """The points of one object through the clip."""

    points: Floats  # (T, P, 2), px
    visible: Mask  # (T, P)
    start: int  # the frame at which the tracker was asked


class Change(NamedTuple):
    """An object that is there at one keyframe and not at the next, or the reverse."""

    id: int
    way: Way
    keyframe: int  # the first without it, or the first with it again


def keyframe_step(rate: float) -> int:
    """Frames from one keyframe to the next: int(fps) − 1. The scripts stop with an error below two frames/s.

    >>> keyframe_step(8.0), keyframe_step(29.97), keyframe_step(1.0)
    (7, 28, 1)
    """
    return max(1, int(rate + 1e-3) - 1)  # a mean rate of 23.9999 is one of 24


def match(detected: Sequence[Mask], followed: Mapping[int, Mask], count: int) -> tuple[dict[int, Mask], int]:
    """Ids of detected masks: of the first followed mask with IoU > 0.75, else a new one. Also the count of ids so far.

    Empty masks are dropped; objects that were not detected again are no longer there.
    """
    found: dict[int, Mask] = {}
    for mask in detected:
        if not mask.any():
            continue
        id = next((id for id, own in followed.items() if _iou(mask, own) > SAME), 0)
        if not id:
            count += 1
            id = count
        found[id] = mask
    return found, count


def _iou(one: Mask, other: Mask) -> float:
    return float((one & other).sum() / (one | other).sum())


def carried(keyframes: Sequence[Collection[int]], switches: Switches = AS_RELEASED) -> list[frozenset[int]]:
    """The ids at each keyframe; where nothing was detected, those of the keyframe before (D6)."""
    found: list[frozenset[int]] = []
    for ids in keyframes:
        kept = found[-1] if found and not ids and switches.lost_detection_keeps_ids else frozenset(ids)
        found.append(kept)
    return found


def changes(keyframes: Sequence[Collection[int]]) -> list[Change]:
    """Every vanishing and emerging, from keyframe to keyframe; one that blinks is counted each time.

    >>> [(one.id, one.way) for one in changes([{1, 2}, {1}, {1, 2}])]
    [(2, 'vanish'), (2, 'emerge')]
    """
    found: list[Change] = []
    for at, (before, after) in enumerate(pairwise(keyframes), start=1):
        found += [Change(id, "vanish", at) for id in sorted(set(before) - set(after))]
        found += [Change(id, "emerge", at) for id in sorted(set(after) - set(before))]
    return found


def query_frame(keyframe: int, step: int, switches: Switches = AS_RELEASED) -> int:
    """The frame at which the tracker is asked for an object that first appears at a keyframe.

    >>> query_frame(3, 7), query_frame(3, 7, Switches(query_at_keyframe_index=False))
    (3, 21)
    """
    return keyframe if switches.query_at_keyframe_index else keyframe * step


def excuse(of: Followed, way: Way, shape: tuple[int, int], rules: Rules | None = None) -> str:
    """Why the change is no fault: "edge", "small", "detector error", or "" where there is no excuse.

    Vanishing is looked into after the frame at which the tracker was asked, emerging before it. An object on which no
    point was followed counts as an error of the detector.
    """
    if not of.points.shape[1]:
        return "detector error"
    frames = np.arange(len(of.points))
    side = frames > of.start if way == "vanish" else frames < of.start
    hidden = (~of.visible).mean(axis=1)
    rules = rules or RULES[way]
    tests: Mapping[str, Callable[[], bool]] = {
        "edge": lambda: _left(of.points[side & (hidden >= rules.hidden_at_edge)], rules, shape),
        "small": lambda: any(_small(points, rules, shape) for points in of.points[side]),
        "detector error": lambda: not (side & (hidden >= rules.hidden)).any(),
    }
    return next((name for name, holds in tests.items() if holds()), "")


def _left(points: Floats, rules: Rules, shape: tuple[int, int]) -> bool:
    """Whether in some frame enough points lie beyond the border."""
    height, width = shape
    out = (points < 0).any(axis=-1) | (points > (width, height)).any(axis=-1)
    return bool((out.mean(axis=1) >= rules.outside).any()) if out.size else False


def _small(points: Floats, rules: Rules, shape: tuple[int, int]) -> bool:
    """Whether enough points of one frame are within it, and close together."""
    height, width = shape
    inside = ((points > 0) & (points < (width, height))).all(axis=-1)
    if inside.sum() < 2 or inside.mean() < rules.inside:
        return False
    low, high = np.quantile(points[inside], [0.1, 0.9], axis=0)
    return bool(((high - low) / (width, height)).max() < rules.small)


Excuses = Callable[[Change], str]  # of a change; "" where there is none


def coherence(
    keyframes: Sequence[Collection[int]], objects: int, excuses: Excuses, switches: Switches = AS_RELEASED
) -> float:
    """TCS = ½ (N − unexcused vanishings)/N + ½ (N − unexcused emergings)/N, N being the count of ids.

    Without an object it is 1 (D7; else not applicable). A thing that blinks can bring it below 0, as it can in the
    scripts.
    """
    if not objects:
        if switches.failure_is_perfect:
            return 1.0
        raise NotApplicable("no object was found at any keyframe")
    faults = [change for change in changes(carried(keyframes, switches)) if not excuses(change)]
    return 1 - 0.5 * len(faults) / objects
