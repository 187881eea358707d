"""Horn and Schunck: brightness constancy everywhere, and a field as smooth as it can be."""

from __future__ import annotations

from functools import partial

import numpy as np

from beholder.motion.models._pairs import Field, Fields, fields, relative
from beholder.motion.types import Movie
from beholder.spine.cite import source
from beholder.spine.misuse import Misuse
from beholder.vision.filters import Image, blurred, cube

# The mean of the neighbours, without the pixel itself: 1/6 along edges, 1/12 across corners, as in the paper.
_NEIGHBOURS = np.array([[1, 2, 1], [2, 0, 2], [1, 2, 1]], np.float32) / 12


@source("Horn1981", family="differential", dynamics="none")
def horn_schunck(movie: Movie, *, alpha: float = 0.05, iterations: int = 200, presmoothing: float = 1.0) -> Fields:
    """u = ū − Ix (Ix ū + Iy v̄ + It) / (α² + Ix² + Iy²), and v alike, iterated from rest for each pair.

    Luminance is taken relative to the greatest of the movie, which is what `alpha` = 0.05 is for; `presmoothing` is
    the Gaussian before it, in px. Few `iterations` leave the inside of large uniform parts at rest.

    Deviation: frames are smoothed first, so that a shift of a pixel or two stays within the derivative's reach.
    """
    if not alpha > 0 or iterations < 1:
        raise Misuse(f"got alpha={alpha}, iterations={iterations}; expected a number above 0, and 1 or more")
    smooth = np.stack([blurred(frame, presmoothing) for frame in relative(movie)])
    return fields(smooth, partial(_relaxed, alpha=alpha, iterations=iterations))


def _relaxed(first: Image, second: Image, *, alpha: float, iterations: int) -> Field:
    import cv2

    across, down, change = cube(first, second)
    energy = alpha**2 + across**2 + down**2
    pull_x, pull_y = across / energy, down / energy
    field = np.zeros((2, *first.shape), np.float32)
    for _ in range(iterations):
        u, v = (cv2.filter2D(part, -1, _NEIGHBOURS, borderType=cv2.BORDER_REPLICATE) for part in field)
        residue = across * u + down * v + change
        field[0], field[1] = u - pull_x * residue, v - pull_y * residue
    return np.moveaxis(field, 0, -1)
