"""A clip as it is analysed: small frames at a moderate rate, beside a few numbers of every frame of the clip itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable
from beholder.video.evidence import Facts, Frames
from beholder.video.files.clips import Stream, opened
from beholder.video.readouts.quality import quality
from beholder.video.types import Bytes, Clip, Floats

LONG_SIDE = 320  # px: the analysed size; smaller frames are enlarged to it, so that a half-sized copy scores the same
STEP = 0.059  # s: analysed frames are at least so far apart: 24 frames/s become 12, 30 become 15, 16 stay
SHORTEST = 32  # px: below, DIS finds no flow, or crashes
LONGEST = 160  # analysed frames of a stretch: about 10 s; their flow takes 150 MB


@dataclass(frozen=True, eq=False)
class Footage:
    """The frames that are analysed, and what is known of the clip they were taken from."""

    facts: Facts
    frames: Frames  # numbers of every frame of the clip
    pixels: Bytes  # (n, h, w, 3): RGB, the analysed frames
    at: np.ndarray[tuple[int], np.dtype[np.intp]]  # which frames of the clip they are
    diagonal: float  # px of the analysed frames

    @property
    def times(self) -> Floats:
        """Seconds at which the analysed frames are shown."""
        return self.facts.times[self.at]

    @property
    def steps(self) -> Floats:
        """Seconds between successive analysed frames."""
        return np.diff(self.times)


def footage(clip: Clip) -> Footage:
    """A clip that is short enough to be analysed at once."""
    return next(stretches(clip))


def stretches(clip: Clip) -> Iterator[Footage]:
    """Decode a clip once, in stretches that memory can hold: every frame gives its numbers, some are kept, shrunk.

    Stretches follow one another without overlap; most clips are one.
    """
    with opened(clip, LONG_SIDE) as stream:
        gathered, found = _Gathered(), 0
        for seconds, frame in stream.frames:
            if len(gathered.kept) == LONGEST and gathered.wants(seconds):
                found += 1
                yield gathered.footage(stream)
                gathered = _Gathered(gathered.before)
            gathered.take(seconds, frame)
        if len(gathered.times) >= 2 or not found:
            yield gathered.footage(stream)


@dataclass
class _Gathered:
    """What has come of a stretch so far."""

    before: NDArray[np.float32] | None = None  # the last frame, grey
    times: list[float] = field(default_factory=list)
    numbers: list[tuple[float, ...]] = field(default_factory=list)
    kept: list[Bytes] = field(default_factory=list)
    at: list[int] = field(default_factory=list)

    def wants(self, seconds: float) -> bool:
        """Whether a frame is far enough from the last one that was kept."""
        return not self.at or seconds - self.times[self.at[-1]] >= STEP

    def take(self, seconds: float, frame: Bytes) -> None:
        grey = cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY).astype(np.float32)
        change = 0.0 if self.before is None else float(np.mean(np.abs(grey - self.before)))
        seen = quality(grey)
        self.numbers.append((seen.sharpness, float(grey.mean()), change, seen.detail))
        if self.wants(seconds):
            self.kept.append(_analysed(frame))
            self.at.append(len(self.times))
        self.times.append(seconds)
        self.before = grey

    def footage(self, stream: Stream) -> Footage:
        if len(self.times) < 2:
            raise NotApplicable(f"the clip has {len(self.times)} frame{'s' * (len(self.times) != 1)}: nothing can move")
        if min(*stream.shape, *self.kept[0].shape[:2]) < SHORTEST:  # as it is, or as it is analysed
            height, width = stream.shape
            raise NotApplicable(f"frames of {width} x {height} px are too small: motion is found from {SHORTEST} px on")
        duration = self.times[-1] - self.times[0] + float(np.median(np.diff(self.times)))
        shape = (self.kept[0].shape[0], self.kept[0].shape[1])
        facts = Facts(np.array(self.times), duration, stream.clock, stream.shape, shape, stream.ends_early)
        sharp, luma, difference, detail = np.array(self.numbers).T
        pixels = np.stack(self.kept)
        return Footage(
            facts,
            Frames(sharp, luma, difference, {"detail": detail}),
            pixels,
            np.array(self.at),
            float(np.hypot(*shape)),
        )


def _analysed(frame: Bytes) -> Bytes:
    """A frame at the analysed size; the stream has shrunk larger ones already."""
    height, width = frame.shape[:2]
    scale = LONG_SIDE / max(height, width)
    if scale <= 1:
        return frame
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    enlarged: Bytes = cv2.resize(frame, size, interpolation=cv2.INTER_CUBIC)
    return enlarged
