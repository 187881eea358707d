"""The Bayesian observer of Weiss, Simoncelli and Adelson: likelihood of one global velocity, and slow is likely."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.motion.frame_pairs import relative
from beholder.motion.types import Movie
from beholder.vision.filters import blurred, cube

Floats = NDArray[np.float64]


@source("Weiss2002", family="bayesian", dynamics="none")
def slow_prior(movie: Movie, *, prior: float = 0.9, presmoothing: float = 1.0) -> Floats:
    """v = −(Σ ∇I ∇Iᵀ + (σ² / σₚ²) 1)⁻¹ Σ ∇I It over the whole frame: one velocity per pair, u right, v down, px/frame.

    `prior` is σ²/σₚ²: 0.9 is a hundredth of Σ |∇I|² for an outline diamond of 8 deg at full contrast. Luminance is
    relative to the movie's maximum, so gradients scale with contrast c and the prior has the weight prior / c²: at low
    contrast the estimate is slower, and turns from the intersection of constraints towards the vector average. Σ |∇I|²
    does not depend on px/deg, so neither does the answer in degrees. A pair without gradients is at rest with a prior,
    NaN without one.
    """
    if not prior >= 0:
        raise Misuse(f"got prior={prior}; expected 0 or more")
    smooth = [blurred(frame, presmoothing) for frame in relative(movie)]
    found = [posterior(*normal_equations(*cube(*pair)), prior=prior) for pair in pairwise(smooth)]
    return np.array(found).reshape(-1, 2)


def normal_equations(
    ix: NDArray[np.float32], iy: NDArray[np.float32], it: NDArray[np.float32]
) -> tuple[Floats, Floats]:
    """Σ ∇I ∇Iᵀ and −Σ ∇I It.

    >>> one = np.ones((1, 1), np.float32)
    >>> [part.tolist() for part in normal_equations(2 * one, one, -3 * one)]
    [[[4.0, 2.0], [2.0, 1.0]], [6.0, 3.0]]
    """
    gradients = np.stack([ix.ravel(), iy.ravel()]).astype(np.float64)
    return gradients @ gradients.T, -(gradients @ it.ravel().astype(np.float64))


def posterior(evidence: Floats, pull: Floats, *, prior: float) -> Floats:
    """The most probable velocity; NaN if neither evidence nor prior determine one.

    >>> posterior(np.diag([3.0, 1.0]), np.array([8.0, 0.0]), prior=1.0)
    array([2., 0.])
    """
    whole = evidence + prior * np.eye(2)
    if np.linalg.matrix_rank(whole, hermitian=True) < 2:
        return np.full(2, np.nan)
    return np.asarray(np.linalg.solve(whole, pull))
