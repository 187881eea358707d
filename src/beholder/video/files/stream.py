"""What every kind of file is read into: frames one after the other, each with the time at which it is shown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from beholder.video.types import ASSUMED_RATE, Bytes, Clock

SMALLEST, LARGEST = 16, 8192  # px of a side: below, there is nothing to see; above, a single frame takes 200 MB
MOST_FRAMES = 7200  # that are read of a clip: two minutes at 60 frames/s, five at 24
FASTEST = 1000.0  # frames/s: no rate is higher, and times that lie closer are no times
Timed = tuple[float, Bytes]  # seconds from the first frame, RGB


@dataclass
class Stream:
    """The frames of an open clip. `ends_early` is known when the last frame has come."""

    shape: tuple[int, int]  # height and width as they are shown
    frames: Iterator[Timed]
    clock: Clock
    step: float = math.nan  # seconds that a frame, and so the last one, lasts on average
    ends_early: str = ""


def smaller(shape: tuple[int, int], long_side: int) -> tuple[int, int]:
    """Height and width with the longer side at most `long_side`, both even, never larger than they were.

    >>> smaller((480, 854), 320), smaller((144, 176), 320)
    ((180, 320), (144, 176))
    """
    scale = min(1.0, long_side / max(shape)) if long_side else 1.0
    if scale == 1.0:
        return shape
    return max(2, 2 * round(shape[0] * scale / 2)), max(2, 2 * round(shape[1] * scale / 2))


def resized(frame: Bytes, shape: tuple[int, int]) -> Bytes:
    """A frame of another size: means over the pixels that a smaller one covers."""
    if frame.shape[:2] == shape:
        return np.ascontiguousarray(frame)
    way = cv2.INTER_AREA if frame.shape[0] > shape[0] else cv2.INTER_LINEAR
    small: Bytes = cv2.resize(frame, (shape[1], shape[0]), interpolation=way)
    return small


def check_shape(where: Path | str, shape: tuple[int, int]) -> None:
    """Refuse frames that are too small to see anything in them, or too large to be decoded."""
    if min(shape) < SMALLEST or max(shape) > LARGEST:
        advice = "render it larger" if min(shape) < SMALLEST else "shrink it before"
        raise ValueError(
            f"{where}: got frames of {shape[1]} x {shape[0]} px; expected sides of {SMALLEST} … {LARGEST} px; {advice}"
        )


def check_rate(where: Path | str, rate: float) -> float:
    """Refuse what is no rate; NaN says that nothing is known of it.

    >>> check_rate("a.mp4", 24)
    24.0
    """
    if not math.isnan(rate) and not 0 < rate <= FASTEST:
        raise ValueError(f"{where}: got {rate} frames per second; expected a number above 0, at most {FASTEST:.0f}")
    return float(rate)


def by_rate(where: Path | str, frames: Iterable[Bytes], rate: float, long_side: int) -> Stream:
    """A stream of frames that carry no times: those of a rate, or of the assumed one where it is not known."""
    clock: Clock = "assumed" if math.isnan(rate) else "given"
    step = 1 / (ASSUMED_RATE if math.isnan(rate) else rate)
    return by_delays(where, ((step, frame) for frame in frames), clock, long_side)


def by_delays(where: Path | str, frames: Iterable[Timed], clock: Clock, long_side: int) -> Stream:
    """A stream of frames that each say how many seconds they are shown; the first is looked at here."""
    rest = iter(frames)
    first = next(rest, None)
    if first is None:
        raise ValueError(f"{where}: got no frames; expected a clip; is the file complete?")
    shape = (first[1].shape[0], first[1].shape[1])
    check_shape(where, shape)
    stream = Stream(shape, iter(()), clock, first[0])
    stream.frames = _accumulated(first, rest, stream, smaller(shape, long_side))
    return stream


def _accumulated(first: Timed, rest: Iterator[Timed], stream: Stream, shape: tuple[int, int]) -> Iterator[Timed]:
    delay, frame = first
    yield 0.0, resized(frame, shape)
    seconds = delay
    for delay, frame in rest:
        stream.step = delay
        yield seconds, resized(frame, shape)
        seconds += delay


def at_most(stream: Stream, most: int = MOST_FRAMES) -> Stream:
    """The same stream, which ends after so many frames and says so."""
    stream.frames = _limited(stream.frames, stream, most)
    return stream


def _limited(frames: Iterator[Timed], stream: Stream, most: int) -> Iterator[Timed]:
    for at, timed in enumerate(frames):
        if at == most:
            stream.ends_early = f"only the first {most:,} frames are read"
            return
        yield timed
