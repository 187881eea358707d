"""An observer who follows every fact on direction, contrast, plaids, dots and size that people are known to follow.

Some facts are remembered only. It knows the percept and does not look: it shows that the scores can be reached, and
what reaching them means.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from beholder.core.sample import Sample
from beholder.motion.courses.fit import PARAMETERS
from beholder.motion.references import record
from beholder.motion.types import SOME, Movie, Percept, Velocity

Floats = NDArray[np.float64]
Course = tuple[Floats | float, Floats | float]  # degrees towards the vector average, and share of the speed

# All numbers below are ours: they serve facts that are ordinal or give a range.
FURTHER = 0.15  # of a bias: how much further faint figures mislead
LONGEST, LASTS = 20.0, 0.12  # deg, s: the bar whose peak is known, and the decay of its error
PLAID_TAU = 0.1
DRAWN = 10.0  # degrees towards the stronger component of a plaid
CENTRE, SURROUND = 2.2, 20.0  # deg: how far a grating is summed at first, and from where on its size holds it down
WIDENS, HELD_DOWN = 0.1, 1.2  # s in which the centre doubles; the surround's share by then
LATE = 0.02, 0.1  # s: from and until when the surround is built up
LAG = 0.0035  # s: when a pole's direction leaves the normal; 5° off it are reached within 10 to 30 ms
THEN, ABOVE = 0.155, 1.05  # s: the middle of the window of Masson et al. (2000); there φ is so many times the lower end


def lawful(sample: Sample[Movie, Percept], *, reference: str = "") -> Velocity:
    """What such an observer answers to a sample; NaN where he can only guess, or where there is no law for a kind."""
    percept, seconds = sample.reference, sample.stimulus.seconds
    course = _COURSES.get(percept.kind, _unknown)
    aside, share = course(percept, np.maximum(seconds, 0.0), reference)
    angle = np.radians(percept.object_direction + np.broadcast_to(aside, seconds.shape))
    speed = np.where(seconds > 0, percept.speed * np.broadcast_to(share, seconds.shape), 0.0)
    return Velocity(speed[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1))


def _diamond(percept: Percept, seconds: Floats, reference: str) -> Course:
    """The decay of the mean person, α exp(−t/τ) + β; of what is faint it begins further off and lasts longer."""
    alpha, beta, tau = (record(f"diamond.{name}", reference).value for name in PARAMETERS)
    if abs(percept.bias) <= SOME or percept.conditions.get("textured"):
        return 0.0, 1.0
    further, longer = _faint(percept)
    return np.sign(percept.bias) * (further * alpha * np.exp(-seconds / (longer * tau)) + beta), 1.0


def _bar(percept: Percept, seconds: Floats, reference: str) -> Course:
    """An error whose peak and duration grow with the length of what is in one piece: 30° at 20°."""
    its = percept.conditions
    tiles = its.get("tiles", 1.0)
    piece = max(its.get("length", LONGEST) - (tiles - 1) * its.get("gap", 0.0), 0.0) / tiles / LONGEST
    further, longer = _faint(percept)
    peak = further * record("bar.peak", reference).value * piece**0.35
    towards = np.sign(percept.bias) if abs(percept.bias) > SOME else 0.0
    return towards * peak * np.exp(-seconds / (longer * LASTS * piece**0.7)), 1.0


def _faint(percept: Percept) -> tuple[float, float]:
    """How many times further and for how many times longer a figure misleads than at full contrast."""
    contrast = min(percept.conditions.get("contrast", 1.0), 1.0)
    return 1 + FURTHER * (1 - contrast**0.5), 2 - contrast


def _pole(percept: Percept, seconds: Floats, reference: str) -> Course:
    """From the normal of the stripes to the long axis, later than the sum of all line ends."""
    angle = abs(percept.bias)
    if angle <= SOME:
        return 0.0, 1.0
    ends = percept.conditions.get("terminators", angle / 2)
    tau = (THEN - LAG) / np.log(angle / (ABOVE * ends))
    return percept.bias * np.exp(-np.maximum(seconds - LAG, 0) / tau), 1.0


def _grating(percept: Percept, seconds: Floats, reference: str) -> Course:
    """Slower where it is faint; summed over a disc that widens in time, wider if faint; then held down by size."""
    diameter, contrast = percept.conditions.get("diameter", 20.0), percept.conditions.get("contrast", 1.0)
    width = CENTRE * (1 + np.minimum(seconds, WIDENS) / WIDENS) * (2 - contrast**0.5)
    held = HELD_DOWN * np.clip((seconds - LATE[0]) / (LATE[1] - LATE[0]), 0, 1)
    summed = _within(diameter / width) / (1 + held * _within(diameter / SURROUND))
    return 0.0, (0.5 + 0.5 * contrast) * summed


def _within(ratio: Floats | float) -> Floats | float:
    """The share of a Gaussian that lies in a disc."""
    return 1 - np.exp(-np.square(ratio))


def _plaid(percept: Percept, seconds: Floats, reference: str) -> Course:
    """From the vector average to the common motion, later if it is faint; drawn to the stronger component; slower."""
    its = percept.conditions
    strong = its.get("first_normal", 0.0) if its.get("balance", 0.5) > 0.5 else its.get("second_normal", 0.0)
    uneven = its.get("turn", 1.0) * DRAWN * np.sign(strong) if its.get("balance", 0.5) != 0.5 else 0.0
    lasts = PLAID_TAU / its.get("contrast", 1.0)
    return uneven + percept.bias * np.exp(-seconds / lasts), 0.9


def _dots(percept: Percept, seconds: Floats, reference: str) -> Course:
    """Known above the threshold, guessed below; at it, known of what goes to the right and guessed of the rest."""
    coherence, at = percept.conditions.get("coherence", 0.0), 10 ** record("dots.threshold", reference).value
    known = coherence > at * 1.001 or (coherence > at * 0.999 and percept.object_direction < 90)
    return 0.0, 1.0 if known else np.nan


def _noisy(percept: Percept, seconds: Floats, reference: str) -> Course:
    """A response that grows with the size of what is faint and falls with that of what is strong; films differ by ±."""
    its = percept.conditions
    diameter, contrast = its.get("diameter", 1.0), its.get("contrast", 0.0)
    mean = 0.0 if not contrast else 1 + 0.5 * diameter if contrast < 0.5 else 4 - 0.4 * diameter
    response = mean + (0.5 if its.get("seed", 0.0) % 2 else -0.5)
    return (0.0, response / percept.speed) if percept.speed else (0.0, np.nan)


def _unknown(percept: Percept, seconds: Floats, reference: str) -> Course:
    return 0.0, np.nan


_COURSES: dict[str, Callable[[Percept, Floats, str], Course]] = {
    "diamond": _diamond,
    "bar": _bar,
    "grating": _grating,
    "barber": _pole,
    "plaid": _plaid,
    "dots": _dots,
    "noisy grating": _noisy,
}
