"""Films in any container that FFmpeg reads → a stream: times as the file says them, shrunk while they are decoded."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from beholder.io.film import open_film
from beholder.video.files.stream import FASTEST, LARGEST, Stream, Timed, check_shape, smaller
from beholder.video.types import ASSUMED_RATE, Bytes, Clock

BOUND = {"max_pixels": str(LARGEST * LARGEST)}  # a frame may be larger than its film says: the decoder refuses it
MISSING = 0.005  # share of a film's length that its frames may fall short of, besides three of them


@contextmanager
def film(path: Path, rate: float, long_side: int) -> Iterator[Stream]:
    """The frames of a film. Times are the file's own; a `rate`, where one is given, overrides them.

    Frames are turned as the file says. They are stored squeezed in some old formats; they stay so.
    """
    with _opened(path) as opened:
        video = _video(path, opened)
        video.codec_context.options = BOUND
        yield _stream(path, _Reading(opened, video, rate), long_side)


def _opened(path: Path) -> Any:
    import av

    try:
        return open_film(path, LARGEST * LARGEST)
    except (av.FFmpegError, OSError) as fault:
        raise ValueError(
            f"{path}: got an unreadable clip ({fault.strerror}); expected mp4, webm, gif, …; is the file complete?"
        ) from fault


def _video(path: Path, opened: Any) -> Any:
    """The moving picture of an open film."""
    if not opened.streams.video:
        raise ValueError(f"{path}: got no moving picture; expected a clip; is the file complete?")
    video = opened.streams.video[0]
    if video.codec_context is None:  # FFmpeg here has no decoder for it
        raise ValueError(f"{path}: got a picture in a format that cannot be decoded; expected mp4, webm, …")
    if video.height and video.width:
        check_shape(path, (video.height, video.width))
    return video


@dataclass
class _Reading:
    """A film while it is decoded."""

    film: Any
    video: Any
    rate: float  # given from outside; NaN: the file's own times count
    fault: str = ""
    seen: int = 0  # frames so far
    pending: list[float] = field(default_factory=list)  # times of packets whose frames have not come yet, a heap
    offsets: set[int] = field(default_factory=set)  # by how much packets are shown later than they are decoded

    @property
    def nominal(self) -> float:
        """Seconds that a frame lasts on average."""
        own = float(self.video.average_rate or 0)
        rate = own if math.isnan(self.rate) else self.rate
        return 1 / rate if 0 < rate <= FASTEST else 1 / ASSUMED_RATE

    def frames(self) -> Iterator[Any]:
        """Decoded frames in the order in which they are shown; what is damaged ends them."""
        import av

        try:
            for packet in self.film.demux(self.video):
                self._note(packet)
                for frame in packet.decode():
                    yield frame
                    self.seen += 1
        except av.FFmpegError as fault:
            self.fault = str(fault.strerror)
            yield from self._rest()

    def _rest(self) -> Iterator[Any]:
        """Frames that the decoder still held back when a fault came."""
        import av

        try:
            for frame in self.video.codec_context.decode(None):
                yield frame
                self.seen += 1
        except av.FFmpegError:
            return

    def _note(self, packet: Any) -> None:
        if packet.pts is None or packet.dts is None or packet.is_discard:
            return
        self.offsets.add(packet.pts - packet.dts)
        heapq.heappush(self.pending, float(packet.pts * packet.time_base))

    def seconds(self, frame: Any) -> float:
        """When a frame is shown; NaN where the file does not say.

        Some files, and all AVI, say only when a packet is decoded. Their frames come in the right order, and carry each
        other's times where some are predicted from later ones: the earliest time that waits is then the right one.
        """
        own = math.nan if frame.pts is None else float(frame.pts * self.video.time_base)
        mixed = len(self.offsets) == 1 and self.video.codec_context.has_b_frames
        earliest = heapq.heappop(self.pending) if self.pending else math.nan
        return earliest if mixed and not math.isnan(own) and not math.isnan(earliest) else own


def _stream(path: Path, reading: _Reading, long_side: int) -> Stream:
    frames = reading.frames()
    first = next(frames, None)
    if first is None:
        said = f" ({reading.fault})" if reading.fault else ""
        raise ValueError(f"{path}: got no frame that can be decoded{said}; expected a clip; is the file complete?")
    turns = round(first.rotation / 90) % 4
    stored = (first.height, first.width)
    shape = stored[::-1] if turns % 2 else stored
    check_shape(path, shape)
    start = reading.seconds(first)
    known = not math.isnan(start)
    clock: Clock = "given" if not math.isnan(reading.rate) else "file" if known else "assumed"
    stream = Stream(shape, iter(()), clock, reading.nominal if clock != "assumed" else 1 / ASSUMED_RATE)
    small = smaller(shape, long_side)
    size = small[::-1] if turns % 2 else small
    stream.frames = _timed(first, start, frames, reading, stream, _Look(size, turns))
    return stream


@dataclass(frozen=True)
class _Look:
    """How frames are shown: their size as they are stored, and quarter turns against the clock."""

    size: tuple[int, int]
    turns: int

    def __call__(self, frame: Any) -> Bytes:
        height, width = self.size
        pixels: Bytes = frame.reformat(width, height, format="rgb24", interpolation="AREA").to_ndarray()
        return np.ascontiguousarray(np.rot90(pixels, self.turns))


def _timed(
    first: Any, start: float, rest: Iterator[Any], reading: _Reading, stream: Stream, look: _Look
) -> Iterator[Timed]:
    """Frames with times that rise: one that does not come after the last is a usual step later."""
    seconds, longest = 0.0, stream.step
    yield seconds, look(first)
    for frame in rest:
        said, before = reading.seconds(frame) - start, seconds
        rises = stream.clock == "file" and said - before >= 1 / FASTEST
        seconds = said if rises else before + stream.step
        longest = max(longest, seconds - before)
        yield seconds, look(frame)
    stream.ends_early = _missing(reading, stream.clock, seconds, longest)


def _missing(reading: _Reading, clock: Clock, last: float, step: float) -> str:
    """Why a film holds fewer frames than it should, or nothing; the last is shown at `last`, and none beyond `step`."""
    if reading.fault:
        return f"the file cannot be decoded beyond frame {reading.seen} ({reading.fault})"
    promised = _promised(reading)
    if clock == "file" and promised - last > 3 * step + MISSING * promised:
        return f"the file says that it lasts {promised:.2f} s, and its frames end after {last + step:.2f} s"
    return ""


def _promised(reading: _Reading) -> float:
    """Seconds that a film should last; NaN where it does not say so of its picture alone, or all its frames came."""
    if reading.seen >= reading.video.frames > 0:
        return math.nan
    if reading.video.duration:
        return float(reading.video.duration * reading.video.time_base)
    whole = reading.film.duration if len(reading.film.streams) == 1 else None
    return whole / 1e6 if whole else math.nan
