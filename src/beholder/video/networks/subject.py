"""Where the subject of a clip is: found by its noun once a second, and followed as masks in between.

Streams the clip: no more than about a second of it is in memory at full size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable
from beholder.video.evidence import Box, Track
from beholder.video.files.clips import opened
from beholder.video.networks import grounding_dino, sam2
from beholder.video.networks.weights import Weights
from beholder.video.readouts.footage import STEP
from beholder.video.release.coherence import keyframe_step, match
from beholder.video.types import Bytes, Clip, Floats

Mask = NDArray[np.bool_]
LONG_SIDE = 1333  # px: the most that a network is shown
GRID = 160  # px of the longer side of the masks that are kept: half of the analysed size
LONGEST = 1000  # frames that are looked at: a minute or more


class Schedule(NamedTuple):
    """When a clip is looked at."""

    times: Floats  # s, of all its frames
    looked: tuple[int, ...]  # the frames in which masks are followed: at most 16 a second
    keyframes: tuple[int, ...]  # the frames in which things are looked for by name: about one a second

    @property
    def marks(self) -> tuple[int, ...]:
        """Where the keyframes stand among the frames that are looked at."""
        return tuple(self.looked.index(frame) for frame in self.keyframes)


def schedule(clip: Clip) -> Schedule:
    """When to look at a clip; keyframes are int(fps) − 1 frames apart, as in the released scripts."""
    with opened(clip, 64) as stream:
        times = np.array([seconds for seconds, _ in stream.frames])
    if len(times) < 2:
        raise NotApplicable(f"the clip has {len(times)} frame{'s' * (len(times) != 1)}: nothing can move")
    return scheduled(times)


def scheduled(times: Floats) -> Schedule:
    """The same from the times of all frames.

    >>> scheduled(np.arange(25) / 24)[1:]
    ((0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24), (0, 22))
    """
    looked = [0]
    for frame, seconds in enumerate(times.tolist()):
        if seconds - times[looked[-1]] >= STEP:
            looked.append(frame)
    if len(looked) > LONGEST:
        raise NotApplicable(f"backend=deep is for short clips: {LONGEST} frames, about a minute; cut this one")
    seconds = times[-1] - times[0] + float(np.median(np.diff(times)))
    wanted = np.arange(0, len(times), keyframe_step(len(times) / seconds))
    nearest = np.abs(np.array(looked)[:, None] - wanted).argmin(axis=0)
    return Schedule(times, tuple(looked), tuple(looked[at] for at in dict.fromkeys(nearest.tolist())))


@dataclass(frozen=True, eq=False)
class Subject:
    """The objects that a noun names, through a clip."""

    noun: str
    schedule: Schedule
    ids: tuple[tuple[int, ...], ...]  # of the objects that were found at each keyframe
    shape: tuple[int, int]  # of masks
    packed: dict[int, NDArray[np.uint8]]  # by id: the masks in all frames that were looked at, eight places a byte
    boxes: Floats  # (n, 4) in the first frame, as shares of it

    @property
    def times(self) -> Floats:
        """Seconds of the frames that were looked at."""
        return self.schedule.times[list(self.schedule.looked)]

    def masks(self, id: int) -> Mask:
        """(n, h, w): where an object is in each frame that was looked at."""
        height, width = self.shape
        flat = np.unpackbits(self.packed[id], axis=1, count=height * width)
        return flat.reshape(-1, height, width).astype(bool)

    def anywhere(self) -> Mask:
        """(n, h, w): where any object is."""
        found = np.zeros((len(self.schedule.looked), *self.shape), bool)
        for id in self.packed:
            found |= self.masks(id)
        return found

    def at(self, times: Floats, shape: tuple[int, int]) -> list[Mask]:
        """Where any object is at some times, on a grid of this height and width."""
        whole = self.anywhere()
        nearest = np.abs(self.times[:, None] - times[None]).argmin(axis=0)
        return [_drawn(whole[frame], shape) for frame in nearest]

    def tracks(self) -> tuple[Track, ...]:
        """The objects as boxes, while there is anything of them."""
        found = []
        for id in self.packed:
            masks = self.masks(id)
            held = np.flatnonzero(masks.any(axis=(1, 2)))
            boxes = np.array([outline(masks[frame]) for frame in held]).reshape(-1, 4)
            found.append(Track(self.times[held], boxes, masks[held].mean(axis=(1, 2))))
        return tuple(one for one in found if len(one.times))


def _drawn(mask: Mask, shape: tuple[int, int]) -> Mask:
    return np.asarray(cv2.resize(mask.astype(np.uint8), shape[::-1], interpolation=cv2.INTER_NEAREST) > 0)


def outline(mask: Mask) -> Box:
    """The box around a mask, as shares of the frame."""
    height, width = mask.shape
    x, y, w, h = cv2.boundingRect(mask.astype(np.uint8))
    return x / width, y / height, (x + w) / width, (y + h) / height


def look(clip: Clip, noun: str, when: Schedule, detector: Weights, masker: Weights) -> Subject:
    """Find what a noun names at each keyframe, and follow it from there to the next one.

    What is found has the id of the followed mask that it covers (IoU above 0.75), else a new one. Where nothing is
    found, what was followed is followed on; it counts as not found.
    """
    gathered = _Gathered()
    for segment in _segments(clip, when):
        found = grounding_dino.detect(segment[0], noun, detector)
        gathered.boxes = found.boxes if gathered.boxes is None else gathered.boxes
        shape = grid_shape(segment[0])
        if len(found.boxes):
            masks = sam2.follow(segment, found.boxes, masker, shape)
            gathered.take(masks, *_named(masks, gathered))
        else:
            ids = list(gathered.last)
            start = np.stack(list(gathered.last.values())) if ids else np.zeros((0, *shape), bool)
            gathered.take(sam2.follow(segment, start, masker, shape), dict(zip(ids, range(len(ids)), strict=True)), ())
    return gathered.subject(noun, when)


def grid_shape(frame: Bytes) -> tuple[int, int]:
    """Height and width of the masks of a frame."""
    height, width = frame.shape[:2]
    scale = GRID / max(height, width)
    return max(1, round(height * scale)), max(1, round(width * scale))


def _segments(clip: Clip, when: Schedule) -> Iterator[list[Bytes]]:
    """From each keyframe to the next one, both included; the last one goes to the end."""
    looked, keys = set(when.looked), set(when.keyframes[1:])
    held: list[Bytes] = []
    with opened(clip, LONG_SIDE) as stream:
        for at, (_, frame) in enumerate(stream.frames):
            if at in looked:
                held.append(frame)
            if at in keys:
                yield held
                held = [frame]
    yield held


def _named(masks: Mask, gathered: _Gathered) -> tuple[dict[int, int], tuple[int, ...]]:
    """Which object is which: ids → places among the masks; and the ids."""
    first = list(masks[0])
    found, gathered.count = match(first, gathered.last, gathered.count)
    where = {id: next(at for at, one in enumerate(first) if one is mask) for id, mask in found.items()}
    return where, tuple(where)


@dataclass
class _Gathered:
    """What has come of a clip so far."""

    boxes: Floats | None = None
    count: int = 0
    last: dict[int, Mask] = field(default_factory=dict)  # the objects in the last frame
    ids: list[tuple[int, ...]] = field(default_factory=list)
    frames: list[dict[int, Mask]] = field(default_factory=list)

    def take(self, masks: Mask, where: dict[int, int], found: tuple[int, ...]) -> None:
        """Note a segment; its first frame is the last one of the segment before, and seen anew."""
        rows = [{id: row[at] for id, at in where.items()} for row in masks]
        self.frames = [*self.frames[:-1], *rows]
        self.ids.append(found)
        self.last = rows[-1]

    def subject(self, noun: str, when: Schedule) -> Subject:
        every = sorted({id for row in self.frames for id in row})
        shapes = [mask.shape for row in self.frames for mask in row.values()]
        shape = (int(shapes[0][0]), int(shapes[0][1])) if shapes else (1, 1)
        nothing = np.zeros(shape, bool)
        packed = {id: _packed([row.get(id, nothing) for row in self.frames]) for id in every}
        boxes = np.zeros((0, 4)) if self.boxes is None else self.boxes
        return Subject(noun, when, tuple(self.ids), shape, packed, boxes)


def _packed(masks: Sequence[Mask]) -> NDArray[np.uint8]:
    return np.packbits(np.stack(masks).reshape(len(masks), -1), axis=1)
