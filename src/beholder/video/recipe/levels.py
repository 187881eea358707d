"""From strengths to the five levels Bad … Perfect: cut-points from the clips that are trained on, and no others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beholder.errors import Misuse
from beholder.video.release.commonsense import CLASSES

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SHARES = (0.2, 0.4, 0.6, 0.8)  # of the training clips below each cut


@dataclass(frozen=True, eq=False)
class Levels:
    """Four cut-points of strength; a clip at a cut belongs to the level above it."""

    cuts: Floats

    def of(self, strengths: Floats) -> Ints:
        """The level of each strength: 0 Bad … 4 Perfect.

        >>> Levels(np.array([-1.0, 0.0, 1.0, 2.0])).of(np.array([-3.0, -1.0, 0.5, 9.0])).tolist()
        [0, 1, 2, 4]
        """
        return np.searchsorted(self.cuts, strengths, side="right").astype(np.int64)

    def counts(self, strengths: Floats) -> dict[str, int]:
        """How many strengths are of each level."""
        often = np.bincount(self.of(strengths), minlength=len(CLASSES))
        return dict(zip(CLASSES, often.tolist(), strict=True))


def levels_of(strengths: Floats) -> Levels:
    """Levels that hold a fifth of the clips each: cut-points half-way between the strengths around each quantile.

    >>> levels_of(np.arange(10.0)).cuts.tolist()
    [1.5, 3.5, 5.5, 7.5]
    """
    known = np.unique(strengths)
    if len(known) < len(CLASSES):
        raise Misuse(
            f"got {len(strengths)} clips with only {len(known)} different strengths; expected at least "
            f"{len(CLASSES)} for the levels {', '.join(CLASSES)}; compare more clips with one another"
        )
    ordered = np.sort(strengths)
    at = [round(share * len(ordered)) for share in SHARES]
    cuts = np.array([(ordered[k - 1] + ordered[k]) / 2 for k in at])
    found = Levels(cuts)
    if (empty := [name for name, count in found.counts(strengths).items() if count == 0]) != []:
        raise Misuse(
            f"got so many clips of equal strength that no clip is {' or '.join(empty)}; expected others; "
            "compare more clips with one another"
        )
    return found
