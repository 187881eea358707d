"""Semi-global matching of OpenCV: the global baseline."""

from __future__ import annotations

from typing import Literal

from beholder.media.image import eight_bit
from beholder.spine.cite import source
from beholder.stereo.fill import background
from beholder.stereo.matchers import disparities, matched
from beholder.stereo.types import Map, Pair

Mode = Literal["5", "3way", "hh", "hh4"]

# OpenCV's numbers for the paths along which costs are summed: 5 or 8 directions, 3 or 4.
_MODES = {"5": 0, "hh": 1, "3way": 2, "hh4": 3}


@source("Hirschmuller2008", family="global")
def sgbm(pair: Pair, *, mode: Mode = "hh", block: int = 3, fill: bool = True) -> Map:
    """Matching costs summed along paths through the image: OpenCV's StereoSGBM; `mode` names the paths.

    Smoothness costs are 8 and 32 times channels · block², as in OpenCV's samples; holes are filled from the
    background if `fill`.
    """
    import cv2

    if mode not in _MODES:
        raise ValueError(f"got mode={mode!r}; expected one of {', '.join(_MODES)}")
    if block < 1 or block % 2 == 0:
        raise ValueError(f"got block={block}; expected an odd number of 1 or more")
    area = (pair.left.shape[2] if pair.left.ndim == 3 else 1) * block**2
    matcher = cv2.StereoSGBM.create(
        numDisparities=disparities(pair),
        blockSize=block,
        P1=8 * area,
        P2=32 * area,
        disp12MaxDiff=1,
        preFilterCap=63,
        uniquenessRatio=5,
        speckleWindowSize=50,
        speckleRange=2,
        mode=_MODES[mode],
    )
    found = matched(matcher, eight_bit(pair.left), eight_bit(pair.right))
    return background(found) if fill else found
