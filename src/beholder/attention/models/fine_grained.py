"""The fine-grained salience of Montabone and Soto: centre against surround at the picture's own resolution."""

from __future__ import annotations

import numpy as np

from beholder.attention.maps.scaling import FLAT, grey, stretched
from beholder.attention.types import Floats, Picture
from beholder.core.cite import source
from beholder.vision.filters import Image

SURROUNDS = (12, 24, 48, 28, 56, 112)  # px, half a side: 3 and 7 times 4, 8 and 16 [V, OpenCV]
SMOOTHING = np.array([1, 2, 1], np.float32) / 4  # twice, as Gaussians of 3 × 3 px


@source("Montabone2010", family="centre-surround")
def fine_grained(picture: Picture) -> Floats:
    """Fine-grained saliency: Σ_σ max(c − s_σ, 0) and Σ_σ max(s_σ − c, 0), each over its greatest, added; 0 … 1.

    c is the luma of a pixel after two blurs by 1 2 1. s_σ is the mean of the square of 2 σ + 1 px around it, the pixel
    itself left out, for σ = 12, 24, 48, 28, 56, 112 px. Squares end at the border of the picture. A constant picture
    has a map of zeros.

    Deviation: OpenCV's squares have 2 σ px and lie half a pixel off, and it rounds every step down to whole grey
    levels.
    """
    import cv2

    smooth = grey(picture)
    for _ in range(2):
        smooth = cv2.sepFilter2D(smooth, cv2.CV_32F, SMOOTHING, SMOOTHING)
    on, off = np.zeros_like(smooth), np.zeros_like(smooth)
    for half in SURROUNDS:
        away = smooth - surround(smooth, half)
        on += np.maximum(away, 0)
        off -= np.minimum(away, 0)
    on, off = _relative(on), _relative(off)
    return stretched(on + off).astype(np.float64)


def surround(image: Image, half: int) -> Image:
    """The mean of the square of 2 · half + 1 px about each pixel without the pixel, as far as the image reaches.

    >>> surround(np.array([[1, 2, 6]], np.float32), 1)[0].tolist()
    [2.0, 3.5, 2.0]
    """
    import cv2

    side = 2 * half + 1
    one = image.astype(np.float64)
    total = cv2.boxFilter(one, -1, (side, side), normalize=False, borderType=cv2.BORDER_CONSTANT)
    rows, columns = (np.minimum(np.arange(n), half) + np.minimum(np.arange(n)[::-1], half) + 1.0 for n in image.shape)
    total -= one
    total /= np.maximum(np.outer(rows, columns, out=one) - 1, 1)
    return np.asarray(total, np.float32)


def _relative(values: Image) -> Image:
    top = float(values.max())
    return values / top if top > FLAT else np.zeros_like(values)
