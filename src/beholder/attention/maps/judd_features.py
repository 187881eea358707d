"""Features after Judd, Ehinger, Durand and Torralba: energies, rarity, conspicuity, colours, faces, and the centre."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from beholder.attention.maps.faces import face_map
from beholder.attention.maps.scaling import FLAT, LUMA, colours, stretched
from beholder.attention.models import itti
from beholder.attention.types import Picture
from beholder.vision.gabor import gabor
from beholder.vision.scales import Image, dyadic, resized

SIDE = 200  # px of each side, as published [M]
ANGLES, LEVELS = (0, 45, 90, 135), 3
PATCHES = [gabor(angle, period=4, sigma=1.6, radius=5) for angle in ANGLES]  # an octave about a quarter cycle/px (ours)
BINS = 100  # of a histogram of answers [V]
SHADES, CUBE = 32, 8  # bins of one colour, and of each side of the cube of colours (ours)
MEDIANS = (1, 3, 5, 9, 17)  # px: five scales of colour [M: a picture, and medians of 2, 4, 8, 16 px]
LEAST = 1e-4  # added to probabilities before the logarithm: less than that of 4 px
DIM = 1e-3  # of white: contrast added to energies before the logarithm, below what eight bits can tell

NAMES = (
    *(f"energy_{level}_{angle}" for level in range(LEVELS) for angle in ANGLES),
    "energy_rest",
    "rarity",
    *("intensity", "colour", "orientation"),
    *("red", "green", "blue"),
    *("rare_red", "rare_green", "rare_blue"),
    *(f"rare_colour_{width}" for width in MEDIANS),
    *("faces", "distance"),
)
LEFT_OUT = ((), ("distance",), ("faces",), ("distance", "faces"))  # what a user may do without


def weights_without(left_out: tuple[str, ...]) -> str:
    """What the weights without some features are called in the file.

    >>> weights_without(()), weights_without(("distance",))
    ('weights', 'weights_without_distance')
    """
    return "_without_".join(["weights", *left_out])


def features(picture: Picture, *, faces: bool = True) -> Image:
    """All features (200, 200, n), in the order of `NAMES`; without `faces`, none is looked for."""
    image = resized(colours(picture), (SIDE, SIDE))
    responses = oriented(np.asarray(image @ LUMA, np.float32))
    maps = [*energies(responses, image), rarity(responses), *_conspicuous(picture), *np.moveaxis(image, 2, 0)]
    maps += [rare_shades(image[..., channel]) for channel in range(3)]
    maps += [rare_colours(image, width) for width in MEDIANS]
    found = face_map(picture, (SIDE, SIDE)) if faces else np.zeros((SIDE, SIDE), np.float32)
    return np.stack([*maps, found, distance()], axis=2)


def oriented(grey: Image) -> list[list[NDArray[np.complex64]]]:
    """Answers of even and odd patches, for each of three scales and four orientations, at the scale's own size."""
    import cv2

    def answered(level: Image, weights: Image) -> Image:
        return np.asarray(cv2.filter2D(level, cv2.CV_32F, weights, borderType=cv2.BORDER_REPLICATE), np.float32)

    parts = [[np.ascontiguousarray(part) for part in (patch.real, patch.imag)] for patch in PATCHES]
    return [
        [answered(level, even) + 1j * answered(level, odd) for even, odd in parts] for level in dyadic(grey, LEVELS)
    ]


def energies(responses: list[list[NDArray[np.complex64]]], image: Image) -> list[Image]:
    """Logarithms of local contrast: one of each scale and orientation, and one of what is coarser than these."""
    coarse = dyadic(np.asarray(image @ LUMA, np.float32), LEVELS + 1)[-1]
    sizes = [np.abs(each) for several in responses for each in several] + [np.abs(coarse - coarse.mean())]
    return [np.log(resized(np.asarray(size, np.float32), (SIDE, SIDE)) + np.float32(DIM)) for size in sizes]


def rarity(responses: list[list[NDArray[np.complex64]]]) -> Image:
    """Torralba's salience: Σ −2^s log p of the size of each answer at scale s, p from its histogram of 100 bins."""
    whole = np.zeros((SIDE, SIDE), np.float32)
    for scale, several in enumerate(responses):
        for answers in several:
            size = np.asarray(np.abs(answers), np.float32)
            whole += resized(surprise(_binned(stretched(size, flat=FLAT), BINS)), (SIDE, SIDE)) * np.float32(2**scale)
    return whole


def _binned(values: Image, bins: int) -> NDArray[np.intp]:
    return np.minimum((values * bins).astype(np.intp), bins - 1)


def surprise(bins: NDArray[np.intp]) -> Image:
    """−log(p + 1e−4) of each entry, p being the share of all entries that lie in its bin.

    >>> surprise(np.array([0, 0, 0, 7])).round(2)
    array([0.29, 0.29, 0.29, 1.39], dtype=float32)
    """
    counts = np.bincount(bins.ravel())
    return np.asarray(-np.log(counts / bins.size + LEAST)[bins], np.float32)


def rare_shades(channel: Image) -> Image:
    """How rare a pixel's value of one colour is in this picture."""
    return surprise(_binned(channel, SHADES))


def rare_colours(image: Image, width: int) -> Image:
    """How rare a pixel's colour is, in a cube of 8³ bins, after a median over `width` px."""
    import cv2

    shown = np.rint(255 * image).astype(np.uint8)
    smooth = cv2.medianBlur(shown, width) if width > 1 else shown
    red, green, blue = np.moveaxis(smooth.astype(np.intp) * CUBE // 256, 2, 0)
    return surprise((red * CUBE + green) * CUBE + blue)


def _conspicuous(picture: Picture) -> list[Image]:
    """Itti's maps of intensity, colour and orientation, each 0 … 1."""
    return [resized(stretched(each), (SIDE, SIDE)) for each in itti.conspicuities(picture).values()]


def distance() -> Image:
    """The distance to the centre, 1 at the middles of the sides."""
    away = (np.arange(SIDE) + 0.5) / (SIDE / 2) - 1
    return np.asarray(np.hypot(away[:, None], away), np.float32)
