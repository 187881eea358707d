"""Random-dot stereograms: surfaces in depth that neither eye alone can see, with exact truth and exact occlusion."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from beholder.core.sample import Dataset, Sample
from beholder.errors import Misuse
from beholder.stereo.scenes.surfaces import Floats, Surface, truth, view
from beholder.stereo.types import Mask, Pair, Truth

Rng = np.random.Generator

MAX_DISPARITY = 32
NOISE = (0, 10, 20)  # per cent of the right image's dots that are drawn anew; tags go through all pairs in 15 samples
_SMALLEST = 64  # px: below it the shapes and the range of disparities do not fit


def random_dots(count: int = 8, *, size: int = 192, density: float = 0.5, seed: int = 0) -> Dataset[Pair, Truth]:
    """Stereograms of `size` × `size` dots, each dot a pixel, a share `density` of them white.

    Shapes (tag "shape") stand in front of a background; some of the dots are decorrelated (tag "noise", per cent).
    Every surface has its own texture; the right view samples it by area, so that fractions of a pixel are exact. A left
    pixel is nonocc if and only if the surface that it shows is the one that the right view shows there.
    """
    if count < 1 or size < _SMALLEST or not 0 < density < 1:
        raise Misuse(
            f"got count={count}, size={size}, density={density}; expected 1 or more, {_SMALLEST} or more, and a share"
        )
    return Dataset(
        "random_dots",
        tuple(f"rds{n}" for n in range(count)),
        partial(stereogram, size=size, density=density, seed=seed),
        cite="Julesz1960",
        licence="generated",
        content=f"size={size},density={density},seed={seed}",
        status="derived",
        about="Random-dot stereograms with exact disparity and occlusion, free of any cue but disparity.",
    )


def stereogram(id: str, *, size: int, density: float, seed: int) -> Sample[Pair, Truth]:
    """The sample of one id: the same whatever other samples there are."""
    n = int(id.removeprefix("rds"))
    rng = np.random.default_rng([seed, crc32(id.encode())])
    shape, noise = list(SHAPES)[n % len(SHAPES)], NOISE[n % len(NOISE)]
    surfaces = SHAPES[shape](size, rng)
    left, right, exact = rendered(surfaces, density, rng)
    anew = rng.random(right.shape) < noise / 100
    right = np.where(anew, rng.random(right.shape) < density, right)
    pair = Pair(_levels(left), _levels(right), MAX_DISPARITY)
    return Sample(id, pair, exact, {"shape": shape, "noise": str(noise)})


def rendered(surfaces: list[Surface], density: float, rng: Rng) -> tuple[Floats, Floats, Truth]:
    """Both views of some surfaces, given from back to front, as luminances of 0 … 1, and the truth of the left one."""
    height, width = surfaces[0].extent.shape
    textures = [rng.random((height, width + 2 * MAX_DISPARITY)) < density for _ in surfaces]
    left, right = (view(surfaces, textures, factor) for factor in (0, 1))
    return left.luminance, right.luminance, truth(surfaces, left, right)


def _levels(luminance: Floats) -> NDArray[np.uint8]:
    # Grey levels 32 … 224: neither view is clipped where an area holds parts of two dots.
    return np.round(32 + 192 * luminance).astype(np.uint8)


def _field(size: int, disparity: float, slope: float = 0.0) -> Surface:
    return Surface(np.ones((size, size), np.bool_), np.full(size, disparity), slope)


def _window(size: int, rng: Rng) -> Mask:
    """A rectangle of about half the side, not quite in the middle."""
    top, start = rng.integers(size // 5, size // 3, 2)
    height, width = rng.integers(2 * size // 5, 3 * size // 5, 2)
    mask = np.zeros((size, size), np.bool_)
    mask[top : top + height, start : start + width] = True
    return mask


def _square(size: int, rng: Rng) -> list[Surface]:
    behind, step = int(rng.integers(2, 8)), int(rng.integers(4, 16))
    return [_field(size, behind), Surface(_window(size, rng), np.full(size, float(behind + step)))]


def _disc(size: int, rng: Rng) -> list[Surface]:
    """Two discs, one on the other."""
    behind, step, further = (int(rng.integers(*ends)) for ends in ((2, 8), (3, 9), (3, 9)))
    centre = rng.uniform(0.42, 0.58, 2) * size
    distance = np.hypot(*(np.mgrid[:size, :size] - centre[:, None, None]))
    return [
        _field(size, behind),
        Surface(distance < 0.33 * size, np.full(size, float(behind + step))),
        Surface(distance < 0.17 * size, np.full(size, float(behind + step + further))),
    ]


def _stairs(size: int, rng: Rng) -> list[Surface]:
    """Five steps that come nearer from left to right, so that each hides a part of the one before."""
    behind, step = int(rng.integers(1, 5)), int(rng.integers(3, 6))
    columns = np.broadcast_to(np.arange(size), (size, size))
    edges = (np.arange(1, 5) * size) // 5
    steps = [Surface(columns >= edge, np.full(size, float(behind + n * step))) for n, edge in enumerate(edges, 1)]
    return [_field(size, behind), *steps]


def _slant(size: int, rng: Rng) -> list[Surface]:
    """A rectangle that leans back, before a background that turns away: both in fractions of a pixel."""
    rise, lean = rng.uniform(2, 6), rng.uniform(3, 6)
    behind = rng.uniform(2, 4)
    nearer = behind + rise + 3 + lean * np.arange(size) / size
    return [_field(size, behind, rise / size), Surface(_window(size, rng), nearer)]


def _grating(size: int, rng: Rng) -> list[Surface]:
    """A sheet with horizontal corrugations of depth, before a flat background."""
    behind, amplitude, cycles = rng.uniform(2, 6), rng.uniform(1.5, 4), rng.uniform(3, 6)
    wave = amplitude * np.sin(2 * np.pi * cycles * np.arange(size) / size)
    return [_field(size, behind), Surface(_window(size, rng), behind + 3 + amplitude + wave)]


SHAPES: dict[str, Callable[[int, Rng], list[Surface]]] = {
    "square": _square,
    "disc": _disc,
    "stairs": _stairs,
    "slant": _slant,
    "grating": _grating,
}
