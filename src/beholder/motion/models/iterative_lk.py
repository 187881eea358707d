"""Lucas and Kanade iterated over a pyramid, as scikit-image has it."""

from __future__ import annotations

from beholder.motion.models._pairs import Fields, fields, relative
from beholder.motion.types import Movie
from beholder.spine.cite import source


@source("LeBesnerais2005", family="multi-scale", dynamics="none")
def iterative_lk(movie: Movie, *, radius: int = 7, warps: int = 10) -> Fields:
    """Least squares in square windows of 2 · `radius` + 1 px, warped and solved again `warps` times a scale.

    scikit-image's implementation with its own settings; luminance goes in relative to the greatest of the movie.
    """
    from skimage.registration import optical_flow_ilk

    return fields(
        relative(movie),
        # Rows come first in scikit-image.
        lambda first, second: optical_flow_ilk(first, second, radius=radius, num_warp=warps)[::-1].transpose(1, 2, 0),
    )
