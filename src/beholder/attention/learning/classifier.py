"""A linear classifier of two classes: logistic regression with a ridge."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from beholder.attention.types import Floats


def logistic(rows: Floats, labels: NDArray[np.bool_], *, ridge: float = 1e-2, rounds: int = 100) -> Floats:
    """Weights w, the last one of a constant, for which the loss and a penalty are least.

    That is Σ log(1 + exp(∓w·x)) / m + ridge · ‖w‖² / 2, the constant not in the norm. By Newton's steps, until none
    is longer than 1e−10. Without a ridge, classes that a plane divides have no solution.

    >>> logistic(np.array([[-1.0], [1.0]]), np.array([False, True]), ridge=1 / (1 + np.e)).round(4) + 0.0
    array([1., 0.])
    """
    if rows.ndim != 2 or len(rows) != len(labels) or not 0 < np.mean(labels) < 1 or not ridge > 0:
        raise ValueError(
            f"got rows of shape {rows.shape}, {len(labels)} labels and a ridge of {ridge}; expected as many labels as "
            "rows, some of both classes, and a ridge above 0"
        )
    known = np.column_stack([rows, np.ones(len(rows))])
    penalty = np.append(np.full(rows.shape[1], ridge), 0.0)
    weights = np.zeros(known.shape[1])
    for _ in range(rounds):
        likely = probability(known @ weights)
        slope = known.T @ (likely - labels) / len(rows) + penalty * weights
        bend = (known.T * (likely * (1 - likely))) @ known / len(rows) + np.diag(penalty)
        step = np.linalg.solve(bend, slope)
        weights = weights - step
        if np.abs(step).max() < 1e-10:
            break
    return weights


def probability(score: Floats) -> Floats:
    """1 / (1 + exp(−score))."""
    from scipy.special import expit

    return np.asarray(expit(score))
