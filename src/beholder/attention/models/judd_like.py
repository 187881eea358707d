"""After the model of Judd, Ehinger, Durand and Torralba: features, weighed as people's fixations taught."""

from __future__ import annotations

import numpy as np

from beholder.attention.maps.judd_features import NAMES, SIDE, features, weights_without
from beholder.attention.maps.patches import load_learnt
from beholder.attention.maps.scaling import at_picture_size
from beholder.attention.types import Floats, Picture
from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.vision.filters import blurred

SIGMA = 0.03  # sides (ours)


@source("Judd2009,Jiang2014", family="learnt", trained_on="eyecrowd")
def judd_like(picture: Picture, *, centre: bool = True, faces: bool = True, sigma: float = SIGMA) -> Floats:
    """The probability that a place is among the fifth fixated most rather than the 70 % fixated least; 0 … 1.

    1 / (1 + exp(−w·x)) of 30 features x at 200 × 200 px: 13 oriented energies, Torralba's rarity, Itti's three maps,
    red, green, blue, how rare each is, how rare the colour is after medians of five widths, faces, and the distance to
    the centre. Without `centre` or without `faces`, the other features have weights of their own. Then the map is
    blurred by a Gaussian of `sigma` sides. A constant picture has the map of the centre alone, or a constant one.

    Deviation: "like", because horizon, people and cars are not detected, faces are found by OpenCV's cascade, energies
    are those of Gabor patches, rarities are −log p, and w comes from a logistic regression (the authors': a linear
    support vector machine) on 50 pictures of EyeCrowd, 100 px of each class from each. Scores on EyeCrowd itself
    therefore mean nothing. See `beholder.attention.learning`.
    """
    if not sigma >= 0:
        raise Misuse(f"got sigma={sigma}; expected 0 or more sides")
    held = load_learnt("judd_like")
    left_out = tuple(name for name, kept in (("distance", centre), ("faces", faces)) if not kept)
    weights = held[weights_without(left_out)]
    score = (features(picture, faces=faces) - held["mean"]) / held["scale"] @ weights[: len(NAMES)] + weights[-1]
    likely = np.asarray(1 / (1 + np.exp(-score)), np.float32)
    return at_picture_size(blurred(likely, sigma * SIDE), picture)
