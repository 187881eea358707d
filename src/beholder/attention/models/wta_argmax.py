"""Winner takes all, by its plainest rule: look at the greatest of a map, inhibit a disc around it, look on."""

from __future__ import annotations

import numpy as np

from beholder.attention.models._paths import Guide, guide_map
from beholder.attention.types import Floats, Picture, Scanpath, scanpath
from beholder.spine.cite import source
from beholder.spine.misuse import Misuse

SHARE = 6  # the disc's radius is the shorter side over that (spec 2.2)


@source("Koch1985,Itti1998", answers="scanpath", family="winner-take-all", supervised="as its map")
def wta_argmax(
    picture: Picture, *, of: Guide = "itti", fixations: int = 10, radius: float | None = None, decay: float = 1.0
) -> Scanpath:
    """Fixations at the greatest value of a map of salience in turn, each with a disc around it that is then inhibited.

    `of` is a built-in model's name or a function from a picture to a map. Of equals the topmost is looked at first,
    then the leftmost. `radius` is in px, a sixth of the shorter side unless given. Inhibition is multiplied by
    `decay` after each fixation: 1 keeps it for ever. Where all is inhibited, nothing is any more.
    Times are not known. A constant map is read from the upper left corner on.
    """
    reach = min(picture.shape) / SHARE if radius is None else radius
    if fixations < 1 or not (reach > 0 and 0 <= decay <= 1):
        raise Misuse(
            f"got fixations={fixations}, radius={radius}, decay={decay}; expected 1 or more, above 0 px, and 0 … 1"
        )
    rows, columns = winners(guide_map(picture, of), reach, count=fixations, decay=decay)
    return scanpath(columns + 0.5, rows + 0.5)


def winners(values: Floats, reach: float, *, count: int, decay: float = 1.0) -> tuple[Floats, Floats]:
    """Rows and columns of the greatest values of a map 0 … 1 in turn.

    >>> winners(np.array([[0.5, 0.9, 1.0, 0.7]]), 1.0, count=3)
    (array([0., 0., 0.]), array([2., 0., 2.]))
    """
    inhibition = np.zeros(values.shape)
    down, right = np.ogrid[: values.shape[0], : values.shape[1]]
    found = np.empty((count, 2))
    for at in range(count):
        if inhibition.min() >= 1:
            inhibition[:] = 0.0
        row, column = np.unravel_index(int((values * (1 - inhibition) - 2 * inhibition).argmax()), values.shape)
        found[at] = row, column
        inhibition *= decay
        inhibition[(down - row) ** 2 + (right - column) ** 2 <= reach**2] = 1.0
    return found[:, 0], found[:, 1]
