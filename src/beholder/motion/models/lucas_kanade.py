"""Lucas and Kanade: one velocity for each small window, by least squares."""

from __future__ import annotations

from functools import partial

import numpy as np

from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.motion.frame_pairs import Field, Fields, fields, relative
from beholder.motion.types import Movie
from beholder.vision.filters import Image, blurred, cube


@source("Lucas1981", family="differential", dynamics="none")
def lucas_kanade(
    movie: Movie, *, window: float = 2.5, presmoothing: float = 1.0, regularisation: float = 1e-3
) -> Fields:
    """(Σ w ∇I ∇Iᵀ + λ 1) v = −Σ w ∇I It, in a Gaussian window of `window` px about each pixel, at one scale.

    λ is `regularisation` times the largest eigenvalue of Σ w ∇I ∇Iᵀ anywhere in the pair: where gradients are weaker
    than that, the flow tends to rest. A pair without any gradient is at rest.

    Deviation: dense, neither iterated nor warped; unreliable pixels are damped by λ instead of rejected.
    """
    if not window > 0 or not regularisation > 0:
        raise Misuse(f"got window={window}, regularisation={regularisation}; expected numbers above 0")
    smooth = np.stack([blurred(frame, presmoothing) for frame in relative(movie)])
    return fields(smooth, partial(_least_squares, window=window, regularisation=regularisation))


def _least_squares(first: Image, second: Image, *, window: float, regularisation: float) -> Field:
    ix, iy, it = cube(first, second)
    products = blurred(np.stack([ix * ix, ix * iy, iy * iy, ix * it, iy * it], axis=-1), window)
    xx, xy, yy, xt, yt = np.moveaxis(products.astype(np.float64), -1, 0)
    damping = regularisation * ((xx + yy) / 2 + np.hypot((xx - yy) / 2, xy)).max()
    if damping == 0:
        return np.zeros((*first.shape, 2), np.float32)
    xx, yy = xx + damping, yy + damping
    solution = np.stack([xy * yt - yy * xt, xy * xt - xx * yt], axis=-1) / (xx * yy - xy**2)[..., None]
    return np.asarray(solution, np.float32)
