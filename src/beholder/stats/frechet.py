"""The Fréchet distance between two clouds of features, as if both were Gaussian (Dowson & Landau 1982)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Cloud(NamedTuple):
    """The mean of features, and a root R of their covariance Σ = RᵀR with no more rows than it needs."""

    mean: Floats  # (d,)
    root: Floats  # (k, d)


class Distance(NamedTuple):
    """d² = ‖μ₁ − μ₂‖² + Tr Σ₁ + Tr Σ₂ − 2 Tr (Σ₁Σ₂)^½, and its two summands."""

    value: float
    mean: float
    spread: float


def cloud(features: Floats) -> Cloud:
    """The cloud of features (n, d); n − 1 is divided by.

    >>> cloud(np.array([[0.0], [2.0]])).root.ravel() ** 2
    array([2.])
    """
    centre = features.mean(axis=0)
    apart = (features - centre) / np.sqrt(max(len(features) - 1, 1))
    return Cloud(centre, np.asarray(np.linalg.qr(apart, mode="r")))


def cloud_of(mean: Floats, covariance: Floats) -> Cloud:
    """The cloud of a mean and a covariance, as files of statistics hold them."""
    values, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
    return Cloud(np.asarray(mean, float), np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T)


def distance(one: Cloud, other: Cloud) -> Distance:
    """Tr (Σ₁Σ₂)^½ is the sum of the singular values of R₁R₂ᵀ, so that no root of a matrix is taken.

    >>> round(distance(Cloud(np.zeros(1), np.array([[1.0]])), Cloud(np.full(1, 3.0), np.array([[2.0]]))).value, 9)
    10.0
    """
    shift = float(np.square(one.mean - other.mean).sum())
    shared = float(np.linalg.svd(one.root @ other.root.T, compute_uv=False).sum())
    spread = float(np.square(one.root).sum() + np.square(other.root).sum()) - 2 * shared
    scale = float(np.square(one.root).sum() + np.square(other.root).sum())
    spread = 0.0 if spread < 1e-13 * scale else spread
    return Distance(shift + spread, shift, spread)
