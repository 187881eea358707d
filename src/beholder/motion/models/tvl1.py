"""TV-L1 flow, as scikit-image has it."""

from __future__ import annotations

from beholder.motion.models._pairs import Fields, fields, relative
from beholder.motion.types import Movie
from beholder.spine.cite import source


@source("Zach2007,Wedel2009", family="multi-scale", dynamics="none")
def tvl1(movie: Movie, *, attachment: float = 15.0, tightness: float = 0.3, warps: int = 5) -> Fields:
    """Total variation of the flow plus `attachment` times the absolute change of brightness, over a pyramid.

    scikit-image's implementation with its own settings; luminance goes in relative to the greatest of the movie.
    """
    from skimage.registration import optical_flow_tvl1

    return fields(
        relative(movie),
        # Rows come first in scikit-image.
        lambda first, second: optical_flow_tvl1(
            first, second, attachment=attachment, tightness=tightness, num_warp=warps
        )[::-1].transpose(1, 2, 0),
    )
