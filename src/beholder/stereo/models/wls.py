"""Semi-global matching, smoothed along the edges of the image."""

from __future__ import annotations

from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.io.image import eight_bit
from beholder.stereo.matching.fill import Fill, filled
from beholder.stereo.matching.opencv import padded, pixels, semi_global
from beholder.stereo.types import Map, Pair


@source("Min2014,Hirschmuller2008", family="global")
def wls(pair: Pair, *, block: int = 3, smoothness: float = 8000.0, sigma: float = 1.5, fill: Fill = True) -> Map:
    """OpenCV's weighted-least-squares filter over semi-global matching along three paths, in both directions.

    `smoothness` is λ; `sigma` is how much colours must differ to make an edge; the defaults are from OpenCV's sample.
    Where the two directions disagree, the filter uses their neighbours: few holes are left, and `fill` fills them. The
    filter switches the matcher's own checks off.
    """
    import cv2

    if not smoothness > 0 or not sigma > 0:
        raise Misuse(f"got smoothness={smoothness}, sigma={sigma}; expected numbers above 0")
    matcher = semi_global(pair, "3way", block=block)
    smooth = cv2.ximgproc.createDisparityWLSFilter(matcher)
    smooth.setLambda(smoothness)
    smooth.setSigmaColor(sigma)
    margin = matcher.getNumDisparities()
    left, right = (padded(eight_bit(image), margin) for image in (pair.left, pair.right))
    other = cv2.ximgproc.createRightMatcher(matcher).compute(right, left)
    found = pixels(smooth.filter(matcher.compute(left, right), left, None, other), margin)
    return filled(found, fill)
