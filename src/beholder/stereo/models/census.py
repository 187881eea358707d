"""The census transform: the order of brightness around a pixel instead of brightness itself."""

from __future__ import annotations

from beholder.core.cite import source
from beholder.stereo.matching import volume
from beholder.stereo.matching.fill import Fill
from beholder.stereo.types import Map, Pair


@source("Zabih1994", family="local")
def census(pair: Pair, *, window: int = 9, width: int = 9, height: int = 7, fill: Fill = True) -> Map:
    """Least Hamming distance of census signatures of `width` × `height`, averaged over a window; left-right check.

    Integer disparities; pixels that fail the check are holes, which `fill` fills from the background.
    """
    costs = volume.boxed(volume.census(pair, width=width, height=height), window)
    return volume.consistent(*volume.winners(costs), fill=fill)
