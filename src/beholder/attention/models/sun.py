"""Saliency using natural statistics of Zhang and others: salient is what is improbable in the world."""

from __future__ import annotations

from functools import cache

import numpy as np

from beholder.attention.maps.patches import frame, load_learnt, project, shrink_to, side_of
from beholder.attention.maps.scaling import FLAT, at_picture_size, colours
from beholder.attention.types import Floats, Picture
from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.vision.filters import blurred
from beholder.vision.scales import Image

SIDE = 256  # px of the longer side (ours)
SIGMA = 4.0  # px of the shrunken picture (ours)


@source("Zhang2008,Hyvarinen1999", family="information", learnt_from="four photographs of scikit-image")
def sun(picture: Picture, *, side: int = SIDE, sigma: float = SIGMA) -> Floats:
    """SUN: Σ_i (|F_i| / σ_i)^θ_i, −log p of a patch up to a constant, its components F_i under generalised Gaussians.

    The picture is divided by its standard deviation and filtered by 362 zero-mean filters of 11 × 11 px; σ_i and θ_i
    describe the distribution of filter i's responses to photographs. A border of half a patch has the least value
    found. Then the map is blurred by a Gaussian of `sigma` px. The picture is first shrunk until its longer side has
    `side` px. A constant picture has a map of zeros.

    Deviation: our own filters and distributions, learnt from patches of four photographs, see
    `beholder.attention.learning`. The authors' program neither shrinks nor blurs.
    """
    if side < 32 or not sigma >= 0:
        raise Misuse(f"got side={side}, sigma={sigma}; expected 32 px or more, and 0 px or more")
    image, held = shrink_to(colours(picture), side), statistics()
    spread = float(image.std(dtype=np.float64))
    if spread <= FLAT or np.ptp(image, axis=(0, 1)).max() <= FLAT:
        return np.zeros(picture.shape)
    whole = np.zeros(1, np.float32)
    for at, component in enumerate(project(image / np.float32(spread), held["filters"])):
        whole = whole + (np.abs(component) / held["sigma"][at]) ** held["theta"][at]
    return at_picture_size(blurred(frame(whole, side_of(held["filters"])), sigma), picture)


@cache
def statistics() -> dict[str, Image]:
    """Filters, and the spreads σ and θ of their answers; the filters' mean, which rounding to 16 bits brought, is 0."""
    held = load_learnt("sun")
    return {**held, "filters": held["filters"] - held["filters"].mean(axis=1, keepdims=True)}
