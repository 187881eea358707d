"""Block matching by the rule of OpenCV's old `cvCalcOpticalFlowBM`, gone since OpenCV 3."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.motion.models._pairs import Field, Fields, fields, levels
from beholder.motion.types import Movie
from beholder.spine.cite import source
from beholder.spine.misuse import Misuse

Bytes = NDArray[np.uint8]
Sums = NDArray[np.int64]

# Grey levels a pixel at which OpenCV took a match at once, and above which it took none.
_SMALL, _BIG = 2, 128


@source("Bradski2000", family="matching", dynamics="none")
def block_matching(movie: Movie, *, block: int = 8, shift: int = 4, reach: int = 8) -> Fields:
    """The offset with the least sum of absolute differences of 8-bit levels, for blocks every `shift` px.

    Rest is taken if it differs by no more than 2 levels a pixel. Else offsets are tried in an outward spiral up to
    `reach`: the first below 2 levels a pixel is taken, else the least, averaged over all that tie; if the least is
    above 128 levels a pixel it is rest again. Each pixel has the mean of the blocks that cover it, NaN where none does.

    Deviation: OpenCV answered one vector a block and left it to the caller to spread them. The flow of the pair
    before is not used as a prediction.
    """
    if min(block, shift, reach) < 1 or block > min(movie.frames.shape[1:]):
        raise Misuse(
            f"got block={block}, shift={shift}, reach={reach} for frames of {movie.frames.shape[1:]}; "
            "expected 1 or more, and blocks that fit"
        )
    return fields(levels(movie), partial(_matched, block=block, shift=shift, reach=reach))


def spiral(reach: int) -> list[tuple[int, int]]:
    """The offsets (x, y down) around (0, 0) in rings, clockwise, each ending at its upper left corner.

    >>> spiral(1)
    [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]
    """
    sides = ((1, 0), (0, 1), (-1, 0), (0, -1))
    x, y, path = 0, 0, []
    for ring in range(1, reach + 1):
        x, y = -ring, -ring
        for dx, dy in sides:
            for _ in range(2 * ring):
                x, y = x + dx, y + dy
                path.append((x, y))
    return path


def vectors(first: Bytes, second: Bytes, *, block: int, shift: int, reach: int) -> NDArray[np.float64]:
    """The offset (x, y down) of each block, (rows, columns, 2): rows = ⌊(H − block + shift) / shift⌋, columns alike."""
    small, big = _SMALL * block**2, _BIG * block**2
    first, second = first.astype(np.int16), second.astype(np.int16)
    least = _differences(first, second, (0, 0), block=block, shift=shift)
    total, ties = np.zeros((*least.shape, 2)), np.ones(least.shape)
    searching = least > small
    for offset in spiral(reach):
        found = _differences(first, second, offset, block=block, shift=shift)
        taken, tied = searching & ((found < small) | (found < least)), searching & (found == least) & (found >= small)
        total[taken], ties[taken] = offset, 1
        total[tied] += offset
        ties[tied] += 1
        searching &= found >= small
        least = np.where(searching & taken, found, least)
    total[least > big] = 0
    return total / ties[..., None]


def _differences(first: NDArray[Any], second: NDArray[Any], offset: tuple[int, int], *, block: int, shift: int) -> Sums:
    """Each block's sum of absolute differences at an offset; more than any real one where it leaves the frame."""
    x, y = offset
    height, width = first.shape
    here = np.s_[max(0, -y) : height - max(0, y), max(0, -x) : width - max(0, x)]
    there = np.s_[max(0, y) : height - max(0, -y), max(0, x) : width - max(0, -x)]
    apart = np.full(first.shape, np.iinfo(np.int32).max, np.int64)
    apart[here] = np.abs(first[here] - second[there])
    sums = np.pad(apart.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    boxes = sums[block:, block:] - sums[:-block, block:] - sums[block:, :-block] + sums[:-block, :-block]
    return np.asarray(boxes[::shift, ::shift])


def _matched(first: Bytes, second: Bytes, *, block: int, shift: int, reach: int) -> Field:
    offsets = vectors(first, second, block=block, shift=shift, reach=reach)
    total, count = np.zeros((*first.shape, 2)), np.zeros((*first.shape, 1))
    for row, line in enumerate(offsets):
        for column, offset in enumerate(line):
            part = np.s_[row * shift : row * shift + block, column * shift : column * shift + block]
            total[part] += offset
            count[part] += 1
    return np.where(count > 0, total / np.maximum(count, 1), np.nan).astype(np.float32)
