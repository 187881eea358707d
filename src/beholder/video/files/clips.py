"""Clips → frames, one after the other, with the time at which each is shown; nothing is held in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from beholder.io.bounds import check_regular
from beholder.video.files.arrays import array
from beholder.video.files.containers import film
from beholder.video.files.pictures import animation, folder
from beholder.video.files.stream import Stream, at_most, by_rate, check_rate, smaller
from beholder.video.types import Clip

__all__ = ["Stream", "opened", "smaller"]

Reader = Callable[[Path, float, int], AbstractContextManager[Stream]]  # (path, rate, long side)
STARTS: tuple[tuple[bytes, Reader], ...] = (  # how files of other kinds than films begin
    (b"GIF8", animation),
    (b"\x89PNG", animation),
    (b"\x93NUMPY", array),
    (b"PK\x03\x04", array),
    (b"PK\x05\x06", array),
)


@contextmanager
def opened(clip: Clip, long_side: int = 0) -> Iterator[Stream]:
    """A clip's frames in turn, their longer side at most `long_side` px (0: as large as they are).

    What a file is, its first bytes tell, not its name. Times are those of the file (a film's presentation times, the
    delays of a GIF); the clip's `rate`, where it has one, overrides them; where there is neither, the clock is assumed.
    They start at 0 and rise. The first frame is decoded here: what cannot be read raises ValueError.
    """
    if clip.pixels is not None:
        yield at_most(by_rate("the clip", clip.pixels, check_rate("the clip", clip.rate), long_side))
        return
    assert clip.path is not None  # `Clip` has one of the two
    with _reader(clip.path)(clip.path, check_rate(clip.path, clip.rate), long_side) as stream:
        yield at_most(stream)


def _reader(path: Path) -> Reader:
    """What reads a file, by its first bytes."""
    if path.is_dir():
        return folder
    check_regular(path)
    try:
        with path.open("rb") as file:
            start = file.read(12)
    except OSError as fault:
        raise ValueError(f"{path}: got no file that can be read ({fault.strerror}); expected a clip") from fault
    if not start:
        raise ValueError(f"{path}: got an empty file; expected a clip; copy or render it again")
    if start[:4] == b"RIFF" and start[8:] == b"WEBP":
        return animation
    return next((reader for begins, reader in STARTS if start.startswith(begins)), film)
