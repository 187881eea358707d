"""Where some values stand among many: how many are less, how many are equal. Sort once, ask often."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


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
