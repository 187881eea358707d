"""Short films for people to look at: 8-bit frames into GIF or MP4. Both lose light and colour: never a stimulus."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from beholder.io.atomic import whole_file

Bytes = NDArray[np.uint8]

_TICKS = 1000  # in a second: how exactly a frame of a small film is timed
_GIF_TICK = 0.01  # s: a GIF counts its delays in hundredths of a second …
_GIF_FASTEST = 2  # … and viewers show shorter delays than two of them at their own, slow, pace


def srgb(linear: NDArray[Any]) -> Bytes:
    """Linear light of 0 … 1 as the 8-bit levels that a monitor expects (IEC 61966-2-1).

    >>> srgb(np.array([0.0, 0.001, 0.2140, 1.0])).tolist()
    [0, 3, 127, 255]
    """
    light = np.clip(np.asarray(linear, np.float64), 0, 1)
    curved = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.asarray(np.rint(255 * curved), np.uint8)


def write(frames: NDArray[Any], path: Path | str, *, hertz: float) -> None:
    """Put frames, uint8 (T, H, W) or (T, H, W, 3), into a .gif or an .mp4 that plays at so many frames per second.

    A GIF shows at most 50 a second: faster ones play slower than they are. The file appears whole or not at all.
    """
    where = Path(path)
    encoders = {".gif": _gif, ".mp4": _mp4}
    if where.suffix.lower() not in encoders:
        raise ValueError(f"{where}: got the suffix {where.suffix!r}; expected .gif or .mp4; rename it")
    if not 0 < hertz < np.inf:
        raise ValueError(f"{where}: got {hertz} frames per second; expected a finite number above 0")
    encoders[where.suffix.lower()](_checked(frames, where), where, hertz)


def _checked(frames: NDArray[Any], where: Path) -> Bytes:
    grey, colour = frames.ndim == 3, frames.ndim == 4 and frames.shape[-1] == 3
    if frames.dtype != np.uint8 or not (grey or colour) or frames.size == 0:
        raise ValueError(
            f"{where}: got {frames.dtype} of shape {frames.shape}; expected uint8 of (T, H, W) or (T, H, W, 3)"
        )
    return frames


def _gif(frames: Bytes, where: Path, hertz: float) -> None:
    from PIL import Image

    ticks = max(_GIF_FASTEST, round(1 / hertz / _GIF_TICK))
    first, *rest = [Image.fromarray(frame) for frame in frames]
    with whole_file(where) as file:
        first.save(file, format="GIF", save_all=True, append_images=rest, duration=10 * ticks, loop=0)


def _mp4(frames: Bytes, where: Path, hertz: float) -> None:
    """H.264, 4:2:0, which every browser plays; the last row and column stand twice where a side is odd."""
    from fractions import Fraction

    with whole_file(where) as file:
        _encode(enumerate(frames), file, Fraction(hertz).limit_denominator(1000), crf="16")


def write_small(
    frames: Iterable[tuple[float, Bytes]], path: Path | str, *, seconds: float, most: int = 150_000, crf: int = 28
) -> None:
    """Put timed frames (seconds, uint8 of (H, W) or (H, W, 3)) into an .mp4 for a page, of about `most` bytes at most.

    They may come one by one, and each is shown at its own time until `seconds` are over. The quality is `crf` where
    that takes less than `most`, else what these allow. Equal frames give equal bytes.
    """
    bits = str(int(8 * most / (seconds + 1)))  # what a second may take; the buffer holds one more
    small = {"crf": str(crf), "maxrate": bits, "bufsize": bits, "threads": "1"}
    timed = ((round(at * _TICKS), frame) for at, frame in frames)
    with whole_file(path) as file:
        # Without frames that look ahead (bf), the last one coded is the last one shown, and can be said to last.
        _encode(timed, file, _TICKS, end=round(seconds * _TICKS), bf="0", **small)


def _encode(frames: Iterable[tuple[int, Bytes]], file: IO[bytes], rate: Any, *, end: int = 0, **options: str) -> None:
    """Frames with their times, counted in ticks of which a second has `rate`; the last one is shown until `end`."""
    import av

    with av.open(file, "w", format="mp4") as film:
        stream = film.add_stream("libx264", rate=rate)
        stream.pix_fmt, stream.options = "yuv420p", dict(options)
        for at, frame in frames:
            height, width = (side + side % 2 for side in frame.shape[:2])  # the codec halves both sides
            if not stream.codec_context.is_open:
                stream.width, stream.height = width, height
            shown = av.VideoFrame.from_ndarray(_padded(frame, height, width), format="rgb24")
            shown.pts = at
            film.mux(stream.encode(shown))
        if not stream.codec_context.is_open:
            raise ValueError("got no frame; expected some")
        last = stream.encode()
        if end > at:
            last[-1].duration = end - at
        film.mux(last)


def _padded(frame: Bytes, height: int, width: int) -> Bytes:
    """A frame in colour and in the codec's size."""
    colour = np.stack([frame] * 3, axis=-1) if frame.ndim == 2 else frame
    more = ((0, height - frame.shape[0]), (0, width - frame.shape[1]), (0, 0))
    return np.ascontiguousarray(np.pad(colour, more, mode="edge"))
