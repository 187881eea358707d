"""After the model of Le Meur, Le Callet, Barba and Thoreau: contrast as it is visible, against its surround."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from beholder.attention.maps.scaling import linear_light
from beholder.attention.models._bands import Crowns, Plane, bands
from beholder.attention.models._visibility import (
    achromatic_sensitivity,
    blue_yellow_sensitivity,
    masked,
    red_green_sensitivity,
)
from beholder.attention.types import Floats, Picture
from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.vision.colour import KRAUSKOPF
from beholder.vision.filters import blurred
from beholder.vision.scales import Image, resized

# Crowns of the original, and into how many orientations each is cut [M]: 17 bands, and 5 of each colour.
CROWNS: Crowns = ((0.0, 1.5, 1), (1.5, 5.7, 4), (5.7, 14.2, 6), (14.2, 28.2, 6))
COLOURED = CROWNS[:2]
ASSUMED = 32.0  # px/deg where it is not known: about that of MIT1003's screen
DIM = 0.05  # of white: mean light below which contrast is not raised any more (ours)
CENTRE, SURROUND = 0.25, 2.0  # deg: of the differences of Gaussians (ours)
GRID = 8.0  # px/deg of the map, if the picture has as many: two for each σ of the smaller Gaussian (ours)
FLAT = 1e-4  # of the threshold of vision: less than any difference but rounding


@source("LeMeur2006,Krauskopf1982,Daly1993", family="centre-surround")
def lemeur_like(picture: Picture, *, px_per_deg: float | None = None, reinforcement: float = 1.0) -> Floats:
    """Visible contrast in bands of frequency and orientation, minus that of its surround, where the result is positive.

    Krauskopf's A, Cr1, Cr2 are divided by the mean light; multiplied by contrast sensitivity (Daly's for A, low-pass
    for colours), so that 1 is just visible; cut into 17 bands of A and 5 of each colour; and masked within each band.
    From each magnitude blurred by a Gaussian of 0.25 deg, that blurred by 2 deg is subtracted, and negatives are set to
    0. The map is A (1 + `reinforcement` · C / max C) + C, with C = Cr1 + Cr2. Bands beyond half the picture's px/deg
    are empty. `px_per_deg` is the picture's unless given; 32 where neither is known. A constant picture has a map of
    zeros.

    Deviation: "like", because the original cannot be rebuilt from what is published: its sub-band transform, its
    masking constants, its butterfly filters for contours and the maxima of its normalisation are not all given. There
    are no butterfly filters here, masking is Daly's, and the links between the stages are ours.
    """
    known = picture.px_per_deg if np.isfinite(picture.px_per_deg) else ASSUMED
    scale = known if px_per_deg is None else px_per_deg
    if not (0 < scale < np.inf and reinforcement >= 0):
        raise Misuse(f"got px_per_deg={scale}, reinforcement={reinforcement}; expected above 0, and 0 or more")
    achromatic, red_green, blue_yellow = salience(linear_light(picture), scale)
    coloured = red_green + blue_yellow
    top = float(coloured.max())
    raised = 1 + reinforcement * coloured / top if top > 0 else 1.0
    return np.asarray(achromatic * raised + coloured, np.float64)


def salience(shown: Image, scale: float) -> list[Image]:
    """The maps of A, Cr1 and Cr2 of linear light (H, W, 3) at `scale` px/deg, in thresholds of vision."""
    contrasts = contrast(shown)
    plane = Plane.around(contrasts.shape[:2], scale)
    sensitivities = _sensitivities(plane, shown.shape[0] * shown.shape[1] / scale**2)
    crowns = (CROWNS, COLOURED, COLOURED)
    maps = [
        _against_surround(plane, contrasts[..., at], sensitivity=sensitivities[at], crowns=crowns[at])
        for at in range(3)
    ]
    return [plane.cut(each) for each in maps]


@lru_cache(maxsize=1)
def _sensitivities(plane: Plane, area: float) -> tuple[Image, Image, Image]:
    """Those of A, Cr1 and Cr2 over the plane, for a picture of `area` deg²; those of the last one are kept."""
    rates = plane.frequency
    return (
        achromatic_sensitivity(rates, plane.angle, area=area).astype(np.float32),
        red_green_sensitivity(rates).astype(np.float32),
        blue_yellow_sensitivity(rates).astype(np.float32),
    )


def contrast(shown: Image) -> Image:
    """Krauskopf's A, Cr1, Cr2 of linear light, each without its mean, over the mean of A.

    Pictures of less than a twentieth of white on average are not raised any more.

    >>> contrast(np.array([[[0.2, 0.2, 0.2], [0.4, 0.4, 0.4]]], np.float32)).round(3)[0, :, 0]
    array([-0.333,  0.333], dtype=float32)
    """
    import cv2

    means = KRAUSKOPF @ cv2.mean(shown)[:3]
    weights = np.column_stack([KRAUSKOPF, -means]) / max(float(means[0]), DIM)
    return np.asarray(cv2.transform(shown, weights), np.float32)


def _against_surround(plane: Plane, channel: Image, *, sensitivity: Image, crowns: Crowns) -> Image:
    """Masked magnitudes of all bands of a channel, each minus that of its surround where that is positive, added."""
    spectrum = plane.spectrum(channel) * sensitivity
    fine = min(GRID, plane.scale)
    rows, columns = (max(1, round(side * fine / plane.scale)) for side in plane.shape)
    whole = np.zeros((rows, columns), np.float32)
    for window, rate in bands(plane, crowns):
        size = resized(masked(plane.image(spectrum, rate, window=window)), (rows, columns))
        whole += np.maximum(blurred(size, CENTRE * fine) - blurred(size, SURROUND * fine) - np.float32(FLAT), 0)
    return whole
