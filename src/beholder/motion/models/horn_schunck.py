"""Horn and Schunck: brightness constancy everywhere, and a field as smooth as it can be."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.jit import compiled
from beholder.motion.frame_pairs import Field, Fields, fields, relative
from beholder.motion.types import Movie
from beholder.vision.filters import Image, blurred, cube


@source("Horn1981", family="differential", dynamics="none")
def horn_schunck(movie: Movie, *, alpha: float = 0.05, iterations: int = 200, presmoothing: float = 1.0) -> Fields:
    """u = ū − Ix (Ix ū + Iy v̄ + It) / (α² + Ix² + Iy²), likewise for v; iterated from rest for each pair.

    Luminance is relative to the movie's maximum; `alpha` = 0.05 suits that scale. `presmoothing` is the width of a
    Gaussian blur of the frames, in px. Few `iterations` leave the inside of large uniform parts at rest.

    Deviation: frames are smoothed first, so that a shift of a pixel or two stays within the derivative's reach.
    """
    if not alpha > 0 or iterations < 1:
        raise Misuse(f"got alpha={alpha}, iterations={iterations}; expected a number above 0, and 1 or more")
    smooth = np.stack([blurred(frame, presmoothing) for frame in relative(movie)])
    return fields(smooth, partial(_relaxed, alpha=alpha, iterations=iterations))


def _relaxed(first: Image, second: Image, *, alpha: float, iterations: int) -> Field:
    across, down, change = cube(first, second)
    energy = np.float32(alpha**2) + across**2 + down**2
    return relaxed(np.stack([across, down, change]), np.stack([across / energy, down / energy]), iterations)


@compiled
def relaxed(derivatives: NDArray[np.float32], pull: NDArray[np.float32], iterations: int) -> NDArray[np.float32]:
    """So many sweeps from rest over a field, (H, W, 2); every pixel of a sweep sees only the sweep before.

    `derivatives` are Ix, Iy and It, `pull` is (Ix, Iy) / (α² + Ix² + Iy²). The mean of the neighbours weighs 1/6
    along edges and 1/12 across corners, as in the paper; beyond the border lies the nearest pixel.
    """
    height, width = derivatives.shape[1:]
    old, new = np.zeros((2, height + 2, width + 2), np.float32), np.zeros((2, height + 2, width + 2), np.float32)
    edge, corner = np.float32(1 / 6), np.float32(1 / 12)
    for _ in range(iterations):
        for y in range(height):
            for x in range(width):
                above, here, below = old[:, y], old[:, y + 1], old[:, y + 2]
                u = edge * (above[0, x + 1] + below[0, x + 1] + here[0, x] + here[0, x + 2]) + corner * (
                    above[0, x] + above[0, x + 2] + below[0, x] + below[0, x + 2]
                )
                v = edge * (above[1, x + 1] + below[1, x + 1] + here[1, x] + here[1, x + 2]) + corner * (
                    above[1, x] + above[1, x + 2] + below[1, x] + below[1, x + 2]
                )
                residue = derivatives[0, y, x] * u + derivatives[1, y, x] * v + derivatives[2, y, x]
                new[0, y + 1, x + 1] = u - pull[0, y, x] * residue
                new[1, y + 1, x + 1] = v - pull[1, y, x] * residue
        new[:, 0], new[:, -1] = new[:, 1], new[:, -2]
        new[:, :, 0], new[:, :, -1] = new[:, :, 1], new[:, :, -2]
        old, new = new, old
    return np.ascontiguousarray(old[:, 1:-1, 1:-1].transpose(1, 2, 0))
