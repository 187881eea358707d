"""Surfaces in depth, seen from anywhere along the baseline: disparity, occlusion and fractions of a pixel are exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.stereo.regions import discontinuities
from beholder.stereo.types import Mask, Truth

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Surface:
    """A piece of a plane or of a corrugated sheet: where it stands in the left image, and d = offset(y) + slope · x."""

    extent: Mask
    offset: Floats  # a disparity a row
    slope: float = 0.0  # px of disparity a column

    @property
    def disparity(self) -> Floats:
        """Its disparity in each pixel of the left image."""
        return self.offset[:, None] + self.slope * np.arange(self.extent.shape[1])

    def left_of(self, columns: Floats, factor: float = 1.0) -> Floats:
        """The left columns of those of the view at a factor of the baseline, a row each: the inverse of x − f·d(x)."""
        return (columns + factor * self.offset[:, None]) / (1 - factor * self.slope)


class View(NamedTuple):
    """What is seen from a place on the baseline: luminances, and in each pixel the number of the front surface."""

    luminance: Floats
    front: NDArray[np.int_]


def view(surfaces: Sequence[Surface], textures: Sequence[Floats | Mask], factor: float) -> View:
    """The view at a factor of the baseline, 0 being the left image and 1 the right one.

    Surfaces stand from back to front. Each has its own texture, in columns of the left image with an equal margin at
    both sides; a pixel shows the mean over its width. The rearmost surface goes on beyond the left image.
    """
    shape = surfaces[0].extent.shape
    columns = np.broadcast_to(np.arange(shape[1], dtype=np.float64), shape)
    luminance, front = np.zeros(shape), np.full(shape, -1)
    for depth, (surface, texture) in enumerate(zip(surfaces, textures, strict=True)):
        there = _covers(surface, columns, factor)
        ends = (surface.left_of(columns + half, factor) for half in (-0.5, 0.5))
        luminance[there] = _mean(texture, *ends)[there]
        front[there] = depth
    return View(luminance, front)


def truth(surfaces: Sequence[Surface], left: View, right: View) -> Truth:
    """Disparities and regions of the left view.

    A left pixel is nonocc if, and only if, the surface that it shows is the one that the right view shows there.
    """
    every = np.array([surface.disparity for surface in surfaces])
    disparity = np.take_along_axis(every, left.front[None], axis=0)[0]
    column = np.floor(np.arange(disparity.shape[1]) - disparity + 0.5).astype(np.intp)
    seen = (column >= 0) & (np.take_along_axis(right.front, np.maximum(column, 0), axis=1) == left.front)
    exact = disparity.astype(np.float32)
    near = discontinuities(exact, ~seen)
    return Truth(exact, {"nonocc": seen, "all": np.ones_like(seen), "disc": seen & near})


def _covers(surface: Surface, columns: Floats, factor: float) -> Mask:
    """Pixels of a view whose centres lie on a surface."""
    at = np.floor(surface.left_of(columns, factor) + 0.5).astype(np.intp)
    within = (at >= 0) & (at < columns.shape[1])
    on = np.take_along_axis(surface.extent, np.clip(at, 0, columns.shape[1] - 1), axis=1)
    return np.where(within, on, surface.extent.all())


def _mean(texture: Floats | Mask, start: Floats, end: Floats) -> Floats:
    """The mean of a texture from `start` to `end`, each of its elements being one column wide around its centre."""
    integral = np.pad(np.cumsum(texture, axis=1, dtype=np.float64), ((0, 0), (1, 0)))
    margin = (texture.shape[1] - start.shape[1]) / 2
    return (_until(integral, end + margin) - _until(integral, start + margin)) / (end - start)


def _until(integral: Floats, column: Floats) -> Floats:
    at = np.clip(column + 0.5, 0, integral.shape[1] - 1 - 1e-9)  # a texture must reach as far as it is shown
    low = np.floor(at).astype(np.intp)
    low_value = np.take_along_axis(integral, low, axis=1)
    return low_value + (at - low) * (np.take_along_axis(integral, low + 1, axis=1) - low_value)
