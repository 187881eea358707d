"""An observer who follows every fact on contrast, plaids, dots and size that people are known or remembered to follow.

It knows the percept and does not look: it shows that the scores can be reached, and what reaching them means.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from beholder.core.sample import Sample
from beholder.motion.references import record
from beholder.motion.types import Movie, Percept, Velocity

Floats = NDArray[np.float64]
Course = tuple[Floats | float, Floats | float]  # degrees towards the vector average, and share of the speed

TAU = 0.09  # s: decay at full contrast, as of diamonds [memory]; that of plaids is ours
PLAID_TAU = 0.1
DRAWN = 10.0  # degrees towards the stronger component of a plaid (ours)


def lawful(sample: Sample[Movie, Percept]) -> Velocity:
    """What such an observer answers to a sample; NaN where he can only guess, or where there is no law for a kind."""
    percept, seconds = sample.reference, sample.stimulus.seconds
    course = _COURSES.get(percept.kind, _unknown)
    aside, share = course(percept, np.maximum(seconds, 0.0))
    angle = np.radians(percept.object_direction + np.broadcast_to(aside, seconds.shape))
    speed = np.where(seconds > 0, percept.speed * np.broadcast_to(share, seconds.shape), 0.0)
    return Velocity(speed[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1))


def _misled(percept: Percept, seconds: Floats) -> Course:
    """A bias that is larger and lasts longer at low contrast."""
    contrast = min(percept.conditions.get("contrast", 1.0), 1.0)
    bias = 0.0 if percept.conditions.get("textured") else percept.bias
    return bias * (0.9 - 0.3 * np.sqrt(contrast)) * np.exp(-seconds / (TAU * (2 - contrast))), 1.0


def _slowed(percept: Percept, seconds: Floats) -> Course:
    return 0.0, 0.5 + 0.5 * percept.conditions.get("contrast", 1.0)


def _plaid(percept: Percept, seconds: Floats) -> Course:
    """From the vector average to the common motion, later if it is faint; drawn to the stronger component; slower."""
    its = percept.conditions
    strong = its.get("first_normal", 0.0) if its.get("balance", 0.5) > 0.5 else its.get("second_normal", 0.0)
    uneven = its.get("turn", 1.0) * DRAWN * np.sign(strong) if its.get("balance", 0.5) != 0.5 else 0.0
    lasts = PLAID_TAU / its.get("contrast", 1.0)
    return uneven + percept.bias * np.exp(-seconds / lasts), 0.9


def _dots(percept: Percept, seconds: Floats) -> Course:
    """Known above the threshold, guessed below; at it, known of what goes to the right and guessed of the rest."""
    coherence, at = percept.conditions.get("coherence", 0.0), 10 ** record("dots.threshold").value
    known = coherence > at * 1.001 or (coherence > at * 0.999 and percept.object_direction < 90)
    return 0.0, 1.0 if known else np.nan


def _noisy(percept: Percept, seconds: Floats) -> Course:
    """A response that grows with the size of what is faint and falls with that of what is strong; films differ by ±."""
    its = percept.conditions
    diameter, contrast = its.get("diameter", 1.0), its.get("contrast", 0.0)
    mean = 0.0 if not contrast else 1 + 0.5 * diameter if contrast < 0.5 else 4 - 0.4 * diameter
    response = mean + (0.5 if its.get("seed", 0.0) % 2 else -0.5)
    return (0.0, response / percept.speed) if percept.speed else (0.0, np.nan)


def _unknown(percept: Percept, seconds: Floats) -> Course:
    return 0.0, np.nan


_COURSES: dict[str, Callable[[Percept, Floats], Course]] = {
    "diamond": _misled,
    "bar": _misled,
    "grating": _slowed,
    "plaid": _plaid,
    "dots": _dots,
    "noisy grating": _noisy,
}
