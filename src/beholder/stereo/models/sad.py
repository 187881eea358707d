"""Sums of absolute differences: the plainest of all matchers."""

from __future__ import annotations

from beholder.core.cite import source
from beholder.stereo.matching.fill import Fill
from beholder.stereo.matching.volume import absolute_differences, boxed, consistent, winners
from beholder.stereo.types import Map, Pair


@source("Scharstein2002", family="local")
def sad(pair: Pair, *, window: int = 9, cap: int = 20, fill: Fill = True) -> Map:
    """Least sum of truncated absolute differences of colour in a square window, with a left-right check.

    Each difference counts for at most `cap` grey levels per channel, so that one pixel cannot outvote a window. Integer
    disparities; pixels that fail the check are holes, which `fill` fills from the background.
    """
    return consistent(*winners(boxed(absolute_differences(pair, cap=cap), window)), fill=fill)
