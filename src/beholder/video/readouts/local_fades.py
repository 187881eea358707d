"""Things that dissolve: a region is replaced within some frames, and those in between are a mixture of old and new.

From frame to frame a fade is too weak to be seen, so frames further apart are compared, at half the size. Much that
moves looks replaced after so long; but only a fade leaves, in between, the old picture laid over the new one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.readouts.flow import Field, Pair, places
from beholder.video.readouts.local_candidates import Candidate, Moment, Views, brought, candidates, maps
from beholder.video.readouts.local_frames import HALF, Picture
from beholder.video.readouts.local_mismatch import Change, change, led, relit
from beholder.video.readouts.local_odds import FADED, fade_odds
from beholder.video.readouts.local_search import Region, still_there
from beholder.video.types import Floats

LASTS = 0.42  # s: how far apart the frames are that are compared
SPAN = (3, 7)  # pairs of frames: the same, at least and at most
CROWDED = 0.3  # of the frame: where more is replaced so slowly, it is the light
MIXED = 0.3  # so much of the frames in between may be no mixture
PAD = 8  # px around a region within which it may move

Colours = NDArray[np.float32]


class Slow:
    """The changes of a clip, taken one by one at half the size; only those of one span are held."""

    def __init__(self, times: Floats) -> None:
        step = float(np.median(np.diff(times)))
        self.times = times
        self.span = int(np.clip(round(LASTS / step), *SPAN))
        self.steps: deque[Change] = deque(maxlen=self.span + 2)
        self.taken = 0

    def take(self, change: Change) -> Iterator[tuple[Moment, Candidate]]:
        """Candidates for fades that end just before a change; of every second change, for speed."""
        self.steps.append(halved(change))
        self.taken += 1
        if len(self.steps) == self.steps.maxlen and self.taken % 2 == 0:
            before, *between, after = self.steps
            first = self.taken - 1 - self.span
            moment = Moment(float(self.times[first]), float(self.times[self.taken - 1]), before, across(between), after)
            yield from ((moment, found) for found in _faded(moment, between))


def _faded(moment: Moment, between: Sequence[Change]) -> Iterator[Candidate]:
    if moment.here.share > CROWDED:
        return
    hopeful = [found for found in candidates(moment, maps(moment), HALF) if fade_odds(found) > FADED]
    if not hopeful:
        return
    views = Views.of(moment)
    known = [replace(found, stays=still_there(found.region, views.old, views.new)) for found in hopeful]
    hopeful = [found for found in known if fade_odds(found) > FADED]
    lit = _lit(between) if hopeful else []
    for found in hopeful:
        left = unmixed(found.region, moment, lit)
        if left < MIXED:
            yield replace(found, unmixed=left)


def halved(change: Change) -> Change:
    """A change at half the size. Flow and mismatch are smooth: every second value tells them."""
    size = ((change.first.shape[1] + 1) // 2, (change.first.shape[0] + 1) // 2)
    first, second = (cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in (change.first, change.second))
    small, large = np.diag([0.5, 0.5, 1.0]), np.diag([2.0, 2.0, 1.0])
    matrix: NDArray[np.float64] = small @ change.pair.homography @ large
    forward, backward = (_half(one) * np.float32(0.5) for one in (change.pair.forward, change.pair.backward))
    pair = Pair(forward, backward, matrix, change.pair.inliers)
    at = places((size[1], size[0]))
    camera = led(at, matrix)
    lost, come, misfit, both = (_half(one) for one in (change.lost, change.come, change.misfit, change.both))
    return Change(first, second, pair, camera - at, camera, lost, come, misfit, both, change.share)


def across(steps: Sequence[Change]) -> Change:
    """The change over several steps, along the chained flow."""
    matrix = np.eye(3)
    for step in steps:
        matrix = step.pair.homography @ matrix
    forward = chained([step.pair.forward for step in steps])
    backward = chained([step.pair.backward for step in reversed(steps)])
    inliers = min(step.pair.inliers for step in steps)
    return change(steps[0].first, steps[-1].second, Pair(forward, backward, matrix, inliers), HALF)


def chained(flows: Sequence[Field]) -> Field:
    """The flow over several steps: each is looked up where the ones before lead."""
    at = places((flows[0].shape[0], flows[0].shape[1]))
    total = flows[0]
    for flow in flows[1:]:
        total = total + cv2.remap(flow, at + total, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return total


def _lit(steps: Sequence[Change]) -> list[Picture]:
    """All frames of some steps, brought to the first by the camera's motion and into its light."""
    first = steps[0].first
    at = places((first.shape[0], first.shape[1]))
    matrix, found = np.eye(3), [first]
    for step in steps:
        matrix = step.pair.homography @ matrix
        found.append(relit(first, brought(step.second, matrix), at, HALF.cell))
    return found


class _Motion(NamedTuple):
    old: Floats  # px per step, against the background
    new: Floats


def unmixed(region: Region, moment: Moment, lit: Sequence[Picture]) -> float:
    """How far the frames in between are not a mixture of the first and the last: 0 for a fade, about 1 else.

    Σ_m |T_m − (1 − a_m) O − a_m N|² / Σ_m min(|T_m − O|², |T_m − N|²): T_m is a frame in between, O and N the old and
    the new content, a_m the best mixture of each frame. Old and new content rest against the background or move on as
    they did before and do after; the best of these counts.
    """
    rows, columns = (slice(max(0, s.start - PAD), s.stop + PAD) for s in region.part)
    mask = np.zeros(lit[0].shape[:2], bool)
    mask[region.part] = region.mask
    parts = [picture[rows, columns, :3].astype(np.float32) for picture in lit]
    inside, rest = mask[rows, columns], np.zeros(2)
    old, new = _own(moment.before, region), _own(moment.after, region)
    ways = [_Motion(o, n) for o in (rest, old) for n in (rest, new)]
    return min(_unmixed(parts, inside, way) for way in ways)


def _unmixed(parts: Sequence[Colours], inside: NDArray[np.bool_], motion: _Motion) -> float:
    left, least = 0.0, 1.0
    last = len(parts) - 1
    for m, frame in enumerate(parts[1:-1], 1):
        old = _shifted(parts[0], motion.old * m)[inside]
        whole = _shifted(parts[-1], -motion.new * (last - m))[inside] - old
        seen = frame[inside] - old
        share = float(np.clip(np.vdot(whole, seen) / max(np.vdot(whole, whole), 1.0), 0, 1))
        left += float(np.sum((seen - share * whole) ** 2))
        least += float(min(np.sum(seen**2), np.sum((seen - whole) ** 2)))
    return left / least


def _own(change: Change | None, region: Region) -> Floats:
    """The motion of a region against the background, px per step."""
    if change is None:
        return np.zeros(2)
    own = (change.pair.forward[region.part] - change.drift[region.part])[region.mask]
    return np.asarray(np.median(own, axis=0), float)


def _shifted(part: Colours, by: Floats) -> Colours:
    if not by.any():
        return part
    matrix = np.array([[1, 0, by[0]], [0, 1, by[1]]])
    size = (part.shape[1], part.shape[0])
    moved: Colours = cv2.warpAffine(part, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return moved


def _half(values: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.ascontiguousarray(values[::2, ::2])
