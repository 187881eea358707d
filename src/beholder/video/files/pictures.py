"""Moving pictures of picture formats (GIF, WebP, APNG) and folders of frames → a stream."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from beholder.io import image
from beholder.video.files.stream import LARGEST, Stream, Timed, by_delays, by_rate, check_shape
from beholder.video.types import Bytes

FRAME_SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".ppm")
LIMIT = 8 * 3 * LARGEST * LARGEST  # bytes of a frame as floats, as `io.image` counts them
SHORTEST = 0.02  # s: viewers show a GIF's shorter delays, and those that are not there, at a pace of their own
DAMAGED = (OSError, SyntaxError, ValueError, IndexError, struct.error)  # what Pillow raises where a file is


@contextmanager
def animation(path: Path, rate: float, long_side: int) -> Iterator[Stream]:
    """The frames of a GIF, a WebP or an APNG. Its first frame tells whether delays are stored: many GIFs have none."""
    with _opened(path) as opened:
        problems: list[str] = []
        frames = _animated(path, opened, problems)
        first = next(frames, None)
        if first is None:
            raise ValueError(f"{path}: got no frame that can be read ({problems[0]}); expected a clip; is it complete?")
        whole = chain([first], frames)
        if math.isnan(rate) and first[0] >= SHORTEST:
            stream = by_delays(path, _filled(whole), "file", long_side)
        else:
            stream = by_rate(path, (frame for _, frame in whole), rate, long_side)
        yield _telling(stream, problems)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    from PIL import UnidentifiedImageError

    with ExitStack() as closing:
        try:
            opened = closing.enter_context(image.opened(path, LIMIT))
        except (UnidentifiedImageError, *DAMAGED) as fault:
            raise ValueError(f"{path}: got no picture that can be read ({fault}); is the file complete?") from fault
        check_shape(path, (opened.height, opened.width))  # before a pixel of it is read
        yield opened


def _animated(path: Path, opened: Any, problems: list[str]) -> Iterator[Timed]:
    """The frames with their delays in seconds, NaN where none is stored, as far as the file is whole."""
    from PIL.Image import DecompressionBombError, DecompressionBombWarning

    at = 0
    try:
        while True:
            opened.seek(at)
            pixels = np.asarray(opened.convert("RGB"))  # which reads it: a WebP's delay is known only then
            yield float(opened.info.get("duration", math.nan)) / 1000, pixels
            at += 1
    except EOFError:
        problems += ["the file ends before its last frame"] if _cut(path, opened.format) else []
    except (*DAMAGED, DecompressionBombError, DecompressionBombWarning) as fault:  # a frame may be larger than its file
        problems.append(f"the file cannot be decoded beyond frame {at} ({fault})")


def _cut(path: Path, format: str) -> bool:
    """Whether a GIF lacks the byte that ends it."""
    with path.open("rb") as file:
        file.seek(-min(64, path.stat().st_size), 2)
        return format == "GIF" and not file.read().rstrip(b"\0").endswith(b";")


def _filled(frames: Iterator[Timed]) -> Iterator[Timed]:
    """The same frames; one without a delay lasts as long as the one before."""
    last = math.nan
    for delay, frame in frames:
        last = delay if delay >= SHORTEST else last
        yield last, frame


def _telling(stream: Stream, problems: list[str]) -> Stream:
    """The same stream, which says at its end what was wrong."""
    stream.frames = _told(stream.frames, stream, problems)
    return stream


def _told(frames: Iterator[Timed], stream: Stream, problems: list[str]) -> Iterator[Timed]:
    yield from frames
    stream.ends_early = problems[0] if problems else ""


@contextmanager
def folder(path: Path, rate: float, long_side: int) -> Iterator[Stream]:
    """The frames in a folder, in the natural order of their names: 2.png comes before 10.png."""
    files, problems = frame_files(path), list[str]()
    if not files:
        raise ValueError(f"{path}: got a folder without pictures; expected frames such as 0001.png")
    kinds = sorted({file.suffix.lower() for file in files})
    if len(kinds) > 1:
        raise ValueError(f"{path}: got frames as {' and '.join(kinds)}; expected one kind; take the others out")
    if gap := _gap(files):
        problems.append(gap)
    stream = by_rate(path, _pictures(files, problems), rate, long_side)
    yield _telling(stream, problems)


def _gap(files: list[Path]) -> str:
    """Which frames are missing where their names are numbers that go up by the same step but for some."""
    parts = [re.split(r"(\d+)(?!.*\d)", file.stem) for file in files]
    numbers = [int(part[1]) if len(part) == 3 else -1 for part in parts]
    steps = [b - a for a, b in pairwise(numbers)]
    if min(numbers) < 0 or not steps or min(steps) < 1 or max(steps) == min(steps):
        return ""
    at = steps.index(max(steps))
    return f"frames are missing between {files[at].name} and {files[at + 1].name}"


def frame_files(path: Path) -> list[Path]:
    """The pictures in a folder, in natural order; hidden files are none."""
    there = (file for file in path.iterdir() if file.suffix.lower() in FRAME_SUFFIXES and file.name[0] != ".")
    return sorted(there, key=lambda file: natural(file.name))


def natural(name: str) -> list[tuple[int, str]]:
    """What names are sorted by so that numbers in them count as numbers.

    >>> sorted(["f10", "f9", "f010b"], key=natural)
    ['f9', 'f10', 'f010b']
    """
    return [(int(part or 0), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name.lower())]


def _pictures(files: list[Path], problems: list[str]) -> Iterator[Bytes]:
    shape: tuple[int, ...] = ()
    for at, file in enumerate(files):
        try:
            with _opened(file):  # which looks at its size
                pixels = image.read(file, limit=LIMIT)
        except (ValueError, OSError) as fault:
            if at == 0:
                raise
            problems.append(f"{file.name} cannot be read, and what follows is not: {fault}")
            return
        shape = shape or pixels.shape[:2]
        if pixels.shape[:2] != shape and not problems:
            problems.append(f"{file.name} differs in size from the first frame and was resized")
        yield np.stack([pixels] * 3, axis=-1) if pixels.ndim == 2 else pixels
