"""Normalised cross-correlation: windows alike but for brightness and contrast."""

from __future__ import annotations

from beholder.core.cite import source
from beholder.stereo.matching.fill import Fill
from beholder.stereo.matching.volume import consistent, correlation, winners
from beholder.stereo.types import Map, Pair


@source("Scharstein2002", family="local")
def ncc(pair: Pair, *, window: int = 9, fill: Fill = True) -> Map:
    """Greatest correlation of grey levels in a square window, with a left-right check.

    Integer disparities; pixels that fail the check are holes, which `fill` fills from the background.
    """
    return consistent(*winners(correlation(pair, window=window)), fill=fill)
