"""Films → frames: 8-bit colours of a stretch, at their own size or another."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.io.bounds import LARGEST, NUMBER, check_bytes, check_regular, check_size
from beholder.io.reading import tell_opened

# What FFmpeg opens and is no film: texts that it would draw, and lists of other files.
NO_FILMS = {"tty", "ansi", "hls", "dash", "concat", "sdp", "imf", "image2", "webm_dash_manifest", "lavfi"}
SUFFIXES = (".mp4", ".avi", ".mov", ".mkv", ".mpg", ".mpeg", ".webm", ".m4v")


class Facts(NamedTuple):
    """What is known of a film before its frames are read."""

    frames: int
    hertz: float
    shape: tuple[int, int]  # rows and columns


def facts(path: Path | str) -> Facts:
    """How many frames a film has, how fast and how large they are; where its head does not say, they are counted."""
    with _opened(path) as (film, stream):
        count = stream.frames or sum(1 for _ in film.decode(stream))
        if not stream.average_rate or not count:
            raise ValueError(f"{path}: got {count} frames and no rate; expected a film with a frame rate")
        return Facts(int(count), float(stream.average_rate), (stream.height, stream.width))


def read(
    path: Path | str,
    *,
    first: int = 0,
    count: int | None = None,
    shape: tuple[int, int] | None = None,
    limit: int = LARGEST,
) -> NDArray[np.uint8]:
    """Frames (T, H, W, 3) of a film from the `first` on, `count` of them or all, of `shape` rows and columns.

    Smaller frames are means over the pixels that they cover. Frames are decoded from the beginning: where a film is
    sought, some of its kinds answer with another frame. More than `limit` bytes of frames are refused: before they are
    decoded if the film says how many it has, else when they have come to so many.
    """
    if first < 0 or (count is not None and count < 1):
        raise ValueError(f"{path}: got first={first}, count={count}; expected 0 or more, and 1 or more")
    kept: list[NDArray[np.uint8]] = []
    with _opened(path, limit) as (film, stream):
        frame_bytes = 3 * math.prod(shape or (stream.height, stream.width))
        _check_frames(path, max(stream.frames - first, 0) if count is None else count, frame_bytes, limit)
        for at, frame in enumerate(film.decode(stream)):
            if count is not None and at >= first + count:
                break
            if at >= first:
                kept.append(_pixels(frame, shape))
                _check_frames(path, len(kept), kept[-1].size, limit, " and more")
    if not kept or (count is not None and len(kept) < count):
        raise ValueError(f"{path}: got {len(kept)} frames from {first} on; expected {count or 'some'}; is it complete?")
    return np.stack(kept)


def frames(
    path: Path | str, *, first: int = 0, count: int | None = None, shape: tuple[int, int] | None = None
) -> Iterator[NDArray[np.uint8]]:
    """The same frames one by one, so that only one is held; a film may end sooner than `count`."""
    with _opened(path) as (film, stream):
        for at, frame in enumerate(film.decode(stream)):
            if count is not None and at >= first + count:
                return
            if at >= first:
                yield _pixels(frame, shape)


def _check_frames(path: Path | str, count: int, size: int, limit: int, also: str = "") -> None:
    """Refuse so many frames of so many bytes; they stand twice when the last has come."""
    check_bytes(path, f"{count} frames", 2 * count * size, limit, also)


def _pixels(frame: Any, shape: tuple[int, int] | None) -> NDArray[np.uint8]:
    height, width = shape or (frame.height, frame.width)
    found: NDArray[np.uint8] = frame.reformat(width, height, format="rgb24", interpolation="AREA").to_ndarray()
    return found


def open_film(path: Path | str, most: int = LARGEST // 3 // NUMBER) -> Any:
    """A film as FFmpeg opens it: one file of this machine, with frames of at most so many pixels.

    A frame may be larger than its film says, and one is decoded when a film is opened: the decoder refuses both.
    """
    import av

    check_regular(path)
    tell_opened(path)
    options = {"max_pixels": str(most), "protocol_whitelist": "file"}
    # titles and the like are not used, and in whichever letters they stand they are no fault
    film = av.open(f"file:{path}", options=options, metadata_errors="replace")
    if film.format.name in NO_FILMS:
        film.close()
        raise ValueError(f"{path}: got {film.format.long_name or film.format.name}, no film; expected mp4, webm, …")
    return film


@contextmanager
def _opened(path: Path | str, limit: int = LARGEST) -> Iterator[tuple[Any, Any]]:
    import av

    most = limit // 3 // NUMBER
    try:
        with open_film(path, most) as film:
            if not film.streams.video:
                raise ValueError(f"{path}: got no moving picture; expected a film")
            stream = film.streams.video[0]
            if stream.codec_context is None:
                raise ValueError(f"{path}: got a film that cannot be decoded here; expected mp4, avi, …")
            check_size(path, (stream.height, stream.width, 3), np.uint8, limit)
            stream.codec_context.options = {"max_pixels": str(most)}
            yield film, stream
    except (av.FFmpegError, OSError) as fault:
        raise ValueError(
            f"{path}: got no film that can be read, or frames above {most:,} px ({fault}); expected mp4, avi, …"
        ) from fault
