"""What a model of motion may answer besides flow and velocities: distributions, units, spikes, directions, areas.

An answer of one of these types is made by the model; a plain array is always flow or velocities. Velocities and speeds
are in px/frame unless `unit` says "deg/s": `accepted` checks the answer against the movie and turns it into degrees
once. As everywhere, px/frame have y down, and deg/s have y up; preferred directions are in degrees, 0
right and 90 up, in both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from beholder.motion.types import Movie

Floats = NDArray[np.float64]

PIXELS, DEGREES = "px/frame", "deg/s"


@dataclass(frozen=True, eq=False)
class Likelihood:
    """How likely each of n velocities is at each instant: for the whole frame (T − 1, n), or at each of its pixels.

    `probability` need not be normalised; NaN: no estimate.
    """

    probability: NDArray[Any]  # (T − 1, n) or (T − 1, n, H, W)
    velocity: NDArray[Any]  # (n, 2): the table
    unit: str = PIXELS


@dataclass(frozen=True, eq=False)
class Units:
    """Responses of n units with a preferred direction and speed: a filter bank, or a population of V1 or MT.

    What two opponent units tell by one signed number is to be given as two responses, neither below 0; NaN: none.
    """

    responses: NDArray[Any]  # (T − 1, n)
    direction: NDArray[Any]  # (n,), degrees, 0 right, 90 up
    speed: NDArray[Any]  # (n,)
    unit: str = PIXELS


@dataclass(frozen=True, eq=False)
class Spikes:
    """When each unit fired, in seconds from the onset of motion, and over how long a window its rate is taken."""

    times: Sequence[ArrayLike]  # one array a unit
    direction: NDArray[Any]  # (n,), degrees
    speed: NDArray[Any]  # (n,)
    window: float  # s: the rate at an instant is that of the window that ends with it
    unit: str = PIXELS


@dataclass(frozen=True, eq=False)
class Directions:
    """Directions at instants of the model's own clock; without speeds, as fast as one px/frame. NaN: none."""

    seconds: NDArray[Any]  # (m,), from the onset of motion, increasing
    direction: NDArray[Any]  # (m,), degrees, 0 right, 90 up
    speed: NDArray[Any] | None = None  # (m,)
    unit: str = PIXELS


@dataclass(frozen=True, eq=False)
class Spirals:
    """Responses of n units that prefer a spiral about the centre, as in area MST: expansion, rotation, or between.

    The preferred angle in spiral space is 0 for expansion, 90 for rotation counter-clockwise, 180 for contraction and
    270 for rotation clockwise; the preferred rate is what it takes, in 1/s (for rotation: rad/s).
    """

    responses: NDArray[Any]  # (T − 1, n)
    angle: NDArray[Any]  # (n,), degrees
    rate: NDArray[Any]  # (n,), 1/s


@dataclass(frozen=True, eq=False)
class Areas:
    """The answer proper, which is scored, and what some areas ("V1", "MT" …) do meanwhile, each an answer by itself."""

    answer: Any
    of: Mapping[str, Any]


KINDS = (Likelihood, Units, Spikes, Directions, Spirals, Areas)


@singledispatch
def accepted(answer: Any, movie: Movie) -> Any:
    """An answer of one of these types, checked against the movie and in deg/s; the same if it is already."""
    raise TypeError(f"got an answer of {type(answer).__name__}; expected one of {', '.join(k.__name__ for k in KINDS)}")


@accepted.register(Likelihood)
def _(answer: Likelihood, movie: Movie) -> Likelihood:
    table = _numbers(answer.velocity, "velocities of a Likelihood")
    if table.ndim != 2 or table.shape[1:] != (2,) or not len(table):
        raise ValueError(f"got a Likelihood over velocities of shape {table.shape}; expected (n, 2)")
    pairs, frame = len(movie.frames) - 1, movie.frames.shape[1:]
    whole, local = (pairs, len(table)), (pairs, len(table), *frame)
    shape = np.shape(answer.probability)
    if shape not in (whole, local):
        raise ValueError(f"got a Likelihood of shape {shape}; expected {whole}, or {local} for one at each pixel")
    values = _weights(answer.probability, "probabilities of a Likelihood")
    scale = _scale(answer.unit, movie)
    return replace(answer, probability=values, velocity=table * scale * _upright(answer.unit), unit=DEGREES)


@accepted.register(Units)
def _(answer: Units, movie: Movie) -> Units:
    direction, speed = _preferences(answer, movie)
    responses = _responses(answer, len(direction), movie)
    return replace(answer, responses=responses, direction=direction, speed=speed, unit=DEGREES)


@accepted.register(Spikes)
def _(answer: Spikes, movie: Movie) -> Spikes:
    direction, speed = _preferences(answer, movie)
    if len(answer.times) != len(direction):
        raise ValueError(f"got spikes of {len(answer.times)} units; expected those of {len(direction)}, one array each")
    if not (np.isfinite(answer.window) and answer.window > 0):
        raise ValueError(f"got Spikes with window={answer.window}; expected seconds above 0, to take a rate over")
    times = tuple(np.sort(_numbers(of, "spike times").ravel()) for of in answer.times)
    return replace(answer, times=times, direction=direction, speed=speed, unit=DEGREES)


@accepted.register(Directions)
def _(answer: Directions, movie: Movie) -> Directions:
    seconds = _numbers(answer.seconds, "times of Directions").ravel()
    if (np.diff(seconds) <= 0).any():
        raise ValueError(
            "got Directions whose times do not increase; expected seconds from the onset of motion, sorted"
        )
    given = np.ones(len(seconds)) if answer.speed is None else answer.speed
    unit = PIXELS if answer.speed is None else answer.unit
    direction, speed = (_real(part, "Directions") for part in (answer.direction, given))
    for part, name in ((direction, "directions"), (speed, "speeds")):
        if part.shape != seconds.shape:
            raise ValueError(f"got {name} of shape {part.shape}; expected {seconds.shape}, one for each of the times")
    if (speed < 0).any():
        raise ValueError("got Directions with a speed below 0; expected 0 or more, and the direction turned round")
    return replace(answer, seconds=seconds, direction=direction, speed=speed * _scale(unit, movie), unit=DEGREES)


@accepted.register(Spirals)
def _(answer: Spirals, movie: Movie) -> Spirals:
    angle, rate = _numbers(answer.angle, "angles of Spirals"), _numbers(answer.rate, "rates of Spirals")
    if angle.ndim != 1 or angle.shape != rate.shape or (rate < 0).any():
        raise ValueError(
            f"got Spirals with angles of shape {angle.shape} and rates of shape {rate.shape}; "
            "expected one of each for a unit, rates 0 or more"
        )
    return replace(answer, responses=_responses(answer, len(angle), movie), angle=angle, rate=rate)


def _preferences(of: Units | Spikes, movie: Movie) -> tuple[Floats, Floats]:
    """The preferred directions, and the preferred speeds in deg/s."""
    kind = type(of).__name__
    direction, speed = _numbers(of.direction, f"directions of {kind}"), _numbers(of.speed, f"speeds of {kind}")
    if direction.ndim != 1 or direction.shape != speed.shape or not direction.size:
        raise ValueError(
            f"got {kind} with directions of shape {direction.shape} and speeds of shape {speed.shape}; "
            "expected one of each for a unit"
        )
    if (speed < 0).any():
        raise ValueError(
            f"got {kind} with a preferred speed below 0; expected 0 or more, and the direction turned round"
        )
    return direction, speed * _scale(of.unit, movie)


def _responses(of: Units | Spirals, units: int, movie: Movie) -> Floats:
    expected, kind = (len(movie.frames) - 1, units), type(of).__name__
    if np.shape(of.responses) != expected:
        raise ValueError(
            f"got responses of {kind} of shape {np.shape(of.responses)}; "
            f"expected {expected}, one of each unit for each pair of frames"
        )
    return _weights(of.responses, f"responses of {kind}")


def _scale(unit: str, movie: Movie) -> float:
    """What turns a speed of this unit into deg/s."""
    if unit not in (PIXELS, DEGREES):
        raise ValueError(f"got the unit {unit!r}; expected {PIXELS!r} or {DEGREES!r}")
    return movie.hertz / movie.px_per_deg if unit == PIXELS else 1.0


def _upright(unit: str) -> Floats:
    """What turns velocities of a unit so that y is up."""
    return np.array([1.0, -1.0 if unit == PIXELS else 1.0])


def _real(values: ArrayLike, of: str) -> Floats:
    found = np.asarray(values)
    if found.dtype.kind not in "fiu":
        raise ValueError(f"got {of} of {found.dtype}; expected real numbers")
    return found.astype(np.float64)


def _numbers(values: ArrayLike, of: str) -> Floats:
    found = _real(values, of)
    if not np.isfinite(found).all():
        raise ValueError(f"got {of} that are not finite; expected numbers")
    return found


def _weights(values: ArrayLike, of: str) -> Floats:
    """Numbers of 0 or more, as they are; NaN where there are none."""
    found = np.asarray(values)
    if found.dtype.kind not in "fiu":
        raise ValueError(f"got {of} of {found.dtype}; expected real numbers")
    if (found < 0).any() or np.isinf(found).any():
        raise ValueError(f"got {of} below 0 or infinite; expected 0 or more; give opponent units two responses")
    return np.asarray(found, np.float64 if found.ndim == 2 else np.float32)
