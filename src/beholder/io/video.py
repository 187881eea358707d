"""Short films for people to look at: 8-bit frames into GIF or MP4. Both lose light and colour: never a stimulus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.io.atomic import whole_file

Bytes = NDArray[np.uint8]

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
    """Put frames, uint8 (T, H, W) or (T, H, W, 3), into a .gif or an .mp4 that plays at so many frames a second.

    A GIF shows at most 50 a second: faster ones play slower than they are. The file appears whole or not at all.
    """
    where = Path(path)
    encoders = {".gif": _gif, ".mp4": _mp4}
    if where.suffix.lower() not in encoders:
        raise ValueError(f"{where}: got the suffix {where.suffix!r}; expected .gif or .mp4; rename it")
    if not 0 < hertz < np.inf:
        raise ValueError(f"{where}: got {hertz} frames a second; expected a finite number above 0")
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

    import av

    height, width = (side + side % 2 for side in frames.shape[1:3])  # the codec halves both sides
    with whole_file(where) as file, av.open(file, "w", format="mp4") as film:
        stream = film.add_stream("libx264", rate=Fraction(hertz).limit_denominator(1000))
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.options = {"crf": "16"}
        for frame in frames:
            film.mux(stream.encode(av.VideoFrame.from_ndarray(_padded(frame, height, width), format="rgb24")))
        film.mux(stream.encode())


def _padded(frame: Bytes, height: int, width: int) -> Bytes:
    """A frame in colour and in the codec's size."""
    colour = np.stack([frame] * 3, axis=-1) if frame.ndim == 2 else frame
    more = ((0, height - frame.shape[0]), (0, width - frame.shape[1]), (0, 0))
    return np.ascontiguousarray(np.pad(colour, more, mode="edge"))
