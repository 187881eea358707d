"""Clips in NumPy files → a stream: an .npy file is read frame by frame, an .npz file at once."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.io.arrays import check
from beholder.io.bounds import LARGEST
from beholder.video.files.layout import check_layout, colour
from beholder.video.files.stream import Stream, by_rate, check_rate
from beholder.video.types import Bytes

FRAMES = ("frames", "video", "clip", "pixels", "arr_0")  # what frames are called in an archive: the first that is there
RATES = ("rate", "fps")
ON_DISK = 16 * LARGEST  # bytes as floats: 8 GB of levels, of which one frame at a time is held
IN_MEMORY = 1 << 30  # bytes as floats: 49 frames of 1280 x 720


@contextmanager
def array(path: Path, rate: float, long_side: int) -> Iterator[Stream]:
    """The frames in an .npy file, or in the array `frames` of an .npz file, which may hold its `rate`, too."""
    try:
        frames, own = _archive(path) if _is_archive(path) else (_mapped(path), math.nan)
        check_layout(frames.shape, frames.dtype)
        known = check_rate(path, own if math.isnan(rate) else rate)
    except Exception as fault:  # NumPy raises what it likes over damaged bytes
        raise ValueError(f"{path}: {str(fault).removeprefix(f'{path}: ')}") from fault
    yield by_rate(path, _frames(path, frames), known, long_side)


def _is_archive(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == b"PK"


def _mapped(path: Path) -> NDArray[Any]:
    check(path, ON_DISK)
    found: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    return found


@contextmanager
def archive(path: Path, limit: int) -> Iterator[Mapping[str, NDArray[Any]]]:
    """The arrays in an .npz file that together take at most `limit` bytes as floats."""
    check(path, limit)
    with path.open("rb") as file, np.load(file, allow_pickle=False) as held:  # NumPy would leave a damaged one open
        yield held


def _archive(path: Path) -> tuple[NDArray[Any], float]:
    """The frames and the rate in an archive."""
    with archive(path, IN_MEMORY) as held:
        name = _first(held, FRAMES)
        if not name:
            names = ", ".join(held) or "nothing"
            raise ValueError(f"got an archive of {names}; expected an array called frames, and maybe one called rate")
        rate = _first(held, RATES)
        return held[name], _one(rate, held[rate]) if rate else math.nan


def _one(name: str, found: NDArray[Any]) -> float:
    if found.size != 1 or found.dtype.kind not in "iuf":
        raise ValueError(
            f"got {name} = {np.array2string(found.reshape(-1)[:4])}; expected one number: frames per second"
        )
    return float(found.reshape(-1)[0])


def _first(held: Mapping[str, Any], names: Sequence[str]) -> str:
    return next((name for name in names if name in held), "")


def _frames(path: Path, frames: NDArray[Any]) -> Iterator[Bytes]:
    for at in range(len(frames)):
        try:
            yield colour(frames[at : at + 1], at)[0]
        except ValueError as fault:
            raise ValueError(f"{path}: {fault}") from None
