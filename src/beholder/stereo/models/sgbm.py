"""Semi-global matching of OpenCV: the global baseline."""

from __future__ import annotations

from beholder.core.cite import source
from beholder.io.image import eight_bit
from beholder.stereo.matching.fill import Fill, filled
from beholder.stereo.matching.opencv import Mode, matched, semi_global
from beholder.stereo.types import Map, Pair


@source("Hirschmuller2008", family="global")
def sgbm(
    pair: Pair,
    *,
    mode: Mode = "hh",
    block: int = 3,
    p1: int = 8,
    p2: int = 32,
    uniqueness: int = 5,
    fill: Fill = True,
) -> Map:
    """Matching costs summed along paths through the image: OpenCV's StereoSGBM.

    `mode` names the paths: 8 directions with hh, 4 with hh4, 5, or 3 in one pass with 3way (3 for short). Smoothness
    costs are `p1` and `p2` times channels · block²; 8 and 32 are from OpenCV's samples. The best match must cost
    `uniqueness` per cent less than the next one. `fill` fills holes from the background.
    """
    matcher = semi_global(pair, mode, block=block, p1=p1, p2=p2, uniqueness=uniqueness)
    found = matched(matcher, eight_bit(pair.left), eight_bit(pair.right))
    return filled(found, fill)
