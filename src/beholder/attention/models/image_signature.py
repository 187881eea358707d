"""The image signature of Hou, Harel and Koch: the signs of a picture's cosine transform hold its foreground."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from beholder.attention.maps.scaling import at_picture_size, colours, stretched
from beholder.attention.types import Floats, Picture
from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.vision.colour import dkl, lab, linear
from beholder.vision.filters import blurred
from beholder.vision.scales import resized

NOTHING = 1e-9  # of the greatest coefficient: rounding, which has no sign to count
FLAT = 1e-6  # of white: a channel that varies less is constant but for the rounding of what has shrunk it
SPACES: dict[str, Callable[[Floats], Floats]] = {
    "lab": lambda srgb: lab(linear(srgb)) / 100,
    "rgb": lambda srgb: srgb,
    "dkl": lambda srgb: dkl(linear(srgb)),
}


@source("Hou2012", family="spectral")
def image_signature(
    picture: Picture,
    *,
    space: Literal["lab", "rgb", "dkl"] = "lab",
    width: int = 64,
    sigma: float = 0.045,
    border: Literal["edge", "zero"] = "edge",
) -> Floats:
    """The mean over channels of (IDCT(sign(DCT(x))))², at `width` px, blurred by a Gaussian of `sigma` widths; 0 … 1.

    A constant picture has a map of zeros. Width 64 and 0.045 are the authors' [V]. Beyond the border the edge pixel is
    repeated, or, with `border` "zero", the picture is 0.

    Deviation: the authors' program takes zeros beyond the border [V], which dims the edges of every map: a centre bias
    for free, worth 0.01 of AUC on MIT1003 (0.795 instead of 0.786, shuffled AUC 0.697 and 0.699); other programs
    reflect (0.779). The picture shrinks by area means. Constant channels, such as the colours of a grey picture, and
    coefficients that are 0 except for rounding are left out; otherwise the signs of rounding errors would count.
    """
    if space not in SPACES or width < 8 or not sigma >= 0:
        raise Misuse(
            f"got space={space!r}, width={width}, sigma={sigma}; expected {', '.join(SPACES)}; 8 or more; 0 or more"
        )
    if border not in ("edge", "zero"):
        raise Misuse(f"got border={border!r}; expected 'edge' or 'zero'")
    srgb = colours(picture).astype(np.float64)  # signs are those of rounding sooner with 32 bits
    small = resized(srgb, (max(1, round(width * srgb.shape[0] / srgb.shape[1])), width))
    channels = [channel for channel in np.moveaxis(SPACES[space](small), -1, 0) if np.ptp(channel) > FLAT]
    if not channels:
        return np.zeros(picture.shape)
    energy = np.mean([reconstruction(channel) ** 2 for channel in channels], axis=0)
    return at_picture_size(stretched(blurred(energy, sigma * width, outside=border)), picture)


def reconstruction(channel: NDArray[np.float64]) -> Floats:
    """The inverse cosine transform of the signs of a channel's cosine transform.

    >>> reconstruction(np.full((4, 4), 3.0)).round(6)[0].tolist()  # one coefficient: a constant of norm 1
    [0.25, 0.25, 0.25, 0.25]
    """
    from scipy.fft import dctn, idctn

    coefficients = dctn(channel, norm="ortho")
    some = np.abs(coefficients) > NOTHING * np.abs(coefficients).max()
    return np.asarray(idctn(np.sign(coefficients) * some, norm="ortho"))
