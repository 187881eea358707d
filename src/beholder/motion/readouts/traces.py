"""One velocity per instant: the mean of a flow field, by whatever its pixels are weighed with.

Velocities are averaged, never angles. The score is taken on `trace`, whose weights are the light of the stimulus; the
others (`trace_of_all`, `trace_of_moving`, `trace_of_mode`) show how much hangs on that choice.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.motion.readouts.courses import wrapped
from beholder.motion.types import Flow, Movie, Trace, Velocity

Floats = NDArray[np.float64]
Weights = Callable[[Floats, Floats], Floats]  # (velocities of the pixels, their light) → their weights

MOVING = 0.1  # of the fast pixels' speed, their 99th percentile: slower ones do not move (spec 4)
KERNEL = 10.0  # degrees: width of the circular kernel of the modal direction, a choice of ours
BINS = 360  # of the histogram of directions


@singledispatch
def trace(answer: Any, stimulus: Movie) -> Trace:
    """The mean velocity of each instant, weighted by the stimulus' support: its distance from the background.

    w = max(|I_k − I_0|, |I_k+1 − I_0|), where I_0 is the median luminance of the frame's border. `strength` is the
    share of the support that has an estimate; where it is 0 there is no velocity. Answers of other types join by
    `trace.register`.

    Deviation: gratings are weighted by their contrast in the two frames, not by their aperture, which a movie does
    not tell.
    """
    raise TypeError(
        f"got an answer of {type(answer).__name__}; expected one of those of `beholder.motion.types`; "
        "register a readout of this type"
    )


@singledispatch
def trace_of_all(answer: Any, stimulus: Movie) -> Trace:
    """The mean velocity of all pixels that have one, whatever they show."""
    return trace(answer, stimulus)


@singledispatch
def trace_of_moving(answer: Any, stimulus: Movie) -> Trace:
    """The mean velocity of the pixels that move: faster than a tenth of the 99th percentile of speeds."""
    return trace(answer, stimulus)


@singledispatch
def trace_of_mode(answer: Any, stimulus: Movie) -> Trace:
    """The winner takes all: the direction most moved in, by speed, smoothed with a circular kernel of 10 degrees.

    Its speed is the mean of the pixels within that kernel's width.
    """
    return trace(answer, stimulus)


def sketch(answer: Any, stimulus: Movie) -> Velocity:
    """The velocities of the trace as an answer: one whose trace, and so its picture, is the same."""
    return Velocity(trace(answer, stimulus).velocity)


@trace.register
def _(answer: Flow, stimulus: Movie) -> Trace:
    return _averaged(answer, stimulus, _by_light)


@trace_of_all.register
def _(answer: Flow, stimulus: Movie) -> Trace:
    return _averaged(answer, stimulus, _by_nothing)


@trace_of_moving.register
def _(answer: Flow, stimulus: Movie) -> Trace:
    return _averaged(answer, stimulus, _by_speed)


@trace_of_mode.register
def _(answer: Flow, stimulus: Movie) -> Trace:
    return _averaged(answer, stimulus, _by_mode)


@trace.register
def _(answer: Velocity, stimulus: Movie) -> Trace:
    held = np.asarray(np.isfinite(answer.velocity).all(axis=1))
    velocity = np.where(held[:, None], answer.velocity, np.nan)
    return Trace(stimulus.seconds, velocity, held.astype(float))


def support(stimulus: Movie) -> Floats:
    """How far each pixel of each pair of frames is from the background, in cd/m²; (T − 1, H, W).

    >>> frames = np.zeros((2, 3, 3), np.float32)
    >>> frames[0, 1, 1] = 5
    >>> support(Movie(frames, 100.0, 8.0)).max(axis=0).astype(int).tolist()
    [[0, 0, 0], [0, 5, 0], [0, 0, 0]]
    """
    frames = stimulus.frames
    border = np.concatenate([frames[:, [0, -1], :].ravel(), frames[:, :, [0, -1]].ravel()])
    apart = np.abs(frames - np.median(border))
    return np.asarray(np.maximum(apart[:-1], apart[1:]), np.float64)


def _averaged(answer: Flow, stimulus: Movie, weigh: Weights) -> Trace:
    """Weighted mean velocities, pair by pair: a flow of many frames is large."""
    pairs = [_mean(flow, light, weigh) for flow, light in zip(answer.velocity, support(stimulus), strict=True)]
    means = np.array([mean for mean, _ in pairs]).reshape(-1, 2)
    return Trace(stimulus.seconds, means, np.array([strength for _, strength in pairs]))


def _mean(flow: NDArray[np.float32], light: Floats, weigh: Weights) -> tuple[Floats, float]:
    held = np.isfinite(flow[..., 0]) & np.isfinite(flow[..., 1])
    whole = bool(held.all())  # of most models: nothing is to be picked out then, which takes longer than to average
    velocity = (flow.reshape(-1, 2) if whole else flow[held]).astype(np.float64)
    weights = weigh(velocity, light.reshape(-1) if whole else light[held])
    total = weights.sum()
    if total <= 0:
        return np.full(2, np.nan), 0.0
    return np.asarray(weights @ velocity / total), 1.0 if whole else _share(held, light)


def _share(held: NDArray[np.bool_], light: Floats) -> float:
    """How much of the support has an estimate; of all pixels where the frame is empty."""
    return float(light[held].sum() / light.sum()) if light.any() else float(held.mean())


def _by_light(velocity: Floats, light: Floats) -> Floats:
    return light


def _by_nothing(velocity: Floats, light: Floats) -> Floats:
    return np.ones(len(velocity))


def _by_speed(velocity: Floats, light: Floats) -> Floats:
    speed = np.hypot(*velocity.T)
    fast = np.percentile(speed, 99) if speed.size else 0.0
    return np.asarray(speed > MOVING * fast, float)


def _by_mode(velocity: Floats, light: Floats) -> Floats:
    """1 within the kernel's width of the direction that is moved in most."""
    speed = np.hypot(*velocity.T)
    if not speed.any():
        return np.zeros(len(speed))
    directions = np.degrees(np.arctan2(velocity[:, 1], velocity[:, 0])) % 360
    centres = (np.arange(BINS) + 0.5) * 360 / BINS
    tally, _ = np.histogram(directions, BINS, (0, 360), weights=speed)
    kernel = np.exp(-0.5 * (wrapped(centres - centres[0]) / KERNEL) ** 2)
    smooth = np.fft.irfft(np.fft.rfft(tally) * np.fft.rfft(kernel), BINS)
    near = np.abs(wrapped(directions - centres[smooth.argmax()])) <= KERNEL
    return np.asarray(near & (speed > 0), float)
