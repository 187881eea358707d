"""The same probability everywhere: what is known before anybody has looked."""

from __future__ import annotations

import numpy as np

from beholder.attention.types import Density, Picture


def uniform(picture: Picture) -> Density:
    """The same probability for every pixel.

    >>> np.exp(uniform(Picture(np.zeros((2, 4), np.uint8))).log).round(6)[0].tolist()
    [0.125, 0.125, 0.125, 0.125]
    """
    height, width = picture.shape
    return Density(np.full((height, width), -np.log(height * width)))
