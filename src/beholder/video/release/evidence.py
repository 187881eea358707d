"""What the released rules are given here: the same kinds of evidence, from classical perception instead of networks."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable
from beholder.video.evidence import Evidence, Track
from beholder.video.files.clips import opened
from beholder.video.readouts.analysis import analyse
from beholder.video.readouts.flow import pair
from beholder.video.readouts.footage import LONG_SIDE, STEP
from beholder.video.readouts.segments import COARSE, moving
from beholder.video.release import amplitude, coherence
from beholder.video.release.coherence import Change, Followed, Way
from beholder.video.release.points import Grey, follow
from beholder.video.release.sampling import looked_at
from beholder.video.release.smoothness import windows
from beholder.video.release.switches import AS_RELEASED, MENDED, Switches
from beholder.video.types import Clip, Clock, Floats, Poses

Mask = NDArray[np.bool_]
Follow = Callable[[Sequence[Grey], Floats, int], tuple[Floats, Mask]]  # (frames, points, start) → places, seen
LONGEST = 1000  # frames: the scripts hold a whole clip in memory, and so does this
BOTH = (AS_RELEASED, MENDED)
RIM = 5  # × 2 px: flow is smooth, so what moves seems larger than it is, and points beside it would stay when it goes
QUALITY_RANGE = 10.0  # of log sharpness for OneAlign's 0 … 1: a drop of 0.10, our least threshold, is its 0.010


@dataclass(frozen=True, eq=False)
class Released:
    """All that the released rules read of a clip. Pairs are (as released, mended)."""

    times: Floats  # s, of all frames
    shape: tuple[int, int]  # height and width of the frames
    paths: tuple[Floats, Floats]  # diagonals, of each point of the grid: over all frames (D8), at eight a second
    on_objects: tuple[Mask, Mask]  # objects of the first frame × points: on misplaced objects (D3), on objects
    quality: Floats  # Q_t of each frame, on the scale of 0 … 1 that the thresholds are meant for
    keyframes: tuple[tuple[int, ...], ...]  # the ids of the objects at each keyframe
    objects: int  # N
    excuses: Mapping[tuple[int, Way], tuple[str, str]] = field(default_factory=dict)  # asked at k (D5), at the frame
    poses: tuple[Poses, ...] = ()
    classes: Floats | None = None  # the probabilities of CAS's five classes, (views, 5)
    clock: Clock = "file"

    def excused(self, switches: Switches) -> coherence.Excuses:
        """The excuse of a change."""
        return lambda change: self.excuses[change.id, change.way][0 if switches.query_at_keyframe_index else 1]


@singledispatch
def release_evidence(answer: Any, stimulus: Any) -> Released:
    """The readout of the measures `…_release`. Answers of other types join by `release_evidence.register`."""
    raise TypeError(f"got an answer of {type(answer).__name__}; expected a clip; register a readout of this type")


@release_evidence.register
def _clip(answer: Clip, stimulus: Any) -> Released:
    found = analyse(answer, stimulus)
    film = film_of(answer, found)
    step = coherence.keyframe_step(found.facts.rate)
    objects = Objects(
        present(found.tracks, film.times[::step], _tolerance(found)),
        _on_objects(film, tracked_from_start(found), found.facts.shape),
        lambda id, keyframe: _points_of(film, found.tracks[id - 1], keyframe * step),
    )
    return released(found, film, objects, quality(found.frames.sharpness))


class Objects(NamedTuple):
    """The objects of a clip, whoever found them."""

    there: tuple[tuple[int, ...], ...]  # the ids at each keyframe
    on: tuple[Mask, Mask]  # which points of the grid are on each of the first frame's: misplaced (D3), and as it is
    points: Callable[[int, int], Floats]  # the points on an object at a keyframe, px of the film


def released(found: Evidence, film: Film, objects: Objects, quality: Floats, follow: Follow = follow) -> Released:
    """What the released rules read, from evidence, objects, quality and a tracker of points."""
    step = coherence.keyframe_step(found.facts.rate)
    return Released(
        film.times,
        found.facts.shape,
        _paths(film, follow),
        objects.on,
        quality,
        objects.there,
        len({id for ids in objects.there for id in ids}),
        _excuses(film, objects, step, follow),
        found.poses,
        found.classes,
        found.facts.clock,
    )


def film_of(answer: Clip, found: Evidence) -> Film:
    """The clip in grey, as far as it was analysed: a last frame alone is not."""
    return Film(_grey(answer)[: len(found.facts.times)], found.facts.times)


class Film(NamedTuple):
    """The frames of a clip in grey, at most 320 px on the longer side, and when they are shown."""

    frames: list[Grey]
    times: Floats

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""
        return self.frames[0].shape[0], self.frames[0].shape[1]

    def moves(self, points: Floats, at: int) -> Mask:
        """Whether points of a frame, in px, lie on something that moves against the background, not at its rim."""
        later = min(int(np.searchsorted(self.times, self.times[at] + STEP)), len(self.frames) - 1)
        if later == at:
            return np.zeros(len(points), bool)
        mask = moving(pair(self.frames[at], self.frames[later]), math.hypot(*self.shape)).labels > 0
        mask = cv2.erode(mask.astype(np.uint8), np.ones((RIM, RIM), np.uint8)) > 0
        column, row = np.clip(points.T // COARSE, 0, np.array(mask.shape)[::-1, None] - 1).astype(np.intp)
        return np.asarray(mask[row, column])


def _grey(clip: Clip) -> list[Grey]:
    with opened(clip, LONG_SIDE) as stream:
        found: list[Grey] = []
        for _, frame in stream.frames:
            if len(found) == LONGEST:
                raise NotApplicable(f"the released rules are for short clips; this one has more than {LONGEST} frames")
            found.append(cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY))
    return found


def _paths(film: Film, follow: Follow) -> tuple[Floats, Floats]:
    """How far each point of the grid travels, by all frames and by eight a second."""
    some = looked_at(film.times, MENDED)
    whole = _travelled(film.frames, film.shape, follow)
    if len(some) == len(film.times):
        return whole, whole
    return whole, _travelled([film.frames[at] for at in some], film.shape, follow)


def _travelled(frames: Sequence[Grey], shape: tuple[int, int], follow: Follow) -> Floats:
    return amplitude.path_lengths(follow(frames, amplitude.grid(shape), 0)[0], shape)


def _tolerance(found: Evidence) -> float:
    """Seconds by which a track may miss a keyframe: a little more than one analysed step."""
    return 1.01 * float(np.max(found.camera.steps, initial=0.0))


def tracked_from_start(found: Evidence) -> Floats:
    """The boxes, in shares of the frame, of the moving segments that are there in the first frame; shape (n, 4)."""
    boxes = [track.boxes[0] for track in found.tracks if track.times[0] <= found.facts.times[0] + _tolerance(found)]
    return np.array(boxes, float).reshape(-1, 4)


def _on_objects(film: Film, boxes: Floats, shape: tuple[int, int]) -> tuple[Mask, Mask]:
    """Which points of the grid are on each object: drawn apart as its box is for SAM (D3), and as it is."""
    points = amplitude.grid(film.shape)
    at = [points / amplitude.misplacement(shape, of) for of in BOTH]
    found = [within(places / film.shape[::-1], boxes) & film.moves(places, 0) for places in at]
    return found[0], found[1]


def within(points: Floats, boxes: Floats) -> Mask:
    """Which points lie in each box; shape (boxes, points)."""
    low, high = boxes[:, None, :2], boxes[:, None, 2:]
    return np.asarray(((points >= low) & (points <= high)).all(axis=-1))


def quality(sharpness: Floats) -> Floats:
    """The mean sharpness of the three frames that OneAlign would be shown at once, on the scale of its thresholds."""
    return np.asarray(sharpness[windows(len(sharpness))].mean(axis=1) / QUALITY_RANGE)


def present(tracks: Sequence[Track], at: Floats, tolerance: float) -> tuple[tuple[int, ...], ...]:
    """The ids of the tracks, from 1, that are there at each moment: from their first to their last time."""
    return tuple(
        tuple(
            id
            for id, track in enumerate(tracks, start=1)
            if track.times[0] - tolerance <= moment <= track.times[-1] + tolerance
        )
        for moment in at
    )


def _excuses(film: Film, objects: Objects, step: int, follow: Follow) -> dict[tuple[int, Way], tuple[str, str]]:
    """The excuse of everything that could be counted as a fault, with the tracker asked at k and at the frame."""
    there = objects.there
    every: list[Change] = [one for of in BOTH for one in coherence.changes(coherence.carried(there, of))]
    asked: dict[tuple[int, Way], tuple[str, str]] = {}
    for id in dict.fromkeys(one.id for one in every):
        first = next(at for at, ids in enumerate(there) if id in ids)
        points = objects.points(id, first)
        starts = (coherence.query_frame(first, step, of) for of in BOTH)
        wrong, right = (Followed(*follow(film.frames, points, start), start) for start in starts)
        for way in coherence.RULES:
            asked[id, way] = (coherence.excuse(wrong, way, film.shape), coherence.excuse(right, way, film.shape))
    return asked


def _points_of(film: Film, track: Track, at: int) -> Floats:
    """The points of the grid that are on an object in a frame."""
    box = track.boxes[int(np.abs(track.times - film.times[at]).argmin())]
    points = amplitude.grid(film.shape, coherence.GRID)
    found: Floats = points[within(points / film.shape[::-1], box[None])[0] & film.moves(points, at)]
    return found
