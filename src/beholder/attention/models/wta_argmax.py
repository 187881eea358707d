"""Winner takes all, by its plainest rule: look at the greatest of a map, inhibit a disc around it, look on."""

from __future__ import annotations

import numpy as np

from beholder.attention.models._paths import Guide, guide_map
from beholder.attention.types import Floats, Picture, Scanpath, scanpath
from beholder.core.cite import source
from beholder.errors import Misuse

SHARE = 6  # the disc's radius is the shorter side over that (spec 2.2)


@source("Koch1985,Itti1998", answers="scanpath", family="winner-take-all", supervised="as its map")
def wta_argmax(
    picture: Picture,
    *,
    of: Guide = "itti",
    on: str = "",
    fixations: int = 10,
    radius: float | None = None,
    decay: float = 1.0,
    after: Scanpath | None = None,
) -> Scanpath:
    """Winner-take-all: the greatest value of a map is fixated, a disc around it is inhibited, and so on.

    `of` is a built-in model's name or a function from a picture to a map; for a folder of maps for the pictures of a
    dataset, wta_argmax(of='dir:maps', on='mit1003:PATH'). Of equal values the topmost comes first, then the leftmost.
    `radius` is in px, a sixth of the shorter side unless given. Inhibition is multiplied by `decay` after each
    fixation: 1 keeps it for ever. When everything is inhibited, inhibition is reset. Times are unknown. A constant map
    is read from the upper left corner. With `after`, a path of earlier fixations, those are inhibited in turn, and the
    path holds what comes next.
    """
    reach = min(picture.shape) / SHARE if radius is None else radius
    if fixations < 1 or not (reach > 0 and 0 <= decay <= 1):
        raise Misuse(
            f"got fixations={fixations}, radius={radius}, decay={decay}; expected 1 or more, above 0 px, and 0 … 1"
        )
    before = np.empty((0, 2)) if after is None else np.floor(after.points[:, ::-1])
    rows, columns = winners(guide_map(picture, of, on), reach, count=fixations, decay=decay, before=before)
    return scanpath(columns + 0.5, rows + 0.5)


def winners(
    values: Floats, reach: float, *, count: int, decay: float = 1.0, before: Floats | None = None
) -> tuple[Floats, Floats]:
    """Rows and columns of the greatest values of a map 0 … 1 in turn, after pixels (n, 2) that were looked at before.

    >>> winners(np.array([[0.5, 0.9, 1.0, 0.7]]), 1.0, count=3)
    (array([0., 0., 0.]), array([2., 0., 2.]))
    """
    inhibition = np.zeros(values.shape)
    for row, column in np.empty((0, 2)) if before is None else before:
        _look(inhibition, row, column, reach=reach, decay=decay)
    found = np.empty((count, 2))
    for at in range(count):
        if inhibition.min() >= 1:
            inhibition[:] = 0.0
        row, column = np.unravel_index(int((values * (1 - inhibition) - 2 * inhibition).argmax()), values.shape)
        found[at] = row, column
        _look(inhibition, float(row), float(column), reach=reach, decay=decay)
    return found[:, 0], found[:, 1]


def _look(inhibition: Floats, row: float, column: float, *, reach: float, decay: float) -> None:
    """Let inhibition decay, and inhibit a disc."""
    down, right = np.ogrid[: inhibition.shape[0], : inhibition.shape[1]]
    inhibition *= decay
    inhibition[(down - row) ** 2 + (right - column) ** 2 <= reach**2] = 1.0
