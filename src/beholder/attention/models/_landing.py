"""Where eyes land next, whatever the picture: densities over the cells of a grid, as learnt from EyeCrowd."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from beholder.attention.forecasts.forecast import Next
from beholder.attention.forecasts.outlooks import Cells
from beholder.attention.maps.patches import load_learnt
from beholder.attention.models._paths import Rng
from beholder.attention.types import Density, Floats
from beholder.vision.scales import resized

F = TypeVar("F", bound=Callable[..., Any])
SACCADE_MS = 30.0  # between two fixations: that of 4 deg by 21 ms + 2.2 ms/deg


def with_likelihood(density: Callable[..., Floats], forecast: Callable[..., Next]) -> Callable[[F], F]:
    """Give a model of scanpaths its likelihood: the attributes `conditional_log_density` and `forecast`.

    The first is a function of a picture and the `Scanpath` so far, with the model's own settings by name; it returns
    the log density (H, W) of the next fixation. The second is a function of a picture and the settings; it returns a
    function of the path so far, which may give `Cells` and may remember what it has computed.
    """

    def give(model: F) -> F:
        model.conditional_log_density = density  # type: ignore[attr-defined]
        model.forecast = forecast  # type: ignore[attr-defined]
        return model

    return give


@cache
def first_density() -> Floats:
    """The probability of the first fixation in each cell (rows, columns)."""
    p = np.exp(load_learnt("saccadic_prior")["first"].astype(np.float64))
    return np.asarray(p / p.sum())


def landing_density(points: Floats) -> Floats:
    """Probabilities (n, rows, columns) of the next fixation by cell, for eyes at points (n, 2) in sides, 0 … 1.

    p(y | x) ∝ s(y − x) b(y): how eyes jump, times where they like to be.
    """
    held = load_learnt("saccadic_prior")
    jump, bias = np.exp(held["jump"].astype(np.float64)), np.exp(held["bias"].astype(np.float64))
    rows, columns = bias.shape
    column = np.minimum((points[:, 0] * columns).astype(np.intp), columns - 1)
    row = np.minimum((points[:, 1] * rows).astype(np.intp), rows - 1)
    down = np.arange(rows) - row[:, None] + rows - 1
    right = np.arange(columns) - column[:, None] + columns - 1
    p = jump[down[:, :, None], right[:, None, :]] * bias
    return np.asarray(p / p.sum(axis=(1, 2), keepdims=True))


def draw_points(p: Floats, rng: Rng) -> Floats:
    """Points (n, 2) in sides, one from each of n densities (n, rows, columns), anywhere in the cell."""
    rows, columns = p.shape[1:]
    sums = p.reshape(len(p), -1).cumsum(axis=1)
    level = rng.random((len(p), 1)) * sums[:, -1:]
    cell = np.minimum((sums <= level).sum(axis=1), rows * columns - 1)
    within = rng.random((len(p), 2))
    return np.asarray((np.stack([cell % columns, cell // columns], axis=1) + within) / [columns, rows])


def durations(size: int | tuple[int, ...], rng: Rng) -> Floats:
    """Fixation durations in ms: log-normal, as EyeCrowd's (median 204 ms)."""
    mean, spread = load_learnt("saccadic_prior")["duration"]
    return np.asarray(np.exp(rng.normal(float(mean), float(spread), size)))


def log_density(p: Floats, shape: tuple[int, int]) -> Floats:
    """Natural logarithms (H, W) of probabilities of cells, spread over a picture's pixels, that add up to 1."""
    fine = np.maximum(resized(np.asarray(p, np.float64), shape), np.finfo(float).tiny)
    return np.asarray(np.log(fine) - np.log(fine.sum()))


def cells(p: Floats, shape: tuple[int, int]) -> Cells | Density:
    """Probabilities of cells as they are, or, where the picture has fewer pixels than that, of its pixels."""
    if p.shape[0] <= shape[0] and p.shape[1] <= shape[1]:
        return Cells(np.log(np.maximum(p, np.finfo(float).tiny)))
    return Density(log_density(p, shape))


def onsets(lasts: NDArray[np.float64]) -> Floats:
    """When each fixation begins, ms, for durations (n, k): 30 ms are between two.

    >>> onsets(np.array([[200.0, 300.0, 100.0]])).tolist()
    [[0.0, 230.0, 560.0]]
    """
    return np.asarray(np.cumsum(lasts + SACCADE_MS, axis=1) - lasts - SACCADE_MS)
