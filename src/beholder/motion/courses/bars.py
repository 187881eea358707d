"""What the checks on bars read: an error that comes and goes, its peak, how long it lasts, and how both change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from beholder.core.measure import NotApplicable
from beholder.motion.courses.fit import fit
from beholder.motion.courses.series import Seen, series
from beholder.motion.references import Record
from beholder.motion.types import SOME

SETTLED = 0.9  # of the way from the peak to the end: then the response has evolved; a choice of ours


class Passing(NamedTuple):
    """An error that comes and goes: its peak in degrees, and the seconds from it until half of that is left.

    Both are 0 where there is no error to speak of, and NaN where there is one that does not pass.
    """

    peak: float
    half_life: float


NONE, STAYS = Passing(0.0, 0.0), Passing(np.nan, np.nan)


def passing(one: Seen) -> Passing:
    """The error towards the normal as far as it is one of a course in time.

    It passes where the course speaks for a decay (see `fit`: by its size, by the noise of the residuals, by the BIC)
    from a mean of the first 50 ms above 2°. Without a decay there is no error to speak of where the mean over all
    instants is within 2°, and else one that stays.
    """
    if one.first > SOME and decays(one):
        return Passing(peak(one), half_life(one))
    return NONE if abs(one.mean(one.onset, np.inf)) <= SOME else STAYS


def decays(one: Seen) -> bool:
    """Whether the course of an error speaks for a decay, and not for a constant with noise."""
    try:
        return fit(one.trace.seconds, one.error).status != "none"
    except NotApplicable:
        return False


def peak(one: Seen) -> float:
    """The largest error towards the normal; NaN where there is no direction."""
    error = one.error[np.isfinite(one.error)]
    return float(error.max()) if error.size else np.nan


def half_life(one: Seen) -> float:
    """When the error falls below half of its peak, in seconds after that; NaN where it never does.

    NaN where there is no direction, too, and 0 where there is no error to speak of: a peak below 2°.
    """
    return _falls(one, 0.5 * peak(one))


def evolves(one: Seen, its: Passing, span: Record) -> bool:
    """Whether an error passes, and takes as long for it as that of monkeys does."""
    end = one.mean(one.trace.seconds.max(initial=0) - 0.1, np.inf)
    top = peak(one)
    lasts = _falls(one, top - SETTLED * (top - end))
    return bool(its.peak > 0 and top - end > SOME and span.low <= lasts <= span.high)


def _falls(one: Seen, level: float) -> float:
    """How long after its peak the error first is at a level or below; NaN where it never is, or has no direction.

    Never is not late: else an error that stays as it is would count as one that lasts longest.
    """
    error, top = one.error, peak(one)
    if np.isnan(top) or top < SOME:
        return np.nan if np.isnan(top) else 0.0
    top = int(np.nanargmax(error))
    below = np.flatnonzero(error[top:] <= level)
    return float(one.trace.seconds[top + below[0]] - one.trace.seconds[top]) if below.size else np.nan


def slope(those: Sequence[Seen], name: str, of: Callable[[Seen], float]) -> float:
    """How much a quantity changes from one level of a condition to its double: least squares over log₂ of the levels.

    NaN for a single level, and where the quantity is undefined at one of them.

    >>> from beholder.motion.types import Percept, Trace
    >>> still = Trace(np.zeros(1), np.zeros((1, 2)), np.ones(1))
    >>> bars = [Seen(still, Percept("bar", 0.0, 16.0, conditions={"length": length})) for length in (5.0, 10.0, 20.0)]
    >>> round(slope(bars, "length", lambda one: 7 * np.log2(one.condition("length"))), 6)
    7.0
    """
    levels, values = series(those, name, of)
    if len(levels) < 2 or not np.isfinite(values).all():
        return np.nan
    return float(np.polyfit(np.log2(levels), values, 1)[0])


def initial(one: Seen) -> float:
    """The mean error of the first 50 ms of the response, in degrees towards the normal."""
    return one.first


def of_one_speed(those: Sequence[Seen]) -> list[Seen]:
    """The bars of that speed which most of them have; of equals the fastest."""
    speeds = [one.percept.speed for one in those]
    common = max(speeds, key=lambda at: (speeds.count(at), at))
    return [one for one in those if one.percept.speed == common]


def of_longest(those: Sequence[Seen]) -> list[Seen]:
    """The bars of that length which most numbers of tiles share, the longest of them."""
    tiles: dict[float, set[float]] = {}
    for one in those:
        tiles.setdefault(one.condition("length"), set()).add(one.condition("tiles"))
    length = max(tiles, key=lambda at: (len(tiles[at]), at))
    return [one for one in those if one.condition("length") == length]
