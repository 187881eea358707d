"""One velocity per instant out of distributions, units, spikes and areas (R5 of the readouts).

`trace` takes the mean of all velocities, each as heavy as its probability or as the response of the unit that prefers
it; `trace_of_mode` takes the one with the most behind it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable
from beholder.motion.readouts.traces import trace, trace_of_all, trace_of_mode, trace_of_moving
from beholder.motion.types import Areas, Directions, Likelihood, Movie, Spikes, Spirals, Trace, Units

Floats = NDArray[np.float64]


def population(weights: Floats, velocities: Floats) -> Floats:
    """Σ w v / Σ w for each instant; NaN where nothing weighs anything. `weights` (T, n) of NaN weigh nothing.

    >>> population(np.array([[1.0, 3.0], [0.0, 0.0]]), np.array([[4.0, 0.0], [0.0, 8.0]]))
    array([[ 1.,  6.],
           [nan, nan]])
    """
    held = np.nan_to_num(weights)
    total = held.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.asarray((held @ velocities) / total)


def winner(weights: Floats, velocities: Floats) -> Floats:
    """The velocity with the most weight at each instant; the mean of those that share it; NaN where none has any.

    >>> winner(np.array([[1.0, 3.0], [2.0, 2.0]]), np.array([[4.0, 0.0], [0.0, 8.0]]))
    array([[0., 8.],
           [2., 4.]])
    """
    held = np.nan_to_num(weights)
    most = held.max(axis=1, keepdims=True, initial=0.0)
    return population((held == most) & (most > 0), velocities)


def rates(of: Spikes, movie: Movie) -> Units:
    """Spikes per second of each unit in the window that ends at each instant of the movie, that instant included.

    >>> of = Spikes([[0.001, 0.012]], np.zeros(1), np.ones(1), window=0.01, unit="deg/s")
    >>> movie = Movie(np.zeros((4, 2, 2), np.float32), 100.0, 8.0)
    >>> rates(of, movie).responses.ravel()  # the windows end at 5, 15 and 25 ms
    array([100., 100.,   0.])
    """
    ends = movie.seconds + 1e-9
    until, before = ([np.searchsorted(one, at) for one in of.times] for at in (ends, ends - of.window))
    counted = np.subtract(until, before).T
    return Units(np.asarray(counted / of.window), of.direction, of.speed, of.unit)


def trace_of_mt(answer: Any, stimulus: Movie) -> Trace:
    """The population velocity of area MT; not applicable to models that do not expose one."""
    return _trace_of_area("MT", answer, stimulus)


def trace_of_v1(answer: Any, stimulus: Movie) -> Trace:
    """The population velocity of area V1; not applicable to models that do not expose one."""
    return _trace_of_area("V1", answer, stimulus)


def _trace_of_area(name: str, answer: Any, stimulus: Movie) -> Trace:
    areas = answer.of if isinstance(answer, Areas) else {}
    if name not in areas:
        has = f"only {', '.join(areas)}" if areas else "no areas"
        raise NotApplicable(
            f"this model exposes {has}; its answer would have to be Areas(answer, {{{name!r}: Units(…)}})"
        )
    return trace(areas[name], stimulus)


def preferred(of: Units | Spikes) -> Floats:
    """The preferred velocities (n, 2): x to the right, y up."""
    angles = np.radians(of.direction)
    return np.asarray(of.speed[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1))


@trace.register
def _(answer: Likelihood, stimulus: Movie) -> Trace:
    pooled, held = _pooled(answer)
    return Trace(stimulus.seconds, population(pooled, answer.velocity), held)


@trace_of_mode.register
def _(answer: Likelihood, stimulus: Movie) -> Trace:
    pooled, held = _pooled(answer)
    return Trace(stimulus.seconds, winner(pooled, answer.velocity), held)


@trace.register
def _(answer: Units, stimulus: Movie) -> Trace:
    return Trace(stimulus.seconds, population(answer.responses, preferred(answer)), _mean_response(answer))


@trace_of_mode.register
def _(answer: Units, stimulus: Movie) -> Trace:
    return Trace(stimulus.seconds, winner(answer.responses, preferred(answer)), _mean_response(answer))


@trace.register
def _(answer: Spikes, stimulus: Movie) -> Trace:
    return trace(rates(answer, stimulus), stimulus)


@trace_of_mode.register
def _(answer: Spikes, stimulus: Movie) -> Trace:
    return trace_of_mode(rates(answer, stimulus), stimulus)


@trace.register
def _(answer: Directions, stimulus: Movie) -> Trace:
    angles, speed = np.radians(answer.direction), np.asarray(answer.speed)
    velocity = speed[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return Trace(answer.seconds, velocity, np.isfinite(velocity).all(axis=1).astype(float))


@trace.register
def _(answer: Spirals, stimulus: Movie) -> Trace:
    raise NotApplicable(
        "these units answer by rotation and expansion, which have no direction; read them by optic_flow"
    )


@trace.register
def _(answer: Areas, stimulus: Movie) -> Trace:
    return trace(answer.answer, stimulus)


@trace_of_all.register
def _(answer: Areas, stimulus: Movie) -> Trace:
    return trace_of_all(answer.answer, stimulus)


@trace_of_moving.register
def _(answer: Areas, stimulus: Movie) -> Trace:
    return trace_of_moving(answer.answer, stimulus)


@trace_of_mode.register
def _(answer: Areas, stimulus: Movie) -> Trace:
    return trace_of_mode(answer.answer, stimulus)


def _pooled(of: Likelihood) -> tuple[Floats, Floats]:
    """The probabilities of the whole frame, and the share of the pixels (or the frame) that has any."""
    values = np.nan_to_num(of.probability)
    local = values if values.ndim == 4 else values[..., None, None]
    held = local.any(axis=1).mean(axis=(1, 2))
    return local.sum(axis=(2, 3), dtype=np.float64), np.asarray(held, float)


def _mean_response(of: Units) -> Floats:
    return np.asarray(np.nan_to_num(of.responses).mean(axis=1))
