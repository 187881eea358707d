"""Gaussian derivatives, and forms on the sphere by which their energies are steered to any direction."""

from __future__ import annotations

from functools import cache
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def gaussian_derivative(order: int, sigma: float, *, radius: int) -> Floats:
    """The derivative of a Gaussian, sampled as a kernel for correlation: exact on polynomials up to its order.

    A Gaussian times the polynomial with Σ k(t) tᵐ = 0 for m < order and = order! for m = order, so that truncation
    leaves neither a mean nor a lower derivative behind.

    >>> kernel, t = gaussian_derivative(3, 1.25, radius=4), np.arange(-4, 5)
    >>> [round(float(kernel @ t**m), 9) + 0.0 for m in range(4)]
    [0.0, 0.0, 0.0, 6.0]
    """
    if order < 0 or not sigma > 0 or 2 * radius < order:
        raise ValueError(f"got order={order}, sigma={sigma}, radius={radius}; expected 0 or more, above 0, enough taps")
    t = np.arange(-radius, radius + 1, dtype=float)
    powers = t ** np.arange(order + 1)[:, None]
    weight = np.exp(-0.5 * (t / sigma) ** 2)
    wanted = np.zeros(order + 1)
    wanted[order] = factorial(order)
    return np.asarray(weight * (np.linalg.solve((powers * weight) @ powers.T, wanted) @ powers))


@cache
def exponents(degree: int) -> tuple[tuple[int, int, int], ...]:
    """All (X, Y, T) with X + Y + T = degree.

    >>> exponents(1), len(exponents(3)), len(exponents(6))
    (((0, 0, 1), (0, 1, 0), (1, 0, 0)), 10, 28)
    """
    return tuple((x, y, degree - x - y) for x in range(degree + 1) for y in range(degree + 1 - x))


def monomials(directions: Floats, degree: int) -> Floats:
    """x^X y^Y t^T of each direction (…, 3), for all exponents of a degree: (…, n)."""
    table = np.array(exponents(degree))
    return np.asarray((np.asarray(directions)[..., None, :] ** table).prod(axis=-1))


def multinomials(degree: int) -> Floats:
    """degree! / (X! Y! T!) for all exponents of a degree: the weights of a directional derivative.

    >>> multinomials(2)
    array([1., 2., 1., 2., 2., 1.])
    """
    return np.array([factorial(degree) / prod(map(factorial, each)) for each in exponents(degree)])


def sphere_means(degree: int) -> Floats:
    """The mean over the unit sphere of all monomials of an even degree: Π (X − 1)!! / (degree + 1)!!, 0 for odd ones.

    >>> dict(zip(exponents(2), sphere_means(2).round(3)))[(2, 0, 0)]
    np.float64(0.333)
    """
    whole = float(np.prod(np.arange(degree + 1, 0, -2)))
    return np.array(
        [
            0.0 if any(e % 2 for e in each) else prod(prod(range(e - 1, 0, -2)) for e in each) / whole
            for each in exponents(degree)
        ]
    )
