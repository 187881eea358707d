"""Block matching of OpenCV: the local baseline."""

from __future__ import annotations

from beholder.spine.cite import source
from beholder.stereo.fill import background
from beholder.stereo.matchers import disparities, grey, matched
from beholder.stereo.types import Map, Pair


@source("Konolige1998", family="local")
def block(pair: Pair, *, window: int = 9, fill: bool = True) -> Map:
    """Least sum of absolute differences in a window: OpenCV's StereoBM, with all its settings but the window.

    OpenCV leaves holes where the match is not unique or the window has no texture; `fill` fills them from the
    background, since dense maps are asked for.
    """
    import cv2

    if window < 5 or window % 2 == 0:
        raise ValueError(f"got window={window}; expected an odd number of 5 or more")
    found = matched(cv2.StereoBM.create(disparities(pair), window), grey(pair.left), grey(pair.right))
    return background(found) if fill else found
