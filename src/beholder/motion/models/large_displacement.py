"""The variational part of DeepFlow, as opencv-contrib has it: a robust energy over a very fine pyramid."""

from __future__ import annotations

import numpy as np

from beholder.core.cite import source
from beholder.motion.frame_pairs import Fields, fields, levels
from beholder.motion.types import Movie


@source("Weinzaepfel2013", family="multi-scale", dynamics="none")
def large_displacement(movie: Movie) -> Fields:
    """Brightness and gradient constancy under robust penalties, refined over pyramids that shrink by only 5 % a step.

    opencv-contrib's DeepFlow with its own settings. Frames go in as 8-bit linear luminance, 255 at the greatest of the
    movie. It stands for flows of large displacement, and takes the seconds that its many scales need.

    Deviation: OpenCV's program has no matches of descriptors, which DeepFlow is named for: large displacements
    come from the pyramid alone. Of Tlapale et al. (2012), bm (Brox and Malik's large displacement optical flow) and
    tmk are not reproduced, neither here nor elsewhere in Beholder.
    """
    import cv2

    flow = cv2.optflow.createOptFlow_DeepFlow()
    return fields(levels(movie), lambda first, second: np.asarray(flow.calc(first, second, None)))
