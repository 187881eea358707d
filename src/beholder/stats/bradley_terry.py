"""Bradley–Terry strengths from counts of wins."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

STEPS = 100  # of Newton's method; it needs about ten where strengths are finite
STRIDE = 2.0  # the most that a strength moves in one step, which keeps the method from leaping past the maximum


def wins(losses: Floats) -> Floats:
    """Models × models: on how many columns a has less loss than b; equal ones count one half each, NaN nothing.

    >>> wins(np.array([[1.0, 2.0, 3.0], [2.0, 2.0, np.nan]]))
    array([[0. , 1.5],
           [0.5, 0. ]])
    """
    found = np.stack([((own < losses) + (own == losses) / 2).sum(axis=1) for own in losses])
    np.fill_diagonal(found, 0.0)
    return found


def strengths(won: Floats) -> Floats:
    """Logarithms θ of the strengths that make the wins likeliest, with mean 0; `won` is … × models × models.

    P(a beats b) = 1 / (1 + exp(θ_b − θ_a)), so that Σ_b won_ab = Σ_b n_ab P(a beats b) for all a, n_ab = won_ab +
    won_ba. Newton's method on the concave likelihood. θ is finite iff every two models are linked by a chain of wins,
    in both directions; else it grows with every step, and is NaN.

    >>> theta = strengths(np.array([[0.0, 3.0], [1.0, 0.0]]))
    >>> float(np.exp(theta[0] - theta[1]).round(6))
    3.0
    """
    games = won + np.swapaxes(won, -1, -2)
    total = won.sum(axis=-1)
    theta = np.zeros(won.shape[:-1])
    for _ in range(STEPS):
        step = _step(theta, total, games)
        theta = theta + step
        if np.abs(step).max(initial=0.0) < 1e-10:
            break
    settled = np.abs(_step(theta, total, games)).max(axis=-1, keepdims=True) < 1e-6
    return np.where(settled, theta - theta.mean(axis=-1, keepdims=True), np.nan)


def _step(theta: Floats, total: Floats, games: Floats) -> Floats:
    """One of Newton's steps, shortened where it is too long."""
    chance = 1 / (1 + np.exp(np.clip(theta[..., None, :] - theta[..., :, None], -500, 500)))
    slope = total - (games * chance).sum(axis=-1)
    curve = -games * chance * (1 - chance)
    size = -curve.sum(axis=-1)
    models = theta.shape[-1]
    curve = curve + size[..., None] * np.eye(models)
    # The sum of all θ is free: its direction gets the curvature of the others, and a trace keeps the rest solvable.
    level = size.mean(axis=-1)[..., None, None] + 1e-12
    curve = curve + level / models + 1e-12 * level * np.eye(models)
    step = np.linalg.solve(curve, slope[..., None])[..., 0]
    return np.asarray(step * np.minimum(1.0, STRIDE / np.maximum(np.abs(step).max(axis=-1, keepdims=True), 1e-300)))


def unlinked(won: Floats, *, directed: bool = True) -> Bools | None:
    """A set of models without a chain of wins from outside into it; None where everybody is linked in both directions.

    Undirected, a set that was never compared with the others.

    >>> unlinked(np.array([[0, 1, 1], [0, 0, 1], [0, 1, 0]])).tolist()
    [True, False, False]
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    many, label = connected_components(
        csr_array(won > 0), directed=directed, connection="strong" if directed else "weak"
    )
    if many == 1:
        return None
    groups = (np.asarray(label == one) for one in range(many))
    return next(mine for mine in groups if not (won[~mine][:, mine] > 0).any())  # the condensation has a source
