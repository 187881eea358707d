"""The field of gravity in two dimensions, E(a) = (1/2π) ∫ (x − a) / ‖x − a‖² μ(x) dx, of masses on pixels, exactly.

A mass is spread evenly over its pixel, so that the field is finite everywhere. Lengths are in px, points are (x, y),
and pixel i has its middle at i + 1/2.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from beholder.attention.types import Floats
from beholder.jit import compiled


def kernel(dx: NDArray[np.floating], dy: NDArray[np.floating]) -> tuple[Floats, Floats]:
    """e(z) = z / (2π ‖z‖²), integrated over the unit pixel whose middle is at (dx, dy): both components.

    With F(x, y) = ½ [y ln(x² + y²) − 2y + 2x atan(y / x)] the first one is, over 2π,
    F(dx+½, dy+½) − F(dx−½, dy+½) − F(dx+½, dy−½) + F(dx−½, dy−½); the second one has its arguments exchanged.

    >>> round(float(2 * np.pi * kernel(np.array(1.0), np.array(0.0))[0]), 9)
    0.984572456
    """
    return _corners(dx, dy), _corners(dy, dx)


def _corners(x: NDArray[np.floating], y: NDArray[np.floating]) -> Floats:
    signs = ((0.5, 0.5, 1), (-0.5, 0.5, -1), (0.5, -0.5, -1), (-0.5, -0.5, 1))
    return np.asarray(sum(sign * _primitive(x + right, y + down) for right, down, sign in signs) / (2 * np.pi))


def _primitive(x: NDArray[np.floating], y: NDArray[np.floating]) -> Floats:
    square = x * x + y * y
    logs = np.log(np.where(square > 0, square, 1.0))
    angle = np.arctan(y / np.where(x == 0, 1.0, x))  # at x = 0 it is multiplied by 0
    return np.asarray(0.5 * (y * logs - 2 * y + 2 * x * angle))


def pulls(mass: Floats, points: Floats) -> Floats:
    """The field (n, 2) at points (n, 2) by direct sums over all pixels; the masses are (H, W), or (n, H, W)."""
    own = np.broadcast_to(mass, (len(points), *mass.shape[-2:]))
    return inhibited_pulls(own, np.zeros_like(own), points)


def inhibited_pulls(mass: Floats, inhibition: Floats, points: Floats) -> Floats:
    """The field (n, 2) of μ (1 − I) at points (n, 2), μ and I both (n, H, W)."""
    found = np.empty((len(points), 2))
    _far(mass, inhibition, points, found)
    _near(mass, inhibition, points, found)
    return found / (2 * np.pi)


@compiled
def inhibit(inhibition: Floats, seen: Floats, keep: float, spread: float) -> None:
    """I ← keep · I + (1 − keep) · g(x − seen) for each of n observers, in place; g a Gaussian of σ = `spread` px."""
    observers, rows, columns = inhibition.shape
    for one in range(observers):
        across = (1 - keep) * np.exp(-((np.arange(columns) + 0.5 - seen[one, 0]) ** 2) / (2 * spread**2))
        down = np.exp(-((np.arange(rows) + 0.5 - seen[one, 1]) ** 2) / (2 * spread**2))
        for row in range(rows):
            held, high = inhibition[one, row], down[row]
            for column in range(columns):
                held[column] = keep * held[column] + high * across[column]


@compiled
def _far(mass: Floats, inhibition: Floats, points: Floats, found: Floats) -> None:
    """Σ m z̄⁻¹ over pixels more than 4 px away in x or y.

    1/z of complex z is averaged over a pixel by its series, 1/z + ⟨w⁴⟩/z⁵ + …, ⟨w⁴⟩ = −1/60, of which the second
    term is below 1e-8 of the first beyond 40 px, where it is left out.
    """
    observers, rows, columns = mass.shape
    across, down, weights = np.zeros(columns), np.zeros(columns), np.zeros(columns)
    for one in range(observers):
        x, y = points[one]
        left, top = math.floor(x), math.floor(y)
        across[:] = 0.0
        down[:] = 0.0
        for row in range(rows):
            dy = row + 0.5 - y
            own, held = mass[one, row], inhibition[one, row]
            for column in range(columns):
                weights[column] = own[column] * (1 - held[column])
            if abs(row - top) <= 4:
                weights[max(left - 4, 0) : max(left + 5, 0)] = 0.0
            for column in range(columns):
                dx = column + 0.5 - x
                over = weights[column] / max(dx * dx + dy * dy, 0.25)  # what is nearer weighs 0
                across[column] += dx * over
                down[column] += dy * over
            if abs(row - top) <= 40:
                for column in range(max(left - 40, 0), min(left + 41, columns)):
                    dx = column + 0.5 - x
                    over = 1 / max(dx * dx + dy * dy, 0.25)
                    re, im = dx * over, dy * over
                    re2, im2 = re * re - im * im, 2 * re * im
                    re4, im4 = re2 * re2 - im2 * im2, 2 * re2 * im2
                    across[column] -= weights[column] * (re * re4 - im * im4) / 60
                    down[column] -= weights[column] * (re * im4 + im * re4) / 60
        found[one, 0], found[one, 1] = across.sum(), down.sum()


@compiled
def _near(mass: Floats, inhibition: Floats, points: Floats, found: Floats) -> None:
    """Add Σ m e over pixels up to 4 px away in x and y, each by the closed form of `kernel`, corner by corner."""
    observers, rows, columns = mass.shape
    for one in range(observers):
        x, y = points[one]
        left, top = math.floor(x), math.floor(y)
        for row in range(max(top - 4, 0), min(top + 5, rows)):
            for column in range(max(left - 4, 0), min(left + 5, columns)):
                weight = mass[one, row, column] * (1 - inhibition[one, row, column])
                for corner in range(4):
                    u, v = column + corner % 2 - x, row + corner // 2 - y
                    sign = weight if corner in (0, 3) else -weight
                    square = u * u + v * v
                    logs = 0.5 * math.log(square) if square > 0 else 0.0
                    found[one, 0] += sign * (v * logs - v + (u * math.atan(v / u) if u != 0 else 0.0))
                    found[one, 1] += sign * (u * logs - u + (v * math.atan(u / v) if v != 0 else 0.0))


def lattice(mass: Floats) -> Floats:
    """The field (2, H, W) at the middles of all pixels: a convolution, by zero-padded Fourier transforms (Hockney)."""
    from scipy import fft

    rows, columns = mass.shape
    spectra, size = _spectra(rows, columns)
    spectrum = fft.rfft2(mass, size)
    whole = [fft.irfft2(spectrum * each, size)[:rows, :columns] for each in spectra]
    return np.stack(whole)


@lru_cache(maxsize=8)
def _spectra(rows: int, columns: int) -> tuple[NDArray[np.complex128], tuple[int, int]]:
    """Transforms of both components of the kernel, seen from the mass: what lies right of it is pulled left."""
    from scipy import fft

    size = fft.next_fast_len(2 * rows - 1, real=True), fft.next_fast_len(2 * columns - 1, real=True)
    down, right = (np.fft.fftfreq(n, 1 / n) for n in size)
    dx, dy = np.meshgrid(-right, -down)
    return fft.rfft2(np.stack(kernel(dx, dy)), axes=(1, 2)), size


def between(grids: Floats, points: Floats) -> Floats:
    """Values (n, k) of grids (k, H, W) at points, linear between the middles of pixels, the outermost ones beyond.

    >>> between(np.array([[[0.0, 2.0]]]), np.array([[1.0, 0.5], [0.0, 0.0]])).tolist()
    [[1.0], [0.0]]
    """
    rows, columns = grids.shape[1:]
    x = np.clip(points[:, 0] - 0.5, 0, columns - 1)
    y = np.clip(points[:, 1] - 0.5, 0, rows - 1)
    left, top = np.minimum(x.astype(np.intp), max(columns - 2, 0)), np.minimum(y.astype(np.intp), max(rows - 2, 0))
    right, low = np.minimum(left + 1, columns - 1), np.minimum(top + 1, rows - 1)
    u, v = x - left, y - top
    upper = (1 - u) * grids[:, top, left] + u * grids[:, top, right]
    lower = (1 - u) * grids[:, low, left] + u * grids[:, low, right]
    return np.asarray(((1 - v) * upper + v * lower).T)


def transform_is_cheaper(shape: tuple[int, int], evaluations: int) -> bool:
    """Whether the whole lattice costs less than so many direct sums, as between one change of the mass and the next.

    One transform of N px costs about as much as 0.2 N log₂ N pixels of a direct sum; there are three.

    >>> transform_is_cheaper((168, 224), 1), transform_is_cheaper((168, 224), 500)
    (False, True)
    """
    padded = 4 * shape[0] * shape[1]
    return bool(evaluations * shape[0] * shape[1] > 3 * 0.2 * padded * np.log2(padded))
