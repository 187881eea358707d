"""Movies for tests: each drawn once per process, and what it shows, read from its pixels by code of our own."""

from dataclasses import replace
from functools import cache

import numpy as np
from scipy.ndimage import gaussian_filter

SMOOTH = 2.0  # px: differences of neighbours are poor derivatives of sharper frames


@cache
def drawn_once(make):
    """The built-in dataset that `make` gives; its movies are drawn once, however many models and tests ask for them."""
    dataset = make()
    return replace(dataset, load=cache(dataset.load))


def gradients(movie, margin=0):
    """Derivatives (right, up, time) of luminance around the middle of a movie, in degrees and seconds.

    A margin of so many pixels is left out: the rim of a fixed aperture does not move.
    """
    at = len(movie.frames) // 2
    before, now, after = (gaussian_filter(frame.astype(float), SMOOTH) for frame in movie.frames[at - 1 : at + 2])
    down, right = np.gradient(now)
    found = right * movie.px_per_deg, -down * movie.px_per_deg, (after - before) * movie.hertz / 2
    inner = slice(margin, len(now) - margin)
    return tuple(derivative[inner, inner] for derivative in found)


def edge_average(movie, margin=0):
    """The mean of the normal velocities −Iₜ∇I/|∇I|², weighted by |∇I|²."""
    x, y, t = gradients(movie, margin)
    return -np.array([(t * x).sum(), (t * y).sum()]) / (x**2 + y**2).sum()


def rigid(movie, margin=0):
    """The one velocity that fits all gradients best: the least-squares intersection of constraints."""
    x, y, t = gradients(movie, margin)
    return np.linalg.solve(
        [[(x * x).sum(), (x * y).sum()], [(x * y).sum(), (y * y).sum()]], [-(t * x).sum(), -(t * y).sum()]
    )


def direction(velocity):
    return float(np.degrees(np.arctan2(velocity[1], velocity[0])))
