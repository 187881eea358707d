"""Lucas and Kanade iterated over a pyramid, by the rule of scikit-image's `optical_flow_ilk`."""

from __future__ import annotations

from functools import partial

import numpy as np

from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.motion.frame_pairs import Field, Fields, relative
from beholder.motion.models._scales import coarse_to_fine
from beholder.motion.types import Movie
from beholder.vision.filters import Image
from beholder.vision.warp import warped

SINGULAR = 1e-14  # of the determinant, in squared luminance: below it there is no estimate (scikit-image's number)


@source("LeBesnerais2005", family="multi-scale", dynamics="none")
def iterative_lk(movie: Movie, *, radius: int = 7, warps: int = 10) -> Fields:
    """Least squares in square windows of 2 · `radius` + 1 px, warped and solved again `warps` times per scale.

    A window without gradients is at rest. Algorithm and settings are those of scikit-image, and the flow is the same
    but for rounding; in windows with a single orientation the flow is decided by rounding alone, in scikit-image as
    here. Luminance is relative to the movie's maximum.
    """
    if radius < 1 or warps < 1:
        raise Misuse(f"got radius={radius}, warps={warps}; expected 1 or more")
    return coarse_to_fine(relative(movie), partial(_registered, radius=radius, warps=warps))


def _registered(first: Image, second: Image, field: Field, *, radius: int, warps: int) -> Field:
    for _ in range(warps):
        field = _solved(first, warped(second, field), field, radius)
    return field


def _solved(first: Image, moved: Image, field: Field, radius: int) -> Field:
    """The whole flow, not an increment, that explains the warped image in each window."""
    import cv2

    down, right = np.gradient(moved)
    residue = right * field[..., 0] + down * field[..., 1] + first - moved
    window = (2 * radius + 1, 2 * radius + 1)
    products = (right * right, right * down, down * down, right * residue, down * residue)
    xx, xy, yy, xr, yr = (cv2.boxFilter(of, cv2.CV_64F, window, borderType=cv2.BORDER_REFLECT_101) for of in products)
    determinant = xx * yy - xy * xy
    seen = np.abs(determinant) >= SINGULAR
    scale = seen / np.where(seen, determinant, 1)
    return np.stack([(yy * xr - xy * yr) * scale, (xx * yr - xy * xr) * scale], axis=-1).astype(np.float32)
