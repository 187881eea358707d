"""The centre bias: people look at the middle of a screen, whatever it shows."""

from __future__ import annotations

import numpy as np

from beholder.attention.types import Density, Floats, Picture
from beholder.core.cite import source
from beholder.errors import Misuse

# Clarke and Tatler (2014): variance 0.22 across and 0.45 of that down, with the half-width of the picture as unit [M].
# √0.22 / 2 of the width across; √(0.22 · 0.45) / 2 of the width down, which is 0.21 of the height of a 4:3 picture.
ACROSS, DOWN = 0.2345, 0.2098


@source("Clarke2014", family="prior")
def centre(picture: Picture, *, across: float = ACROSS, down: float = DOWN) -> Density:
    """A Gaussian at the centre, with standard deviations of `across` times the width and `down` times the height.

    >>> centre(Picture(np.zeros((3, 5), np.uint8)), across=0.2, down=1 / 3).log.round(2)[1].tolist()
    [-3.7, -2.2, -1.7, -2.2, -3.7]
    """
    if not (across > 0 and down > 0):
        raise Misuse(f"got across={across}, down={down}; expected fractions of the sides above 0")
    height, width = picture.shape
    log = _bell(height, down)[:, None] + _bell(width, across)
    return Density(log)


def _bell(n: int, fraction: float) -> Floats:
    """The logarithms of a Gaussian at the centres of n pixels, adding up to 1."""
    away = (np.arange(n) + 0.5 - n / 2) / (fraction * n)
    log = -(away**2) / 2
    return np.asarray(log - np.log(np.exp(log).sum()))
