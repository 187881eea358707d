"""Gaussian blur as products of matrices: exact, and fast for few points and wide kernels.

The kernel and the borders are those of SciPy's `gaussian_filter` (cut at 4 σ, weights that add up to 1), so both give
the same numbers. A picture that is 0 but for n points is the sum of n outer products, (H × n)(n × W).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Border = Literal["constant", "nearest", "reflect", "mirror", "wrap"]

BORDERS = ("constant", "nearest", "reflect", "mirror", "wrap")
REACH = 4.0  # standard deviations after which the kernel is cut, as in SciPy
FEW = 16  # points: all at once
ACROSS = 256  # columns at a time where there are points: fewer of them reach each part
BAND = 96  # rows or columns at a time: narrower ones waste less on zeros, but more on small products


def blurred(image: Floats, sigma: float, *, border: Border = "constant") -> Floats:
    """An image blurred by a Gaussian of σ pixels; "constant" takes what lies outside as 0, and loses mass there.

    >>> blurred(np.eye(3)[[1]], 0.5).round(4)
    array([[0.0837, 0.6187, 0.0837]])
    >>> blurred(np.ones((2, 2)), 3.0, border="nearest").round(12)
    array([[1., 1.],
           [1., 1.]])
    """
    rows, columns = (spread(side, sigma, border) for side in image.shape)
    down, found = np.empty(image.shape), np.empty(image.shape)
    for near, own in _bands(image.shape[0], sigma, border):
        np.matmul(rows[near, own].T, image[near], out=down[own])
    for near, own in _bands(image.shape[1], sigma, border):
        np.matmul(down[:, near], columns[near, own], out=found[:, own])
    return found


def _bands(side: int, sigma: float, border: Border, width: int = BAND) -> Iterator[tuple[slice, slice]]:
    """Parts of a side, each after the part that its kernel reaches: beyond it all products would be 0."""
    reach = side if border == "wrap" else int(REACH * sigma + 0.5)
    for at in range(0, side, width):
        yield slice(max(0, at - reach), at + width + reach), slice(at, at + width)


def blurred_points(
    where: tuple[NDArray[np.intp], NDArray[np.intp]],
    shape: tuple[int, int],
    *,
    sigma: float,
    border: Border = "constant",
    weights: Floats | None = None,
) -> Floats:
    """What `blurred` makes of a picture that is 0 but for some points (rows, columns), each of weight 1 or as given.

    >>> blurred_points((np.array([0]), np.array([1])), (1, 3), sigma=0.5).round(4)
    array([[0.0837, 0.6187, 0.0837]])
    """
    found = np.empty(shape)
    for own, band in blurred_bands(where, shape, sigma=sigma, border=border, weights=weights):
        if len(band) == shape[0]:
            return band
        found[own] = band
    return found


def are_many(where: tuple[NDArray[np.intp], NDArray[np.intp]], shape: tuple[int, ...]) -> bool:
    """Whether to blur the whole picture costs less than to blur its points one by one."""
    return len(where[0]) > sum(shape)


def blurred_bands(
    where: tuple[NDArray[np.intp], NDArray[np.intp]],
    shape: tuple[int, int],
    *,
    sigma: float,
    border: Border = "constant",
    weights: Floats | None = None,
) -> Iterator[tuple[slice, Floats]]:
    """What `blurred_points` makes, some rows at a time: which rows, and an array that is the caller's own."""
    if are_many(where, shape):
        image = np.bincount(np.ravel_multi_index(where, shape), weights, shape[0] * shape[1]).reshape(shape)
        yield slice(0, shape[0]), blurred(np.asarray(image, np.float64), sigma, border=border)
        return
    rows, columns = (spread(side, sigma, border)[at] for side, at in zip(shape, where, strict=True))
    if weights is not None:
        rows = rows * weights[:, None]
    if len(where[0]) <= FEW:
        yield slice(0, shape[0]), np.asarray(rows.T @ columns)
        return
    for down, tiles in _tiles(where, shape, sigma, border):
        band = np.empty((len(range(*down.indices(shape[0]))), shape[1]))
        for across, held in tiles:
            np.matmul(rows[held, down].T, columns[held, across], out=band[:, across])
        yield down, band


def _tiles(
    where: tuple[NDArray[np.intp], NDArray[np.intp]], shape: tuple[int, int], sigma: float, border: Border
) -> Iterator[tuple[slice, list[tuple[slice, NDArray[np.intp]]]]]:
    """Some rows, and of these some columns at a time, each with the points whose kernels reach there."""
    inside = [(own, _between(where[1], near)) for near, own in _bands(shape[1], sigma, border, ACROSS)]
    for near, own in _bands(shape[0], sigma, border):
        here = _between(where[0], near)
        yield own, [(across, np.flatnonzero(here & there)) for across, there in inside]


def _between(at: NDArray[np.intp], near: slice) -> NDArray[np.bool_]:
    """Which points lie in some rows or columns."""
    return np.asarray((at >= near.start) & (at < near.stop))


def weighed_at(
    where: tuple[NDArray[np.intp], NDArray[np.intp]], image: Floats, *, sigma: float, border: Border = "constant"
) -> Floats:
    """The sum of an image around each point, weighed by the Gaussian that `blurred_points` makes of that point.

    So the product of an image and a map of blurred points is the sum of these: no map is needed for it, and many maps
    that have points in common need each point once.

    >>> image, where = np.array([[1.0, 2.0, 4.0]]), (np.array([0, 0]), np.array([1, 2]))
    >>> weighed_at(where, image, sigma=0.5).sum() - (image * blurred_points(where, (1, 3), sigma=0.5)).sum()
    np.float64(0.0)
    """
    rows, columns = (spread(side, sigma, border)[at] for side, at in zip(image.shape, where, strict=True))
    found = np.zeros(len(where[0]))
    for down, tiles in _tiles(where, (image.shape[0], image.shape[1]), sigma, border):
        for across, held in tiles:
            part = rows[held, down] @ image[down, across]
            found[held] += np.einsum("ij,ij->i", part, columns[held, across])
    return found


@lru_cache(maxsize=24)
def spread(side: int, sigma: float, border: Border = "constant") -> Floats:
    """How a Gaussian of σ pixels spreads each of `side` points over all: row s is the answer to an impulse at s.

    >>> spread(3, 0.5).round(3)
    array([[0.787, 0.106, 0.   ],
           [0.106, 0.787, 0.106],
           [0.   , 0.106, 0.787]])
    """
    if border not in BORDERS:
        raise ValueError(f"got border={border!r}; expected one of {', '.join(BORDERS)}")
    if not sigma >= 0 or np.isinf(sigma):
        raise ValueError(f"got sigma={sigma}; expected a standard deviation of 0 px or more")
    found = np.zeros((side, side))
    at = np.arange(side)
    for step, weight in _kernel(sigma):
        source, held = _folded(at + step, side, border)
        found[source[held], at[held]] += weight
    found.setflags(write=False)
    return found


def _kernel(sigma: float) -> list[tuple[int, float]]:
    """Steps and weights of the Gaussian; σ = 0 is none."""
    reach = int(REACH * sigma + 0.5)
    steps = np.arange(-reach, reach + 1)
    weights = np.exp(-0.5 * (steps / sigma) ** 2) if sigma > 0 else np.ones(1)
    return list(zip(steps.tolist(), (weights / weights.sum()).tolist(), strict=True))


def _folded(at: NDArray[np.int64], side: int, border: Border) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Where places beyond the border take their value from, and which have one."""
    everywhere = np.ones(at.shape, np.bool_)
    if border == "constant":
        return at, (at >= 0) & (at < side)
    if border == "nearest":
        return np.clip(at, 0, side - 1), everywhere
    if border == "wrap":
        return at % side, everywhere
    period = 2 * side if border == "reflect" else max(2 * side - 2, 1)
    far = at % period
    back = period - far - (border == "reflect")
    return np.where(far < side, far, back), everywhere


def cutoff_blurred(image: Floats, *, cycles: float = 8.0) -> Floats:
    """The blur of the MIT benchmark's maps: a Gaussian low-pass that halves the amplitude at 8 cycles an image.

    G(f) = exp(−ln 2 · (f/f_c)²), in the Fourier transform of the image padded with 0 to a square whose side is a power
    of two; what leaves that square comes in again on its other side. In pixels it is a Gaussian of `cutoff_sigma`.
    """
    n = padded_side(image.shape)
    f = np.fft.fftfreq(n, 1 / n)
    low = np.exp(-np.log(2) * (f / cycles) ** 2)
    spectrum = np.fft.rfft2(image, (n, n)) * low[:, None] * low[: n // 2 + 1]
    return np.fft.irfft2(spectrum, (n, n))[: image.shape[0], : image.shape[1]]


def cutoff_sigma(shape: tuple[int, ...], *, cycles: float = 8.0) -> float:
    """The σ in pixels of `cutoff_blurred`: N / (2π σ_f), with σ_f = f_c / √(2 ln 2) and N the padded side.

    >>> round(cutoff_sigma((768, 1024)), 2)
    23.99
    """
    return float(padded_side(shape) * np.sqrt(2 * np.log(2)) / (2 * np.pi * cycles))


def padded_side(shape: tuple[int, ...]) -> int:
    """The next power of two of the longer side.

    >>> padded_side((675, 1024)), padded_side((600, 1025))
    (1024, 2048)
    """
    return 1 << (max(shape) - 1).bit_length()
