"""Bradley–Terry strengths from counts of wins."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

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


class Fit(NamedTuple):
    """Strengths of many items from few comparisons, with what is known of their uncertainty."""

    strengths: Floats  # θ, 0 for an average item of its part
    errors: Floats  # standard errors of θ less its part's mean, by the curvature; NaN where there are too many items
    parts: Ints  # items of different parts were never compared, directly or through others

    @property
    def reliability(self) -> float:
        """The share of variance that is known: V / (V + mean error²), V the variance of θ, which the prior has shrunk.

        NaN if all tie. By the curvature at θ, so too low where few comparisons leave much to the prior.
        """
        spread = float(np.var(self.strengths))
        return spread / (spread + float(np.square(self.errors).mean())) if spread > 1e-12 else float("nan")


MOST_INVERTED = 3000  # items of which the curvature is inverted for standard errors: 72 MB


def from_pairs(first: Ints, second: Ints, value: Floats, items: int, *, prior: float = 0.5, errors: bool = True) -> Fit:
    """Strengths θ from single comparisons: `value` is the share that the first wins, ½ a tie.

    θ maximises Σ v log P(first beats second) + (1 − v) log P(second beats first), P(a beats b) = 1 / (1 + exp(θ_b −
    θ_a)), plus the same for `prior` wins and `prior` losses of each item against one of strength 0. That keeps θ finite
    where an item wins or loses always, and puts parts that were never compared on one scale by the assumption that
    their means are alike, for want of anything else; `parts` says which they are. An item without comparisons has 0.
    Standard errors take most of the time; without `errors` they are NaN.

    >>> fit = from_pairs(np.array([0, 0]), np.array([1, 1]), np.array([1.0, 1.0]), 3)
    >>> fit.strengths.round(3), fit.parts
    (array([ 1.012, -1.012,  0.   ]), array([0, 0, 1]))
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    theta = np.zeros(items)
    for _ in range(STEPS):
        slope, curve = _posterior(theta, first, second, value, prior)
        step = _solved(curve, slope)
        theta = theta + step * min(1.0, STRIDE / max(float(np.abs(step).max(initial=0.0)), 1e-300))
        if np.abs(step).max(initial=0.0) < 1e-9:
            break
    met = coo_array((np.ones(len(first)), (first, second)), shape=(items, items))
    _, parts = connected_components(met, directed=False)
    spread = np.full(items, np.nan)
    if errors and items <= MOST_INVERTED:
        spread = _errors(_posterior(theta, first, second, value, prior)[1], parts)
    return Fit(theta, spread, parts.astype(np.int64))


def _errors(curve: Any, parts: Ints) -> Floats:
    """Standard errors of differences to the mean of a part, whose level only the prior knows; alone, of the item."""
    spread = np.linalg.inv(curve.toarray())
    found = spread.diagonal().copy()
    for part in np.flatnonzero(np.bincount(parts) > 1):
        some = np.flatnonzero(parts == part)
        own = spread[np.ix_(some, some)]
        found[some] += own.mean() - 2 * own.mean(axis=0)
    return np.sqrt(np.maximum(found, 0.0))


def _posterior(theta: Floats, first: Ints, second: Ints, value: Floats, prior: float) -> tuple[Floats, Any]:
    """The slope of the log posterior, and its curvature with the sign turned, which is positive definite."""
    from scipy.sparse import coo_array, diags_array

    chance = 1 / (1 + np.exp(np.clip(theta[second] - theta[first], -500, 500)))
    own = 1 / (1 + np.exp(np.clip(-theta, -500, 500)))
    size, items = chance * (1 - chance), len(theta)
    more = np.bincount(first, value - chance, items) - np.bincount(second, value - chance, items)
    slope = more + prior * (1 - 2 * own)
    level = np.bincount(first, size, items) + np.bincount(second, size, items) + 2 * prior * own * (1 - own)
    between = coo_array((size, (first, second)), shape=(items, items)).tocsr()
    return slope, diags_array(level + 1e-12).tocsr() - between - between.T


def _solved(curve: Any, slope: Floats) -> Floats:
    """The step that a slope asks for: by conjugate gradients, since nobody meets most of the others."""
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import cg

    found, _ = cg(curve, slope, rtol=1e-10, atol=1e-12, maxiter=1000, M=diags_array(1 / curve.diagonal()))
    return np.asarray(found)
