"""Dense inverse search, as OpenCV has it."""

from __future__ import annotations

import numpy as np

from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.motion.frame_pairs import Fields, fields, levels
from beholder.motion.types import Movie

SMALLEST = 16  # px: a patch of 8 at half the size; OpenCV crashes on less


@source("Kroeger2016", family="multi-scale", dynamics="none")
def dis(movie: Movie) -> Fields:
    """Patches matched by inverse search over a pyramid, then refined variationally: OpenCV's DIS, preset medium.

    Frames go in as 8-bit linear luminance, scaled so that the movie's maximum is 255. Each pair starts from rest.
    """
    import cv2

    if min(movie.frames.shape[1:]) < SMALLEST:
        raise Misuse(
            f"got frames of {movie.frames.shape[1:]} px; expected {SMALLEST} or more per side, to hold a patch"
        )
    search = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
    return fields(levels(movie), lambda first, second: np.asarray(search.calc(first, second, None)))
