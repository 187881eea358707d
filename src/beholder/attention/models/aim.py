"""Attention by information maximisation of Bruce and Tsotsos: salient is what is improbable in this picture."""

from __future__ import annotations

import numpy as np

from beholder.attention.maps.patches import frame, load_learnt, project, shrink_to, side_of
from beholder.attention.maps.scaling import at_picture_size, colours
from beholder.attention.types import Floats, Picture
from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.vision.filters import blurred
from beholder.vision.scales import Image

SIDE = 512  # px of the longer side: half of what MIT1003 shows (ours)
FLAT = 1e-4  # sums of 1323 products in 32 bits differ by less, where patches do not
BINS, LEAST = 1000, 1e-6  # of the histograms, and what is added to each likelihood [V]
SIGMA = 8.0  # px of the shrunken picture [V]


@source("Bruce2009,Hyvarinen1999", family="information", learnt_from="four photographs of scikit-image")
def aim(picture: Picture, *, side: int = SIDE, sigma: float = SIGMA) -> Floats:
    """AIM: −Σ_i log p(w_i), the self-information in nats of a patch whose independent components are w_i.

    Patches of 21 × 21 px are projected on learnt bases; p(w_i) is read from a histogram of 1000 bins of that component
    over this picture. A border of half a patch has the least value found. Then the map is blurred by a Gaussian of
    `sigma` px. The picture is first shrunk until its longer side has `side` px. A constant picture has a map of zeros.

    Deviation: our own bases, learnt by FastICA (the authors': JADE) from patches of four photographs, see
    `beholder.attention.learning`. Colours are sRGB from 0 to 1. Components that are constant except for rounding are
    left out.
    """
    bases = load_learnt("aim")["bases"]
    if side < 32 or not sigma >= 0:
        raise Misuse(f"got side={side}, sigma={sigma}; expected 32 px or more, and 0 px or more")
    components = project(shrink_to(colours(picture), side), bases)
    whole = np.zeros(components.shape[1:], np.float32)
    for component in components:
        whole += self_information(component)
    return at_picture_size(blurred(frame(whole, side_of(bases)), sigma), picture)


def self_information(values: Image, *, bins: int = BINS) -> Image:
    """−log(p + 1e−6) of each value, p the share of values in its bin between the least and the greatest; never below 0.

    >>> self_information(np.array([0, 0, 0, 1], np.float32)).round(3)
    array([0.288, 0.288, 0.288, 1.386], dtype=float32)
    """
    low, high = float(values.min()), float(values.max())
    if high - low <= FLAT:
        return np.zeros(values.shape, np.float32)
    at = np.minimum(((values - low) * (bins / (high - low))).astype(np.intp), bins - 1)
    counts = np.bincount(at.ravel(), minlength=bins)
    costs = np.maximum(-np.log(counts / values.size + LEAST), 0)
    return np.asarray(costs[at], np.float32)
