"""Generalised Gaussians, p(x) = θ / (2 σ Γ(1/θ)) · exp(−(|x| / σ)^θ), fitted to samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LEAST, MOST = 0.1, 10.0  # between which θ is sought; 1 is Laplace's, 2 is Gauss'


def fit(samples: NDArray[np.floating], *, most: float = MOST) -> tuple[float, float]:
    """σ and θ of the greatest likelihood, for a mean of 0; θ is between 0.1 and `most`.

    For a given θ the best scale is σ^θ = θ E|x|^θ; what is left is a function of θ alone, −log p per sample =
    log(2 σ Γ(1/θ) / θ) + 1/θ.

    >>> sigma, theta = fit(-3 * np.log((np.arange(1000) + 0.5) / 1000))  # sizes of Laplace's: σ = 3, θ = 1
    >>> round(sigma, 1), round(theta, 1)
    (3.0, 1.0)
    """
    from scipy.optimize import minimize_scalar
    from scipy.special import gammaln

    sizes = np.abs(np.asarray(samples, np.float64).ravel())
    sizes = sizes[sizes > 0]  # in which |x|^θ is 0 for any θ; they count in the mean
    count = np.size(samples)
    if len(sizes) < 2 or not np.isfinite(sizes).all():
        raise ValueError(f"got {len(sizes)} samples that are not 0, of {count}; expected two finite ones or more")
    logs = np.log(sizes)

    def log_scale(shape: float) -> float:
        return float(np.log(shape * np.exp(shape * logs).sum() / count) / shape)

    def cost(shape: float) -> float:
        return float(log_scale(shape) + gammaln(1 / shape) - np.log(shape) + 1 / shape)

    shape = float(minimize_scalar(cost, bounds=(LEAST, most), method="bounded", options={"xatol": 1e-4}).x)
    return float(np.exp(log_scale(shape))), shape
