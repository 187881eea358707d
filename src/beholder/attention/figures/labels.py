"""Labels beside marks that do not overlap: each takes the first free place around its mark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from beholder.attention.types import Floats

LETTER = 0.56  # width of a letter, in heights of the text
MARK = 6.0  # points: the side of a mark
AWAY = 4.0  # points from a mark's middle to its name
# Where a name is tried, as directions from its mark: beside it first, then above and below, then aslant, then further.
TRIED = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
RINGS = (1.0, 2.4, 4.0)


class Label(NamedTuple):
    """Where a name stands: points away from its mark, and how it is aligned."""

    x: float
    y: float
    ha: str
    va: str


def labels(names: Sequence[str], points: Floats, *, size: float, page: tuple[float, float]) -> list[Label]:
    """A place for each name, `points` (n, 2) being where marks are on a page (its width and height), y upwards.

    Greedy, from the lowest mark up: the place that covers the least of marks and of names that are there already, and
    is least outside the page. All in points, the size of letters too.

    >>> labels(["a", "b"], np.array([[10.0, 9.0], [16.0, 9.0]]), size=6, page=(40, 20))
    [Label(x=-4.0, y=0.0, ha='right', va='center'), Label(x=4.0, y=0.0, ha='left', va='center')]
    """
    mark = MARK / 2
    taken = [np.array([x - mark, y - mark, x + mark, y + mark]) for x, y in points]
    found: dict[int, Label] = {}
    for at in np.lexsort((points[:, 0], points[:, 1])).tolist():
        wide, high = LETTER * size * len(names[at]), 1.15 * size
        tried = [_label(way, ring) for ring in RINGS for way in TRIED]
        boxes = [_box(points[at], one, wide, high) for one in tried]
        costs = [sum(_shared(box, other) for other in taken) + _area_off_page(box, page) for box in boxes]
        best = int(np.argmin(costs))
        found[at] = tried[best]
        taken.append(boxes[best])
    return [found[at] for at in range(len(names))]


def _label(way: tuple[int, int], ring: float) -> Label:
    x, y = way
    ha = {1: "left", -1: "right", 0: "center"}[x]
    va = {1: "bottom", -1: "top", 0: "center"}[y] if not x else "center"
    return Label(AWAY * ring * x, AWAY * ring * y, ha, va)


def _box(point: Floats, one: Label, wide: float, high: float) -> Floats:
    """Left, bottom, right, top of a name."""
    x, y = point[0] + one.x, point[1] + one.y
    left = x - {"left": 0.0, "right": wide, "center": wide / 2}[one.ha]
    foot = y - {"bottom": 0.0, "top": high, "center": high / 2}[one.va]
    return np.array([left, foot, left + wide, foot + high])


def _area_off_page(box: Floats, page: tuple[float, float]) -> float:
    """The area of a box that is not on the page."""
    whole = float(np.prod(box[2:] - box[:2]))
    return whole - _shared(box, np.array([0.0, 0.0, *page]))


def _shared(a: Floats, b: Floats) -> float:
    """The area that two boxes share."""
    sides = np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2])
    return float(np.prod(np.maximum(sides, 0)))
