"""A map at six blurs: what smoothing alone does to its scores, small enough to keep for every picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from beholder.attention.criteria import reduced_by
from beholder.attention.maps.fixation_maps import SIGMA_PX
from beholder.attention.maps.rates import LONGER, on_thin_map
from beholder.attention.measures.auc import auc, sauc
from beholder.attention.measures.nss import nss
from beholder.attention.readouts import Surface, surface
from beholder.attention.types import Floats, Lookers, Picture
from beholder.core.benchmark import EVERYWHERE, Criterion
from beholder.stats.transport import reduced
from beholder.vision.blur import blurred

BLURS = (0.0, 0.25, 0.5, 1.0, 1.5, 2.0)  # degrees


class Smoothed(NamedTuple):
    """Three scores of a map at each of the blurs."""

    auc: Floats
    sauc: Floats  # NaN without fixations of other pictures
    nss: Floats


@dataclass(frozen=True, eq=False)
class BlurredMaps:
    """A map or a density, and its means over squares, whose longer side is at most 200 px: these are blurred."""

    whole: Surface
    thin: Floats
    px_per_deg: float  # of the thin map

    def at(self, degrees: float) -> Surface:
        """The thin map under a Gaussian of so many degrees, reflected at the border, so that no centre bias arises."""
        if self.thin.min() == self.thin.max():
            return Surface(self.thin)  # rounding would tell equal pixels apart
        return Surface(blurred(self.thin, degrees * self.px_per_deg, border="reflect"))


def blurred_maps(answer: Any, stimulus: Picture) -> BlurredMaps:
    """The readout of measures of smoothing; 1 degree is 24 px where the geometry is not known."""
    whole = surface(answer, stimulus)
    px_per_deg = stimulus.px_per_deg if np.isfinite(stimulus.px_per_deg) else SIGMA_PX
    step = max(1, -(-max(whole.shape) // LONGER))
    return BlurredMaps(whole, reduced(whole.level, step) / _areas(whole.shape, step), px_per_deg / step)


@lru_cache(maxsize=4)
def _areas(shape: tuple[int, int], step: int) -> Floats:
    """How many pixels each square has."""
    return reduced(np.ones(shape), step)


blurred_maps.quick = True  # type: ignore[attr-defined]  # as `surface` is


def score_blurs(found: BlurredMaps, lookers: Lookers) -> Smoothed:
    """Score a map at each blur, on everybody's fixations at once; people's answers on those of who is held out.

    People stand as they are at every blur: the bandwidth of their density is the one that predicts best already.

    >>> from beholder.attention.types import scanpath
    >>> here = Lookers({"a": scanpath(3, 0)}, (1, 4))
    >>> values = np.array([[1.0, 2.0, 3.0, 4.0]])
    >>> score_blurs(BlurredMaps(Surface(values), values, 1.0), here).auc[0]
    np.float64(0.875)
    """
    if found.whole.by:
        return Smoothed(*np.repeat(_scores(Surface(found.thin), on_thin_map(lookers)), len(BLURS)).reshape(3, -1))
    return found.whole.once("blurs", lambda: _scored(found, lookers.everyone), lookers.everyone)


def _scored(found: BlurredMaps, lookers: Lookers) -> Smoothed:
    """The map as it is, and then the thin one."""
    small = on_thin_map(lookers)
    each = [_scores(found.whole, lookers), *(_scores(found.at(degrees), small) for degrees in BLURS[1:])]
    return Smoothed(*np.array(each).T)


def _scores(found: Surface, lookers: Lookers) -> tuple[float, float, float]:
    shuffled = lookers.controls is not None and len(lookers.controls.points) > 0
    return auc(found, lookers).value, sauc(found, lookers).value if shuffled else np.nan, nss(found, lookers).value


def reduce_to_blurs(criterion: Criterion = EVERYWHERE) -> Criterion:
    """The same criterion, but measures of smoothing get `Smoothed`; all other measures get what they did.

    Blurs are tried on all fixations: under any other criterion they are not applicable.

    >>> reduce_to_blurs().name
    'all'
    """
    return reduced_by(criterion, BlurredMaps, score_blurs)
