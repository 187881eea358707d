"""The motion energy model of Simoncelli and Heeger: V1 by space-time derivatives, MT by planes of frequency."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.motion.frame_pairs import Frames, relative
from beholder.motion.types import Areas, Movie, Units
from beholder.vision.derivatives import exponents, gaussian_derivative, monomials, multinomials, sphere_means
from beholder.vision.filters import blurred

Floats = NDArray[np.float64]

ORDER = 3  # of the derivatives; their squares are forms of degree 6 on the sphere of (fx, fy, ft)
SIGMA = 1.25  # px and frames, of the first scale; each further one is blurred by a Gaussian of 1 more
LINEAR, SQUARED = 6.6084, 1.9263  # gains of the source's program
SEMI = 0.1  # semi-saturation of V1, contrast
AROUND, POOL = 3.35, 1.6  # px: Gaussians of normalisation and of complex cells
EVERY = 4  # px between the places of MT
DIRECTIONS = 24  # of MT units; a multiple of 8, so that turned and mirrored movies are read alike
TILTS = np.radians(np.arange(5, 90, 10))  # of MT planes, evenly: preferred speeds tan(tilt), 0.09 … 11 px/frame
SHARPENED = 4  # power of a unit's response that it weighs in the read-out (ours)
WEAK = 0.01  # semi-saturation of MT (ours)
FAINT = 1e-6  # drive that is no response: a contrast of some 1e-5; rounding alone gives uniform frames 1e-9 (ours)


@source("Simoncelli1998", family="filters", dynamics="none")
def motion_energy(movie: Movie, *, scales: int = 3) -> Areas:
    """One velocity per frame pair from a population of MT units, which are exposed (`Areas`, "MT": 24 directions, 9
    speeds).

    V1: directional third derivatives L = 6.6084 Σ 3!/(X! Y! T!) u_x^X u_y^Y u_t^T ∂³I of space-time Gaussians, in 28
    directions u, squared, divided by their mean over all directions and a neighbourhood of 3.35 px plus 0.1², pooled
    over 1.6 px, and added over `scales`. The 28 squares determine the energy in every direction exactly. MT: the mean
    energy on the plane of a velocity, u · (vx, vy, 1) = 0, less the mean over the sphere, rectified, squared, and
    divided by the sum over all units. The velocity is that of the mean normal of all planes, weighted by responses.

    The window of 9 to 13 frames ends with the pair, so the answer is 4 to 6 frames late. The window is counted in
    frames, not milliseconds: the time course means nothing. The answer is NaN where no unit responds, and until the
    widest window lies within the movie; filters that covered the start of the movie would respond to it, on diamonds by
    a swing of 26° in 0.2 s. In a movie shorter than that window the first frame is repeated before the start, and every
    pair gets an answer.

    Deviation: the mean over the sphere replaces that over the 28 directions, and the normalisation is local, as in
    later programs. Scales are Gaussians of √(1.25² + k), the result of repeated blurring.
    """
    if scales < 1:
        raise Misuse(f"got scales={scales}; expected 1 or more")
    responses = population(movie, scales=scales)
    begins = _widest(scales) - 2  # the first pair whose widest window lies within the movie
    if begins < len(responses):
        responses[:begins] = np.nan
    directions, speeds = preferences()
    units = Units(responses, directions, speeds)
    return Areas(decoded(responses), {"MT": units})


def _widest(scales: int) -> int:
    """The frames of the widest window."""
    return 2 * _radius(_sigma(scales - 1)) + 1


def _sigma(scale: int) -> float:
    """Of the Gaussians of a scale: the first, blurred by one of 1 px for each further one."""
    return float(np.sqrt(SIGMA**2 + scale))


def _radius(sigma: float) -> int:
    """Of the kernels, in px and frames."""
    return round(3.2 * sigma)


def preferences() -> tuple[Floats, Floats]:
    """The preferred direction (degrees, 0 right, 90 up) and speed (px/frame) of every MT unit."""
    turns, tilts = np.meshgrid(360 * np.arange(DIRECTIONS) / DIRECTIONS, TILTS)
    return turns.ravel(), np.tan(tilts).ravel()


def decoded(responses: Floats) -> Floats:
    """The velocity of each instant, px/frame, u right, v down: that of the mean normal of the units' planes.

    A grating excites all planes through its frequency alike; their normals lie evenly about that of its own normal
    velocity, whatever its speed.
    """
    normals = _normals()
    weights = responses**SHARPENED * np.sqrt(1 - normals[:, 2] ** 2)  # by solid angle
    mean = weights @ normals
    total = mean[:, 2:]
    return np.where(total > 0, mean[:, :2] / np.where(total > 0, total, 1), np.nan)


def population(movie: Movie, *, scales: int = 3) -> Floats:
    """Responses of all MT units for each pair of frames, summed over the frame: (T − 1, n)."""
    frames = relative(movie)
    energies = _energies(frames, _sigma(0))
    for scale in range(1, scales):
        energies += _energies(frames, _sigma(scale))
    pooled = (blurred(frame, POOL) for frame in energies)
    return np.array([_mt(frame) for frame in pooled]).reshape(-1, len(_normals()))


def _mt(energy: Frames) -> Floats:
    places = energy[EVERY // 2 :: EVERY, EVERY // 2 :: EVERY].reshape(-1, energy.shape[-1])
    drive = places @ _planes()
    drive = np.where(drive > FAINT, drive, 0) ** 2
    return np.asarray((drive / (WEAK + drive.mean(axis=1, keepdims=True))).sum(axis=0), np.float64)


def _energies(frames: Frames, sigma: float) -> Frames:
    """Normalised squares in 28 directions for each pair, (T − 1, H, W, 28); the window ends with the pair."""
    radius = _radius(sigma)
    kernels = [gaussian_derivative(order, sigma, radius=radius) for order in range(ORDER + 1)]
    past = np.concatenate([np.repeat(frames[:1], 2 * radius, axis=0), frames])
    steer = (LINEAR * monomials(_directions(), ORDER) * multinomials(ORDER)).T.astype(np.float32)
    whole = (_steering() @ sphere_means(2 * ORDER)).astype(np.float32)
    found = np.empty((len(frames) - 1, *frames.shape[1:], len(_directions())), np.float32)
    for at in range(len(found)):
        basis = _basis(past[at + 1 : at + 2 + 2 * radius], kernels)
        square = np.float32(SQUARED) * (basis @ steer) ** 2
        found[at] = square / (blurred(np.asarray(square @ whole, np.float32), AROUND)[..., None] + np.float32(SEMI**2))
    return found


def _basis(window: Frames, kernels: list[Floats]) -> Frames:
    """The derivatives ∂³ of all orders (X, Y, T) in the middle of a window, (H, W, 10)."""
    import cv2

    moments = [np.tensordot(kernel.astype(np.float32), window, 1) for kernel in kernels]
    parts = [
        cv2.sepFilter2D(moments[t], cv2.CV_32F, kernels[x], kernels[y], borderType=cv2.BORDER_REPLICATE)
        for x, y, t in exponents(ORDER)
    ]
    return np.stack(parts, axis=-1)


@cache
def _directions() -> Floats:
    """28 directions (x right, y down, t), spread over half a sphere along a spiral."""
    count = len(exponents(2 * ORDER))
    height = (np.arange(count) + 0.5) / count
    turn = np.pi * (3 - np.sqrt(5)) * np.arange(count)  # the golden angle
    flat = np.sqrt(1 - height**2)
    return np.stack([flat * np.cos(turn), flat * np.sin(turn), height], axis=-1)


@cache
def _steering() -> Floats:
    """What turns the monomials of a direction into weights of the 28 squares: (28, monomials)."""
    return np.asarray(np.linalg.inv(monomials(_directions(), 2 * ORDER).T))


@cache
def _normals() -> Floats:
    """The normals of the units' planes, along (u, v down, 1)."""
    directions, speeds = preferences()
    angles = np.radians(directions)
    normals = np.stack([speeds * np.cos(angles), -speeds * np.sin(angles), np.ones_like(speeds)], axis=-1)
    return np.asarray(normals / np.linalg.norm(normals, axis=-1, keepdims=True))


@cache
def _planes() -> NDArray[np.float32]:
    """The weights of the 28 squares for each unit: mean over its plane less mean over the sphere. (28, n)"""
    normals = _normals()
    across = np.stack([-normals[:, 1], normals[:, 0], np.zeros(len(normals))], axis=-1)
    across /= np.linalg.norm(across, axis=-1, keepdims=True)
    along = np.cross(normals, across)
    angles = np.arange(8) * np.pi / 8  # half a turn: forms of degree 6 are even, and 8 points average them exactly
    circle = np.cos(angles)[:, None, None] * across + np.sin(angles)[:, None, None] * along
    form = monomials(circle, 2 * ORDER).mean(axis=0) - sphere_means(2 * ORDER)
    return np.asarray(_steering() @ form.T, np.float32)
