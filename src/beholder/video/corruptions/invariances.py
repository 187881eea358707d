"""The same clip in another guise: what no measure should notice."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial

import cv2
import numpy as np

from beholder.errors import NotFound, listed
from beholder.video.corruptions.plans import retimed, take
from beholder.video.types import Bytes, Clip, Poses


def vary(clip: Clip, how: str) -> Clip:
    """A clip in memory at another rate, size, length or encoding, or mirrored; `how` is one of `VARIATIONS`."""
    if how not in VARIATIONS:
        raise NotFound(f"got the variation {how!r}; expected one of {listed(list(VARIATIONS), most=20)}")
    known = take(clip, how, 0)
    return VARIATIONS[how](replace(clip, rate=known.rate, content=""))


def _every(clip: Clip, step: int) -> Clip:
    """One frame of every so many: 24 frames/s become 12 or 8."""
    return retimed(clip, clip.rate / step, np.arange(0, len(_pixels(clip)), step))


def _resized(clip: Clip, scale: float) -> Clip:
    height, width = (max(8, round(side * scale)) for side in _pixels(clip).shape[1:3])
    return replace(
        clip, pixels=np.stack([cv2.resize(f, (width, height), interpolation=cv2.INTER_AREA) for f in _pixels(clip)])
    )


def _half(clip: Clip, second: bool) -> Clip:
    count = len(_pixels(clip))
    return retimed(clip, clip.rate, np.arange(count // 2, count) if second else np.arange((count + 1) // 2))


def _mirrored(clip: Clip) -> Clip:
    """Left is right; keypoints keep their names, so that a left hand is now a right one with the left one's name."""
    bodies = tuple(
        Poses(p.skeleton, p.points * np.array([-1.0, 1.0]) + np.array([1.0, 0.0]), p.confidence) for p in clip.poses
    )
    return replace(clip, pixels=np.ascontiguousarray(_pixels(clip)[:, :, ::-1]), poses=bodies)


def _encoded(clip: Clip, crf: int) -> Clip:
    """Through H.264 at a constant rate factor and back. Odd sizes get a further row or column on the way."""
    import av

    pixels = _pixels(clip)
    height, width = pixels.shape[1:3]
    even = np.pad(pixels, ((0, 0), (0, height % 2), (0, width % 2), (0, 0)), mode="edge")
    memory = io.BytesIO()
    with av.open(memory, "w", format="mp4") as film:
        stream = film.add_stream("libx264", rate=Fraction(clip.rate).limit_denominator(1001), options={"crf": str(crf)})
        stream.height, stream.width, stream.pix_fmt = even.shape[1], even.shape[2], "yuv420p"
        stream.thread_count = 1  # the same bytes on every machine
        for frame in even:
            film.mux(stream.encode(av.VideoFrame.from_ndarray(np.ascontiguousarray(frame), format="rgb24")))
        film.mux(stream.encode())
    memory.seek(0)
    with av.open(memory, "r") as film:
        read = [frame.to_ndarray(format="rgb24")[:height, :width] for frame in film.decode(video=0)]
    return replace(clip, pixels=np.stack(read))


def _pixels(clip: Clip) -> Bytes:
    assert clip.pixels is not None  # `vary` has looked
    return clip.pixels


VARIATIONS: dict[str, Callable[[Clip], Clip]] = {
    "as_it_is": lambda clip: clip,
    "rate_half": partial(_every, step=2),
    "rate_third": partial(_every, step=3),
    "size_66": partial(_resized, scale=0.66),
    "size_50": partial(_resized, scale=0.5),
    "first_half": partial(_half, second=False),
    "second_half": partial(_half, second=True),
    "crf_18": partial(_encoded, crf=18),
    "crf_23": partial(_encoded, crf=23),
    "crf_28": partial(_encoded, crf=28),
    "mirror": _mirrored,
}
# The same clip in several guises, by what differs; severity 0 is the clip as it is, 1 the first guise.
GUISES: dict[str, tuple[str, ...]] = {
    "same_rate": ("rate_half", "rate_third"),
    "same_size": ("size_66", "size_50"),
    "same_length": ("first_half", "second_half"),
    "same_encoding": ("crf_18", "crf_23", "crf_28"),
    "same_mirror": ("mirror",),
}
