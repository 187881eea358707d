"""Slanted planes with the texture of natural images: exact truth, exact occlusion, and views that no model is shown."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from beholder.core.sample import Dataset, Sample
from beholder.errors import Misuse
from beholder.stereo.regions import textureless
from beholder.stereo.scenes.surfaces import Floats, Surface, truth, view
from beholder.stereo.types import Mask, Pair, Truth

Rng = np.random.Generator

MAX_DISPARITY = 40
VIEWS = (-0.5, 0.5, 1.5)  # to the left of both images, between them, and to the right
LAYERS = (6.0, 15.0, 24.0, 33.0)  # px of disparity in the middle of each plane; they never meet within SLANT
SLANT = 6.0  # px of disparity at most, from one side of the image to the other
_MARGIN = 64  # columns of texture beyond each side: the background of view 1.5 needs less than 40
_SMALLEST = 96  # px: below it three planes do not leave anything of the background
_MEAN, _SPREAD = 0.5, 0.16  # of the luminance: three spreads reach black and white


def planes(count: int = 6, *, size: int = 192, seed: int = 0) -> Dataset[Pair, Truth]:
    """Scenes of `size` × `size` pixels: two or three slanted polygons in front of a slanted background (tag "planes").

    Each plane has its own texture: noise whose amplitude falls as 1/f with frequency, as in natural images. The truth
    has further views, at −0.5, 0.5 and 1.5 times the baseline, for prediction errors. A left pixel is nonocc if and
    only if the plane that it shows is the one that the right view shows there.
    """
    if count < 1 or size < _SMALLEST:
        raise Misuse(f"got count={count}, size={size}; expected 1 or more, and {_SMALLEST} or more")
    return Dataset(
        "planes",
        tuple(f"planes{n}" for n in range(count)),
        partial(scene, size=size, seed=seed),
        cite="Field1987",
        licence="generated",
        content=f"size={size},seed={seed}",
        status="derived",
        about="Slanted planes with natural-like texture, exact disparity and occlusion, and three further views.",
    )


def scene(id: str, *, size: int, seed: int) -> Sample[Pair, Truth]:
    """The sample of one id: the same whatever other samples there are."""
    rng = np.random.default_rng([seed, crc32(id.encode())])
    number = 2 + int(id.removeprefix("planes")) % 2
    surfaces = [_plane(np.ones((size, size), np.bool_), LAYERS[0], rng)]
    surfaces += [_plane(_polygon(size, rng), layer, rng) for layer in LAYERS[1 : 1 + number]]
    textures = [natural((size, size + 2 * _MARGIN), rng) for _ in surfaces]
    left, right, *others = (view(surfaces, textures, factor) for factor in (0, 1, *VIEWS))
    exact = truth(surfaces, left, right)
    pair = Pair(_levels(left.luminance), _levels(right.luminance), MAX_DISPARITY)
    flat = exact.regions["nonocc"] & textureless(pair.left)
    views = {factor: _levels(other.luminance) for factor, other in zip(VIEWS, others, strict=True)}
    reference = replace(exact, regions={**exact.regions, "textureless": flat}, views=views)
    return Sample(id, pair, reference, {"planes": str(number)})


def natural(shape: tuple[int, int], rng: Rng) -> Floats:
    """Noise whose amplitude falls with frequency as 1/f, of 0 … 1, with a mean of one half."""
    frequency = np.hypot(np.fft.fftfreq(shape[0])[:, None], np.fft.rfftfreq(shape[1]))
    frequency[0, 0] = np.inf  # no constant part
    noise = np.fft.irfft2(np.fft.rfft2(rng.standard_normal(shape)) / frequency, shape)
    shades: Floats = np.clip(_MEAN + _SPREAD * noise / noise.std(), 0, 1)
    return shades


def _plane(extent: Mask, middle: float, rng: Rng) -> Surface:
    """A plane of this disparity in the middle of the image, slanted in any direction."""
    size = len(extent)
    angle, slant = rng.uniform(0, 2 * np.pi), rng.uniform(0.3, 0.7) * SLANT
    across, down = slant * np.cos(angle) / size, slant * np.sin(angle) / size
    return Surface(extent, middle + down * (np.arange(size) - size / 2) - across * size / 2, across)


def _polygon(size: int, rng: Rng) -> Mask:
    """A regular polygon of three to six sides, somewhere in the image."""
    sides, turn, radius = int(rng.integers(3, 7)), rng.uniform(0, 2 * np.pi), rng.uniform(0.12, 0.25) * size
    y, x = np.mgrid[:size, :size] - rng.uniform(0.25, 0.75, 2)[:, None, None] * size
    angles = turn + 2 * np.pi * np.arange(sides) / sides
    inside: Mask = (np.multiply.outer(np.cos(angles), x) + np.multiply.outer(np.sin(angles), y)).max(axis=0) < radius
    return inside


def _levels(luminance: Floats) -> NDArray[np.uint8]:
    return np.round(255 * luminance).astype(np.uint8)
