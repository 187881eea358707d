"""The Motorcycle pair of Middlebury 2014, quarter size, which comes with scikit-image."""

from __future__ import annotations

import numpy as np

from beholder.core.sample import Dataset, Sample
from beholder.errors import Misuse
from beholder.stereo.regions import middlebury, textureless
from beholder.stereo.types import Pair, Truth

MAX_DISPARITY = 64  # the largest known one is 59.9 px


def motorcycle() -> Dataset[Pair, Truth]:
    """One photographed pair, 741 × 500, with a float truth known for 93 % of pixels; regions by Middlebury's rules."""
    return Dataset(
        "motorcycle",
        ("motorcycle",),
        photograph,
        cite="Scharstein2014",
        licence="Middlebury: free to use and publish; cite the paper",
        content="Motorcycle 741×500, scikit-image",
        status="derived",  # the disparities are Middlebury's; the regions are made from them
        about="A photographed indoor scene with structured-light ground truth; regions are made from the truth.",
    )


def photograph(id: str) -> Sample[Pair, Truth]:
    """The pair; unknown disparities, which the file holds as infinity, are NaN."""
    from skimage import data

    try:
        left, right, disparity = data.stereo_motorcycle()
    except (OSError, ImportError) as error:  # scikit-image then wants to fetch it and cannot
        raise Misuse(
            f"got no Motorcycle pair from scikit-image ({error}); expected it among its data files; "
            "install the wheel of scikit-image 0.24 or later, or put pooch and a network at its disposal"
        ) from error
    known = np.where(np.isfinite(disparity), disparity, np.nan).astype(np.float32)
    regions = middlebury(known)
    regions["textureless"] = regions["nonocc"] & textureless(left)
    return Sample(id, Pair(left, right, MAX_DISPARITY), Truth(known, regions))
