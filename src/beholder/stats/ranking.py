"""Where some values stand among many: how many are less, how many are equal. Sort once, ask often; or count, once."""

from __future__ import annotations

import math
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.jit import compiled, is_loaded

Floats = NDArray[np.float64]
BUCKETS = 2048  # with what is known of each they fit into a core's own cache
TABLES = 4  # of counts, in turn: a count that was just written cannot be read for some cycles
ROOTS, ALONE = 4, 0.8  # square roots at most, and the share of the values to be placed for which fewer will do
FEW = 1 << 16  # values that are counted by NumPy before a loop is even loaded, which takes most of a second
FEWER = 1 << 11  # values that are sorted: the tables of counts are not worth while


class Place(NamedTuple):
    """The standing of each of some values among `size` others."""

    less: Floats  # how many are less
    equal: Floats  # how many are equal
    size: int

    @property
    def strict(self) -> Floats:
        """Share of the others that is less."""
        return self.less / self.size

    @property
    def midrank(self) -> Floats:
        """Share that is less, with half of the equal ones: the chance to win against one drawn, ties by a coin."""
        return (self.less + self.equal / 2) / self.size

    def without(self, other: Place) -> Place:
        """The standing among those that remain when some are taken away."""
        return Place(self.less - other.less, self.equal - other.equal, self.size - other.size)


def place(values: Floats, ordered: Floats) -> Place:
    """The standing of values among others that are sorted already.

    >>> place(np.array([2.0, 9.0]), np.array([1.0, 2.0, 2.0, 3.0])).midrank
    array([0.5, 1. ])
    """
    before = np.searchsorted(ordered, values, "left")
    upto = np.searchsorted(ordered, values, "right")
    return Place(before.astype(float), (upto - before).astype(float), len(ordered))


class Standings:
    """Where values stand among others, asked often: the values that are expected are counted once, in one pass.

    A value that was not expected is right all the same: then the others are sorted, and kept. A few others are always.

    >>> among = Standings(np.array([3.0, 2.0, 1.0, 2.0]), expected=np.array([2.0, 9.0]))
    >>> among.of(np.array([9.0, 2.0])).midrank, among.of(np.array([2.5])).midrank
    (array([1. , 0.5]), array([0.75]))
    """

    def __init__(self, others: Floats, expected: Floats) -> None:
        self._others = others
        self._levels = np.unique(expected) if others.size > FEWER else np.empty(0)
        self._known = _placed(self._levels, others) if len(self._levels) else None

    def of(self, values: Floats) -> Place:
        """The standing of each value."""
        if self._known:
            at = np.minimum(np.searchsorted(self._levels, values), len(self._levels) - 1)
            if (self._levels[at] == values).all():
                return Place(self._known.less[at], self._known.equal[at], self._known.size)
        return place(values, self._ordered)

    @cached_property
    def _ordered(self) -> Floats:
        return np.sort(self._others, axis=None)


def placed(values: Floats, among: Floats) -> Place:
    """The standing of values among others in any order: those of `place`, counted in one pass, without sorting.

    From the least to the greatest of the values there are buckets of equal width; what is below or above falls into the
    outermost. What is in a lower bucket is less; in its own, each is compared with the value, or sorted where a bucket
    has several values to be placed. Where most values crowd near the least, as they do in a map of a few peaks, roots
    are taken first, so that they part.

    >>> placed(np.array([2.0, 9.0]), np.array([3.0, 2.0, 1.0, 2.0])).midrank
    array([0.5, 1. ])
    """
    levels, which = np.unique(values, return_inverse=True)
    found = _placed(levels, among)
    return Place(found.less[which], found.equal[which], among.size)


def _placed(levels: Floats, among: Floats) -> Place:
    """The standing of levels, rising and each once."""
    counting = among.size > FEWER and len(levels) > 1
    span = float(levels[-1]) - float(levels[0]) if counting else 0.0
    scale = (BUCKETS - 1) / span if span > 0 else math.inf
    if not 0 < scale < math.inf:
        return place(levels, np.sort(among, axis=None))
    if among.size > FEW or is_loaded():
        return _counted(among.ravel(), levels)
    return _parted(among.ravel(), levels, scale)


def _parted(among: Floats, levels: Floats, scale: float) -> Place:
    """The standing of levels, rising and each once: only what falls into the bucket of a level is sorted.

    The outermost buckets hold what is below and above all levels.
    """
    with np.errstate(over="ignore"):  # what is far beyond all levels
        steps = ((of - levels[0]) * scale + 1 for of in (among, levels))
        bucket, own = (np.clip(step, 0, BUCKETS + 1).astype(np.intp) for step in steps)
    total, asked = np.bincount(bucket, minlength=BUCKETS + 2), np.zeros(BUCKETS + 2, np.bool_)
    asked[own] = True
    below = np.cumsum(np.where(asked, 0, total))  # what is less, and is not sorted
    inside = place(levels, np.sort(among[asked[bucket]]))
    return Place(below[own] + inside.less, inside.equal, among.size)


def _counted(among: Floats, levels: Floats) -> Place:
    """The standing of levels, rising and each once.

    What is between two levels has an even number, what is at one an odd one: 2 i + 1 is at level i. A bucket with
    several levels has a number beyond all of these; its values are copied and sorted.
    """
    n, (bucket, own, roots) = len(levels), _buckets(levels)
    level, number = np.full(BUCKETS, np.inf), 2 * (np.cumsum(own) - own)
    level[bucket] = levels
    level[own > 1], number[own > 1] = np.inf, 2 * n + 1
    tables, copied = np.zeros((TABLES, 2 * n + 2), np.uint32), np.empty(among.size + 1)
    span = np.array([levels[0], _unit(levels), roots])
    copied = copied[: _count(among, span, level, number.astype(np.uint32), tables, copied)]
    counts = tables.sum(axis=0, dtype=np.int64).astype(float)
    less, equal = np.cumsum(counts)[: 2 * n : 2], counts[1 : 2 * n : 2]
    if not len(copied):
        return Place(less, equal, among.size)
    inside = place(levels, np.sort(copied))
    return Place(less + inside.less, equal + inside.equal, among.size)


class Buckets(NamedTuple):
    """Levels in buckets, by the root of each one's way from the least to the greatest."""

    of: NDArray[np.intp]  # each level
    holds: NDArray[np.intp]  # how many levels are in each bucket
    roots: int  # square roots, one of the other

    @property
    def alone(self) -> int:
        """How many levels share their bucket with no other."""
        return int(np.count_nonzero(self.holds == 1))


def _buckets(levels: Floats) -> Buckets:
    """As few roots as part most levels, or those that part more than others."""
    share = np.minimum((levels - levels[0]) * _unit(levels), 1.0)
    best = _bucketed(share, 0)
    for roots in range(1, ROOTS + 1):
        if best.alone > ALONE * len(levels):
            break
        share = np.sqrt(share)
        best = max(best, _bucketed(share, roots), key=lambda one: one.alone)
    return best


def _bucketed(share: Floats, roots: int) -> Buckets:
    bucket = (share * (BUCKETS - 1)).astype(np.intp)
    return Buckets(bucket, np.bincount(bucket, minlength=BUCKETS), roots)


def _unit(levels: Floats) -> float:
    return 1.0 / (float(levels[-1]) - float(levels[0]))


@compiled
def _count(
    among: Floats,
    span: Floats,
    level: Floats,
    number: NDArray[np.uint32],
    tables: NDArray[np.uint32],
    several: Floats,
) -> int:
    """Count what has each number, and copy the values of the highest one and the few that do not fill all tables.

    No branches: which way a pixel goes cannot be foreseen, and a wrong guess costs more than all the rest. Buckets are
    found some at a time, apart from counting, so that the compiler makes vectors of it; indices are unsigned, since a
    negative one would have to be looked for.
    """
    last, whole, highest = float(level.size - 1), among.size - among.size % 4, np.uint32(tables.shape[1] - 1)
    shares, buckets = np.empty(2048), np.empty(2048, np.uint32)
    copied = np.uint64(among.size - whole)
    several[: among.size - whole] = among[whole:]
    for start in range(0, whole, shares.size):
        part = among[start : min(start + shares.size, whole)]
        for at in range(part.size):
            shares[at] = min(max((part[at] - span[0]) * span[1], 0.0), 1.0)
        for _ in range(int(span[2])):
            for at in range(part.size):
                shares[at] = np.sqrt(shares[at])
        for at in range(part.size):
            buckets[at] = np.uint32(np.int32(shares[at] * last))
        for four in range(part.size // 4):
            for table in range(4):
                pixel = np.uint32(4 * four + table)
                value, bucket = part[pixel], buckets[pixel]
                here = number[bucket]
                above = np.uint32(value >= level[bucket]) + np.uint32(value > level[bucket])
                tables[np.uint32(table), here + above] += np.uint32(1)
                several[copied] = value
                copied += np.uint64(here == highest)
    return int(copied)


def midranks(values: Floats) -> Floats:
    """Ranks from 1, equal values sharing the mean of their places.

    >>> midranks(np.array([0.1, 0.3, 0.1]))
    array([1.5, 3. , 1.5])
    """
    order = np.argsort(values)
    ordered = values[order]
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(values)])
    counts = np.diff(np.append(first, len(values)))
    found = np.empty(len(values))
    found[order] = np.repeat(first + (counts + 1) / 2, counts)
    return found


def top_mask(values: Floats, share: float) -> NDArray[np.bool_]:
    """The highest values, a share of all, 0 … 1; among equal ones those that come first in reading order.

    The number of values kept is round(share · N), at least one.

    >>> top_mask(np.array([[1.0, 3.0], [3.0, 3.0]]), 0.5)
    array([[False,  True],
           [ True, False]])
    """
    if not 0 < share <= 1:
        raise ValueError(f"got the share {share}; expected more than 0 and at most 1, such as 0.2")
    flat = values.ravel()
    kept = max(1, round(share * flat.size))
    lowest = np.partition(flat, flat.size - kept)[flat.size - kept]
    found: NDArray[np.bool_] = flat > lowest
    spare = kept - int(found.sum())
    found[np.flatnonzero(flat == lowest)[:spare]] = True
    return found.reshape(values.shape)
