"""The variational part of DeepFlow, as opencv-contrib has it: a robust energy over a very fine pyramid."""

from __future__ import annotations

import numpy as np

from beholder.core.cite import source
from beholder.motion.frame_pairs import Fields, fields, levels
from beholder.motion.types import Movie


@source("Weinzaepfel2013", family="multi-scale", dynamics="none")
def large_displacement(movie: Movie) -> Fields:
    """Brightness and gradient constancy under robust penalties, refined over pyramids that shrink by only 5 % a step.

    opencv-contrib's DeepFlow with its own settings. Frames go in as 8-bit linear luminance, scaled so that the movie's
    maximum is 255. It represents large-displacement flow; its many scales take seconds.

    Deviation: OpenCV's program lacks the descriptor matching that gave DeepFlow its name: large displacements come from
    the pyramid alone. Two models of Tlapale et al. (2012), bm (Brox and Malik's large displacement optical flow) and
    tmk, are not reproduced here or elsewhere in Beholder.
    """
    import cv2

    flow = cv2.optflow.createOptFlow_DeepFlow()
    return fields(levels(movie), lambda first, second: np.asarray(flow.calc(first, second, None)))
