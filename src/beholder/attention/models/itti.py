"""The model of Itti, Koch and Niebur: centre against surround in intensity, colour and orientation, at many scales."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

import numpy as np

from beholder.attention.maps.fixation_maps import made_once
from beholder.attention.maps.scaling import FLAT, at_picture_size, colours, enlarge_to, fade_border, stretched
from beholder.attention.models._promotion import promote, promote_iteratively
from beholder.attention.types import Floats, Picture
from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.vision.filters import blurred
from beholder.vision.gabor import Patch, gabor, rectified
from beholder.vision.scales import Image, dyadic, halved, resized

Pyramid = list[Image]
Normalisation = Literal["1998", "iterative"]

LEVELS, CENTRES, DELTAS = 9, (2, 3, 4), (3, 4)  # scales of the paper [M]
LONGER = 256  # px at least, so that a map at scale 4 has 16 (ours)
EDGE = 20  # maps fade over the longer side divided by that, as in the SaliencyToolbox [V]
DIM = 0.1  # of the greatest intensity: what is darker has no hue [M]
ANGLES = (0, 45, 90, 135)
PATCHES = [gabor(angle, period=7, sigma=7 / 3, radius=4) for angle in ANGLES]  # SaliencyToolbox [V]
COLOURS, ORIENTATIONS = ("red_green", "blue_yellow"), tuple(f"orientation_{angle}" for angle in ANGLES)


@source("Itti1998,Itti2001", family="centre-surround")
def itti(picture: Picture, *, normalisation: Normalisation = "1998", blur: float = 0.0) -> Floats:
    """Itti's map: S = (N(Ī) + N(C̄) + N(Ō)) / 3 from 42 feature maps: 6 of intensity, 12 of colour, 24 of orientation.

    `normalisation` N is "1998", by the squared difference between the greatest maximum and the mean of the other local
    maxima, or "iterative", by three rounds of competition (Itti and Koch 2001). The map has a sixteenth of the
    picture's resolution. A constant picture has a map of zeros. `blur` is the σ of a last Gaussian, in longer sides.
    The paper has none, but the programs behind most published scores do (0.03 in the GBVS toolbox), which explains most
    of their higher scores: on MIT1003 AUC 0.740 becomes 0.763.

    Deviation: colours are compared as |(R − G)(c) − (R − G)(s)|, as in the authors' programs; by the letter of the
    paper, with G − R in the surround, a red thing among green ones would be the least salient. With "iterative",
    feature maps are brought to 0 … 1 and compete at scale 4, and are not stretched again: a channel that has lost stays
    low. Feature maps fade at the border. Pictures of less than 256 px are enlarged. Pyramids are filtered by 1 5 10 10
    5 1; Gabor patches are those of the SaliencyToolbox.
    """
    if not blur >= 0:
        raise Misuse(f"got blur={blur}; expected 0 or more sides")
    maps = conspicuities(picture, normalisation=normalisation)
    rule = _rule(normalisation)
    whole = np.asarray(sum(rule(each) for each in maps.values()) / 3, np.float32)
    return at_picture_size(blurred(whole, blur * max(whole.shape)), picture)


def conspicuities(picture: Picture, *, normalisation: Normalisation = "1998") -> dict[str, Image]:
    """The maps of intensity, colour and orientation at scale 4, before the last normalisation.

    Those of a picture that is read-only are made once, for all models that ask.
    """
    make = partial(_conspicuities, picture, normalisation)
    return make() if picture.pixels.flags.writeable else made_once(picture, ("conspicuities", normalisation), make)


def _conspicuities(picture: Picture, normalisation: Normalisation) -> dict[str, Image]:
    rule = _rule(normalisation)
    maps = {channel: _combined(each, normalisation) for channel, each in features(picture).items()}
    return {
        "intensity": maps["intensity"],
        "colour": np.asarray(sum(maps[name] for name in COLOURS), np.float32),
        "orientation": np.asarray(sum(rule(maps[name]) for name in ORIENTATIONS), np.float32),
    }


def features(picture: Picture) -> dict[str, list[Image]]:
    """The 42 feature maps: of each of seven channels centres 2, 3, 4 against surrounds 3 and 4 scales coarser."""
    image = enlarge_to(colours(picture), LONGER)
    intensity = dyadic(_intensity(image), LEVELS)
    hues = dyadic(opponents(image), LEVELS)
    channels: dict[str, Pyramid] = {"intensity": intensity}
    channels |= {name: [level[..., at] for level in hues] for at, name in enumerate(COLOURS)}
    channels |= {name: _oriented(intensity, patch) for name, patch in zip(ORIENTATIONS, PATCHES, strict=True)}
    return {name: differences(pyramid) for name, pyramid in channels.items()}


def opponents(image: Image) -> Image:
    """R − G and B − Y of red, green and blue (H, W, 3): colours over their intensity, broadly tuned, negatives 0.

    >>> opponents(np.array([[[1, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1], [0.05, 0, 0]]], np.float32))[0].tolist()
    [[3.0, 0.0], [0.0, 3.0], [0.0, -1.5], [0.0, 0.0], [0.0, 0.0]]
    """
    import cv2

    intensity = _intensity(image)
    over = np.where(intensity > DIM * intensity.max(), intensity, np.float32(np.inf))
    r, g, b = (image[..., at] / over for at in range(3))
    red, green, blue = r - (g + b) / 2, g - (r + b) / 2, b - (r + g) / 2
    yellow = (r + g) / 2 - np.abs(r - g) / 2 - b
    red, green, blue, yellow = (np.maximum(hue, 0, out=hue) for hue in (red, green, blue, yellow))
    return np.asarray(cv2.merge([red - green, blue - yellow]), np.float32)


def _intensity(image: Image) -> Image:
    """The mean of red, green and blue."""
    return np.asarray((image[..., 0] + image[..., 1] + image[..., 2]) / 3, np.float32)


def _oriented(intensity: Pyramid, patch: Patch) -> Pyramid:
    """Responses to a patch at all scales that are compared; finer ones stay as they are."""
    finer = min(CENTRES)
    return intensity[:finer] + [rectified(level, patch) for level in intensity[finer:]]


def differences(pyramid: Pyramid) -> list[Image]:
    """|centre − surround| at the centre's scale, for the six pairs of scales, fading at the border."""
    pairs = [(pyramid[centre], pyramid[centre + delta]) for centre in CENTRES for delta in DELTAS]
    maps = [np.abs(centre - resized(surround, _sides(centre))) for centre, surround in pairs]
    return [fade_border(each, round(max(each.shape) / EDGE)) for each in maps]


def _sides(image: Image) -> tuple[int, int]:
    return image.shape[0], image.shape[1]


def _combined(maps: Sequence[Image], normalisation: Normalisation) -> Image:
    """Normalised maps, added at scale 4."""
    last = maps[-1].shape  # that of the coarsest centre
    if normalisation == "iterative":
        return np.asarray(
            sum(promote_iteratively(stretched(_reduced(each, last), flat=FLAT)) for each in maps), np.float32
        )
    return np.asarray(sum(_reduced(promote(each), last) for each in maps), np.float32)


def _reduced(values: Image, shape: tuple[int, ...]) -> Image:
    while values.shape != shape:
        values = halved(values)
    return values


def _rule(normalisation: Normalisation) -> Callable[[Image], Image]:
    rules = {"1998": promote, "iterative": promote_iteratively}
    if normalisation not in rules:
        raise Misuse(f"got normalisation={normalisation!r}; expected {' or '.join(map(repr, rules))}")
    return rules[normalisation]
