"""What contrast does to motion: how far it is misled, for how long, and how fast it looks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from beholder.core.measure import Result, measure
from beholder.motion.courses.decays import time_constant
from beholder.motion.courses.series import (
    Floats,
    Seen,
    card_of_checks,
    grows,
    mean,
    other_than,
    series,
    share_passed,
    tilted,
)
from beholder.motion.readouts import trace
from beholder.motion.types import SOME, Percept, Trace

SLOWER = 0.05  # of a speed: smaller differences are none; a choice of ours
KINDS = ("diamond", "bar", "grating")
FACTS = {"bias": "diamond.contrast", "lasts": "diamond.contrast", "bars": "lines.normal", "slower": "speed.slower"}


@measure(cite="Wallace2005,Thompson1982,Wilson1927", reads=trace, excludes=other_than(*KINDS), **card_of_checks(FACTS))
def contrast_facts(
    found: Sequence[Trace], percepts: Sequence[Percept], *, remembered: bool = True, reference: str = ""
) -> Result:
    """The share of facts on contrast that hold: #{passed} / #{testable}; ε > 0 is towards the vector average.

    bias: ε in the first 50 ms of the response to diamonds grows from each contrast to the next lower one, with steps ≥
    −2°. lasts: τ of its decay is larger at the lowest contrast than at the highest. bars: as bias, for bars. slower:
    the mean speed |v| of gratings falls with contrast, by more than 5 % in all. The last two are quoted from memory and
    left out unless `remembered`. A fact whose series is missing is left out (NaN); an answer without a direction passes
    none; no figure at two contrasts: not applicable. The interval is Wilson's, for a proportion of few facts.

    >>> faint, strong = (Percept("bar", 0.0, 10.0, vector_average=45.0, conditions={"contrast": c}) for c in (0.1, 1))
    >>> def off(degrees):
    ...     angle = np.radians(degrees)
    ...     return Trace(np.arange(9) / 20, np.tile([10 * np.cos(angle), 10 * np.sin(angle)], (9, 1)), np.ones(9))
    >>> contrast_facts([off(40), off(20)], [faint, strong]).parts["bars"]
    1.0
    """
    those = [Seen(trace, percept) for trace, percept in zip(found, percepts, strict=True)]
    diamonds, bars, gratings = (_of(those, kind) for kind in KINDS)
    held = {"bias": _misled(diamonds), "lasts": _lasts(diamonds)}
    if remembered:
        held |= {"bars": _misled(bars), "slower": _slower(gratings)}
    return share_passed(held, facts=FACTS, reference=reference)


def _of(those: Sequence[Seen], kind: str) -> list[Seen]:
    """The figures of a kind that can mislead, or gratings; with a contrast, and without a texture."""
    some = [one for one in those if one.percept.kind == kind and np.isfinite(one.condition("contrast"))]
    return [one for one in some if kind == "grating" or (tilted(one.percept) and not _textured(one))]


def _textured(one: Seen) -> bool:
    return one.condition("textured") == 1


def _misled(those: Sequence[Seen]) -> float:
    """Whether the first error grows as contrast falls; NaN for a single contrast."""
    return grows(series(those, "contrast", lambda one: one.first)[1][::-1], tolerance=SOME)


def _lasts(those: Sequence[Seen]) -> float:
    levels = np.unique([one.condition("contrast") for one in those])
    if len(levels) < 2:
        return np.nan
    low, high = (
        time_constant([one for one in those if one.condition("contrast") == at]) for at in (levels[0], levels[-1])
    )
    return float(low > high)


def _slower(those: Sequence[Seen]) -> float:
    speeds: Floats = series(those, "contrast", lambda one: speed(one.trace))[1]
    return grows(speeds, tolerance=SLOWER * float(speeds.max(initial=0.0)))


def speed(of: Trace, start: float = 0.0) -> float:
    """The mean speed of a trace from a time on, deg/s; NaN where it has none.

    >>> speed(Trace(np.arange(2.0), np.array([[3.0, 4.0], [np.nan, np.nan]]), np.ones(2)))
    5.0
    """
    return mean(np.hypot(*of.velocity[of.seconds >= start].T))
