"""What a motion model sees and answers, what is read out of its answer, and what people make of the same movie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.motion.answers import KINDS, Areas, Directions, Likelihood, Spikes, Spirals, Units, accepted

__all__ = [
    "Answer",
    "Areas",
    "Directions",
    "Flow",
    "Likelihood",
    "Movie",
    "Percept",
    "Spikes",
    "Spirals",
    "Trace",
    "Units",
    "Velocity",
    "average_motion",
    "motion",
    "true_motion",
    "unit",
]

Floats = NDArray[np.float64]
SOME = 2.0  # degrees: smaller differences are not told from none (spec 5.4)


@dataclass(frozen=True, eq=False)
class Movie:
    """Frames of linear luminance. Frame k shows the scene at (k − onset) / hertz seconds; motion begins at `onset`."""

    frames: NDArray[np.float32]  # (T, H, W), cd/m²
    hertz: float
    px_per_deg: float
    onset: int = 0  # frames before it are a still preview

    @property
    def seconds(self) -> Floats:
        """The time of each pair of frames, midway between them, from the onset of motion."""
        return np.asarray((np.arange(len(self.frames) - 1) + 0.5 - self.onset) / self.hertz)


@dataclass(frozen=True, eq=False)
class Flow:
    """A velocity for each pixel and pair of frames, in deg/s: x to the right, y up. NaN: none."""

    velocity: NDArray[np.float32]  # (T − 1, H, W, 2)


@dataclass(frozen=True, eq=False)
class Velocity:
    """One velocity for each pair of frames, in deg/s: x to the right, y up. NaN: none."""

    velocity: Floats  # (T − 1, 2)


Answer = Flow | Velocity | Likelihood | Units | Spikes | Directions | Spirals | Areas


@dataclass(frozen=True, eq=False)
class Trace:
    """What an eye or an observer would do over time: one velocity and its strength for each instant."""

    seconds: Floats  # (n,), from the onset of motion
    velocity: Floats  # (n, 2), deg/s: x to the right, y up; NaN: no direction
    strength: Floats  # (n,), how much stands behind it; 0 where there is none

    @property
    def direction(self) -> Floats:
        """Degrees, 0 right, 90 up; NaN where there is no velocity."""
        x, y = self.velocity.T
        still = ~(np.hypot(x, y) > 0)
        return np.where(still, np.nan, np.degrees(np.arctan2(y, x)))


@dataclass(frozen=True)
class Percept:
    """What a movie shows and how people see it in the end: the reference of a dataset's sample.

    Directions are mathematical, in degrees: 0 right, 90 up. `object_direction` is what people report or pursue when
    they have settled: the motion of the object or, behind an elongated aperture, its long axis. `normal_direction` is
    that of the edges or stripes, where they have one; `vector_average` is that of the mean of all edges' normal
    velocities, whose length is `average_speed`.
    """

    kind: str  # diamond, bar, grating, barber, plaid, dots
    object_direction: float
    speed: float  # deg/s, along object_direction
    normal_direction: float = np.nan
    vector_average: float = np.nan
    average_speed: float = np.nan
    conditions: Mapping[str, float] = field(default_factory=dict)  # the settings of the scene, in degrees, s, cd/m²
    status: str = ""  # the worst of what is claimed of people here

    @property
    def bias(self) -> float:
        """The angle from the object's direction to the vector average, −180 … 180, positive counter-clockwise.

        >>> Percept("bar", object_direction=350.0, speed=16.0, vector_average=35.0).bias
        45.0
        """
        return float(180 - (180 - self.vector_average + self.object_direction) % 360)

    @property
    def control(self) -> str:
        """What makes this a control of its class; nothing where it is one of the stimuli of Tlapale et al. (2012).

        Bars, diamonds and barber poles whose edges do not mislead, by 2° or less, as in a pole that is as broad as
        long: there the normal is what people see. Texture; a contrast below 1; teeth, a mask or soft sides. The
        paper describes its classes without any of these.

        >>> Percept("diamond", 0.0, 10.0, vector_average=44.0, conditions={"textured": 1.0, "contrast": 0.1}).control
        'textured, of low contrast'
        """
        its = self.conditions
        found = {
            "its edges do not mislead": self.kind in ("bar", "diamond", "barber") and abs(self.bias) <= SOME,
            "textured": its.get("textured") == 1,
            "of low contrast": its.get("contrast", 1.0) < 1,
            "with teeth": its.get("indent", 0.0) > 0,
            "masked": its.get("masked", 0.0) > 0,
            "with soft sides": its.get("soft", 0.0) > 0,
        }
        return ", ".join(why for why, holds in found.items() if holds)


def true_motion(percept: Percept, movie: Movie) -> Velocity:
    """The velocity of the object in each pair of frames; 0 before the onset of motion.

    >>> up = Percept("bar", object_direction=90.0, speed=16.0)
    >>> true_motion(up, Movie(np.zeros((3, 2, 2), np.float32), 100.0, 8.0, onset=1)).velocity
    array([[ 0.,  0.],
           [ 0., 16.]])
    """
    return _uniform(percept.object_direction, percept.speed, movie)


def average_motion(percept: Percept, movie: Movie) -> Velocity:
    """The mean of the edges' normal velocities in each pair of frames: what a blind sum of local motion would see."""
    return _uniform(percept.vector_average, percept.average_speed, movie)


def unit(degrees: float) -> tuple[float, float]:
    """The vector (x, y) of length 1 in a direction; exact, without rounding, along the axes and the diagonals.

    >>> unit(90), unit(180), unit(-45)
    ((0.0, 1.0), (-1.0, 0.0), (0.7071067811865476, -0.7071067811865476))
    """
    if not np.isfinite(degrees):
        raise ValueError(f"got the direction {degrees}; expected degrees")
    turns, rest = divmod(float(degrees) % 360, 90)
    # One table of values for both halves of a quadrant: a mirrored scene must be the mirror image to the last bit.
    across = 90 - rest if rest > 45 else rest
    long, short = np.cos(np.radians(across)), np.sin(np.radians(across))
    if across == 45:
        long = short = np.sqrt(0.5)
    x, y = (short, long) if rest > 45 else (long, short)
    x, y = ((x, y), (-y, x), (-x, -y), (y, -x))[int(turns) % 4]
    return float(x) + 0.0, float(y) + 0.0  # no −0


def _uniform(direction: float, speed: float, movie: Movie) -> Velocity:
    velocity = speed * np.asarray(unit(direction)) if np.isfinite(direction) else np.full(2, np.nan)
    return Velocity(np.where(movie.seconds[:, None] > 0, velocity, 0.0))


def motion(raw: Any, movie: Movie) -> Answer:
    """A model's answer, accepted: image flow (u right, v down, px/frame) becomes deg/s, once, here.

    An array of shape (T − 1, H, W, 2) is a `Flow`, one of shape (T − 1, 2) a `Velocity`; both may hold NaN where there
    is no estimate. `Flow` and `Velocity` themselves, in deg/s, are taken as they are. Anything else is to be said by a
    type of `beholder.motion.answers`: a dict or a tuple is not guessed at.
    """
    if isinstance(raw, Areas):
        return Areas(motion(raw.answer, movie), _by_area(raw, movie))
    if isinstance(raw, KINDS):
        accepted_answer: Answer = accepted(raw, movie)
        return accepted_answer
    if isinstance(raw, (Flow, Velocity)):
        _fits(np.shape(raw.velocity), movie)
        return raw
    return _of_array(raw, movie)


def _of_array(raw: Any, movie: Movie) -> Flow | Velocity:
    kinds = f"Flow, Velocity, {', '.join(kind.__name__ for kind in KINDS)}"
    if isinstance(raw, dict) or not (isinstance(raw, np.ndarray) or hasattr(raw, "__array__") or np.iterable(raw)):
        raise ValueError(
            f"got an answer of {type(raw).__name__}; expected an array of flow in px/frame, or one of {kinds}"
        )
    try:
        values = np.asarray(raw)
    except ValueError:
        raise ValueError(
            f"got an answer of unlike parts; expected an array of flow in px/frame, or one of {kinds}"
        ) from None
    if values.dtype.kind not in "fiu":
        raise ValueError(f"got an answer of {values.dtype}; expected real numbers: flow in px/frame, or one of {kinds}")
    _fits(values.shape, movie)
    scaled = values.astype(np.float64) * (movie.hertz / movie.px_per_deg) * (1, -1)
    scaled[~np.isfinite(scaled)] = np.nan
    return Flow(scaled.astype(np.float32)) if scaled.ndim == 4 else Velocity(scaled)


def _fits(shape: tuple[int, ...], movie: Movie) -> None:
    pairs, (height, width) = len(movie.frames) - 1, movie.frames.shape[1:]
    dense, sparse = (pairs, height, width, 2), (pairs, 2)
    if shape not in (dense, sparse):
        raise ValueError(
            f"got an answer of shape {shape}; expected {dense}, the flow between {pairs + 1} frames, "
            f"or {sparse}, one velocity per pair"
        )


def _by_area(raw: Areas, movie: Movie) -> dict[str, Answer]:
    """The answers of the areas, accepted; a fault says of which area."""
    if not isinstance(raw.of, Mapping):
        raise ValueError(f"got Areas of {type(raw.of).__name__}; expected a mapping from names such as 'MT' to answers")
    found: dict[str, Answer] = {}
    for name, answer in raw.of.items():
        if isinstance(answer, Areas):
            raise ValueError(f"area {name}: got Areas within Areas; expected an answer such as Units")
        try:
            found[name] = motion(answer, movie)
        except ValueError as fault:
            raise ValueError(f"area {name}: {fault}") from None
    return found
