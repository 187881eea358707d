"""Scenes drawn for the tests of motion models, apart from the stimuli of the package: luminance 0 and 1, 8 px/deg.

Strokes join as 1 − Π(1 − c), as the spec draws them: its golden numbers are of that outline, not of the exact one.
"""

from functools import cache

import numpy as np
from scipy import ndimage
from scipy.special import ndtr

from beholder.motion.types import Movie

PX_PER_DEG = 8


def grid(size):
    """The coordinates x (right) and y (up) of the pixel centres, in degrees."""
    axis = (np.arange(size) - (size - 1) / 2) / PX_PER_DEG
    return np.meshgrid(axis, -axis)


def stroke(x, y, ends, width=0.5, blur=0.5 / PX_PER_DEG):
    """A segment of this width under a Gaussian, exactly: the product of two differences of normal distributions."""
    (x0, y0), (x1, y1) = ends
    length = np.hypot(x1 - x0, y1 - y0)
    tx, ty = (x1 - x0) / length, (y1 - y0) / length
    dx, dy = x - (x0 + x1) / 2, y - (y0 + y1) / 2
    along, across = dx * tx + dy * ty, dy * tx - dx * ty
    return (ndtr((along + length / 2) / blur) - ndtr((along - length / 2) / blur)) * (
        ndtr((across + width / 2) / blur) - ndtr((across - width / 2) / blur)
    )


def filmed(strokes_at, *, hertz, seconds, size, contrast=1.0):
    """A movie of strokes, whose ends at a time `strokes_at` gives, on a ground of 1 − contrast."""
    x, y = grid(size)
    frames = []
    for k in range(round(seconds * hertz) + 1):
        bare = np.prod([1 - stroke(x, y, ends) for ends in strokes_at(k / hertz)], axis=0)
        frames.append(1 - contrast * bare)
    return Movie(np.asarray(frames, np.float32), hertz, PX_PER_DEG)


def towards(degrees, length=1.0):
    """A vector of this length and mathematical direction."""
    return length * np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])


def diamond(*, direction=0.0, tilt=1, hertz=100, seconds=0.45, size=168, edge=8.0, speed=10.0, **rest):
    """Four strokes at ±7.5° about a long axis that is tilted by 45°: the average of their normals is 44° off."""
    axis = direction + 45 * tilt + 90
    long, short = towards(axis, edge * np.cos(np.radians(7.5))), towards(axis + 90, edge * np.sin(np.radians(7.5)))
    corners = [long, short, -long, -short]

    def strokes_at(t):
        centre = towards(direction, speed * (t - seconds / 2))
        return [(centre + a, centre + b) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)]

    return filmed(strokes_at, hertz=hertz, seconds=seconds, size=size, **rest)


def bar(length, *, tiles=1, gap=1.0, tilt=45.0, direction=0.0, hertz=100, seconds=0.45, size=168, speed=10.0):
    """A bar whose normal lies `tilt` degrees counter-clockwise of its motion, in tiles that share its length."""
    along, each = towards(direction + tilt + 90), (length - gap * (tiles - 1)) / tiles
    starts = [-length / 2 + k * (each + gap) for k in range(tiles)]

    def strokes_at(t):
        centre = towards(direction, speed * (t - seconds / 2))
        return [(centre + along * s, centre + along * (s + each)) for s in starts]

    return filmed(strokes_at, hertz=hertz, seconds=seconds, size=size)


def disc_grating(*, hertz, pairs=1, cycles=0.27, temporal=10.0, diameter=20.0, size=200):
    """The grating of Tlapale et al. (2012), drifting right in a disc with an edge of 1 px, about a mean of one half."""
    x, y = grid(size)
    inside = ndtr((diameter / 2 - np.hypot(x, y)) * PX_PER_DEG)
    times = np.arange(pairs + 1) / hertz
    waves = [np.cos(2 * np.pi * (cycles * x - temporal * t)) for t in times]
    return Movie(np.asarray([0.5 + 0.5 * inside * w for w in waves], np.float32), hertz, PX_PER_DEG)


def middle_pair(movie):
    """The two frames in the middle of a movie, as a movie."""
    k = (len(movie.frames) - 1) // 2
    return Movie(movie.frames[k : k + 2], movie.hertz, movie.px_per_deg)


def velocity(flow, movie):
    """The average of each pair's flow, weighted by what differs from the ground: (u right, v up), px/frame."""
    ground = movie.frames[0, 0, 0]
    departure = np.abs(movie.frames.astype(np.float64) - ground)
    weights = np.maximum(departure[1:], departure[:-1])[..., None] * np.isfinite(flow)
    total = weights.sum((1, 2))
    mean = (np.nan_to_num(flow) * weights).sum((1, 2)) / np.where(total > 0, total, np.nan)
    return mean * (1, -1)


def direction(flow, movie):
    """The direction of each pair's average, in mathematical degrees."""
    u, v = velocity(flow, movie).T if np.ndim(flow) == 4 else (np.asarray(flow) * (1, -1)).T
    return np.degrees(np.arctan2(v, u))


def barber_pole(length, width, *, hertz=50, seconds=0.44, size=112, cycles=0.5, temporal=4.0):
    """A grating that drifts up and right behind an upright window of length × width degrees, longer along x."""
    x, y = grid(size)
    window = ndtr((length / 2 - np.abs(x)) * PX_PER_DEG) * ndtr((width / 2 - np.abs(y)) * PX_PER_DEG)
    times = np.arange(round(seconds * hertz) + 1) / hertz
    waves = [np.cos(2 * np.pi * (cycles * (x + y) / np.sqrt(2) - temporal * t)) for t in times]
    return Movie(np.asarray([0.5 + 0.5 * window * w for w in waves], np.float32), hertz, PX_PER_DEG)


def film(shown, frames=14):
    return Movie(np.asarray([shown(t) for t in range(frames)], np.float32), 100, 8)


def texture(shift, *, size=64, blur=1.5):
    """Smooth noise that moves by (right, down) px/frame, exactly."""
    spectrum = ndimage.fourier_gaussian(np.fft.fft2(np.random.default_rng(1).standard_normal((size, size))), blur)
    moved = [np.fft.ifft2(ndimage.fourier_shift(spectrum, (k * shift[1], k * shift[0]))).real for k in range(14)]
    low, high = np.min(moved), np.max(moved)
    return Movie(((np.asarray(moved) - low) / (high - low)).astype(np.float32), 100, 8)


@cache
def dots(shift, *, size=72, count=60):
    """Bright dots that move by (right, down) px/frame and come in again at the other side."""
    start = np.random.default_rng(7).uniform(0, size, (count, 2))
    y, x = np.mgrid[:size, :size]

    def shown(t):
        apart = (np.stack([x, y], axis=-1)[:, :, None] - start - t * np.asarray(shift) + size / 2) % size - size / 2
        return 1 - np.prod(1 - np.exp(-(apart**2).sum(axis=-1) / (2 * 1.5**2)), axis=-1)

    return film(shown)


SHIFTS = [(1.0, 0.0), (0.5, 0.5), (1.5, -1.0), (-2.0, 0.0)]
