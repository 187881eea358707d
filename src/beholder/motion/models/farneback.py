"""Farnebäck's polynomial expansion, as OpenCV has it."""

from __future__ import annotations

import numpy as np

from beholder.core.cite import source
from beholder.motion.frame_pairs import Fields, fields, levels
from beholder.motion.types import Movie


@source("Farneback2003", family="multi-scale", dynamics="none")
def farneback(movie: Movie, *, window: int = 15, scales: int = 3, iterations: int = 3) -> Fields:
    """Displacement of local quadratic polynomials, averaged over a window, over a pyramid: OpenCV's implementation.

    Each pyramid level halves the size; neighbourhoods are 5 px under a Gaussian of 1.2 px (the settings of OpenCV's
    tutorial). Frames go in as 8-bit linear luminance, scaled so that the movie's maximum is 255: contrasts below one
    per cent span only a level or two.
    """
    import cv2

    return fields(
        levels(movie),
        lambda first, second: np.asarray(
            cv2.calcOpticalFlowFarneback(first, second, None, 0.5, scales, window, iterations, 5, 1.2, 0)
        ),
    )
