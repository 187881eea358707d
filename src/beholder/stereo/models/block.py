"""Block matching of OpenCV: the local baseline."""

from __future__ import annotations

from beholder.core.cite import source
from beholder.stereo.matching.fill import Fill, filled
from beholder.stereo.matching.opencv import disparities, grey, matched, odd, percentage
from beholder.stereo.types import Map, Pair


@source("Konolige1998", family="local")
def block(pair: Pair, *, window: int = 9, uniqueness: int = 15, fill: Fill = True) -> Map:
    """Least sum of absolute differences in a window: OpenCV's StereoBM, with OpenCV's defaults except for the settings
    below.

    OpenCV leaves holes where the window has no texture, or where the best match does not cost `uniqueness` per cent
    less than the next one (15, its default); `fill` fills them from the background, to give a dense map.
    """
    import cv2

    matcher = cv2.StereoBM.create(disparities(pair), odd(window, "window", least=5))
    matcher.setUniquenessRatio(percentage(uniqueness, "uniqueness"))
    found = matched(matcher, grey(pair.left), grey(pair.right))
    return filled(found, fill)
