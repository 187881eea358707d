"""Block matching by the rule of OpenCV's old `cvCalcOpticalFlowBM`, gone since OpenCV 3."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.jit import compiled
from beholder.motion.frame_pairs import Field, Fields, fields, levels
from beholder.motion.types import Movie

Bytes = NDArray[np.uint8]

# Grey levels a pixel at which OpenCV took a match at once, and above which it took none.
_SMALL, _BIG = 2, 128


@source("Bradski2000", family="matching", dynamics="none")
def block_matching(movie: Movie, *, block: int = 8, shift: int = 4, reach: int = 8) -> Fields:
    """The offset with the least sum of absolute differences of 8-bit levels, for blocks every `shift` px.

    The answer is rest if zero offset differs by no more than 2 levels per pixel. Otherwise offsets are tried in an
    outward spiral up to `reach`: the first below 2 levels per pixel wins, else the one with the least difference (ties
    are averaged); if even that is above 128 levels per pixel, the answer is rest. Each pixel has the mean of the blocks
    that cover it, NaN where none does.

    Deviation: OpenCV returned one vector per block; here they are spread over pixels. The flow of the previous pair is
    not used as a prediction.
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
    path = np.array(spiral(reach), np.int64)
    bounds = np.array([_SMALL, _BIG], np.int64) * block**2
    return np.asarray(_searched(np.ascontiguousarray(first), np.ascontiguousarray(second), path, bounds, block, shift))


@compiled
def _searched(
    first: Bytes, second: Bytes, path: NDArray[np.int64], bounds: NDArray[np.int64], block: int, shift: int
) -> NDArray[np.float64]:
    height, width = first.shape
    rows, columns = (height - block + shift) // shift, (width - block + shift) // shift
    answer = np.zeros((rows, columns, 2))
    for place in range(rows * columns):
        y, x = place // columns * shift, place % columns * shift
        least, total_x, total_y, ties = np.int64(-1), 0.0, 0.0, 1.0
        for step in range(-1, len(path)):
            dx, dy = (path[step, 0], path[step, 1]) if step >= 0 else (0, 0)
            top, left = y + dy, x + dx
            if top < 0 or left < 0 or top > height - block or left > width - block:
                continue
            apart = np.int64(0)
            for row in range(block):
                line = np.int32(0)
                for column in range(block):
                    line += abs(np.int32(first[y + row, x + column]) - np.int32(second[top + row, left + column]))
                apart += line
                if least >= 0 and apart > least and apart >= bounds[0]:
                    break
            if step < 0 or apart < bounds[0] or apart < least:
                least, total_x, total_y, ties = apart, float(dx), float(dy), 1.0
            elif apart == least:
                total_x, total_y, ties = total_x + dx, total_y + dy, ties + 1
            # Rest is taken at the bound, too; other offsets only below it.
            if apart < bounds[0] or (step < 0 and apart == bounds[0]):
                break
        if least <= bounds[1]:
            answer[y // shift, x // shift] = total_x / ties, total_y / ties
    return answer


def _matched(first: Bytes, second: Bytes, *, block: int, shift: int, reach: int) -> Field:
    return np.asarray(spread(vectors(first, second, block=block, shift=shift, reach=reach), first.shape, block, shift))


@compiled
def spread(offsets: NDArray[np.float64], shape: tuple[int, int], block: int, shift: int) -> Field:
    """Each pixel's mean of the blocks that cover it; NaN where none does."""
    total, count = np.zeros((shape[0], shape[1], 2)), np.zeros(shape)
    for row in range(offsets.shape[0]):
        for column in range(offsets.shape[1]):
            top, left = row * shift, column * shift
            for y in range(top, top + block):
                for x in range(left, left + block):
                    total[y, x] += offsets[row, column]
                    count[y, x] += 1
    field = np.full((shape[0], shape[1], 2), np.nan, np.float32)
    for y in range(shape[0]):
        for x in range(shape[1]):
            if count[y, x] > 0:
                field[y, x] = (total[y, x] / count[y, x]).astype(np.float32)
    return field
