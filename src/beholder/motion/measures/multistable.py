"""Percepts that alternate: what strengthening one of them does to the durations of both."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from beholder.core.measure import NotApplicable, Result, measure
from beholder.motion.courses.series import card_of_checks, other_than, share_passed
from beholder.motion.percepts import COHERENT, TRANSPARENT, Percepts
from beholder.motion.types import Percept

SHORTER = float(np.log(1.1))  # of ln(duration): a change of less than a tenth is none; a choice of ours
FACTS = {
    "angle_other": "bistable.angle",
    "angle_own": "bistable.other",
    "speed_other": "bistable.speed",
    "speed_own": "bistable.speed",
}


@measure(cite="HupeRubin2003,Wilson1927", excludes=other_than("line plaid"), **card_of_checks(FACTS))
def alternation_facts(found: Sequence[Percepts], percepts: Sequence[Percept], *, reference: str = "") -> Result:
    """The share of facts on alternating percepts that hold: #{passed} / #{testable}. T is a mean duration.

    A larger angle and a higher speed strengthen the transparent percept; strengthening one percept shortens the other's
    periods, not its own. other: from the lowest level of angle (or speed) to the highest, at the most common level of
    the other, ln T of the coherent percept falls by more than ln 1.1. own: ln T of the transparent percept changes by
    less than half as much. Periods cut off by the end of the trial are left out. Where a percept has no whole period at
    either level (NaN) both facts fail; a series with one level is left out; fewer than two levels of both: not
    applicable. Other parts: the share of time of the coherent percept, and switches per minute. The interval is
    Wilson's, for a proportion of few facts.

    >>> slow, fast = (Percept("line plaid", 90.0, 6.0, conditions={"angle": 120.0, "speed": s}) for s in (1.5, 3.0))
    >>> long, short = (Percepts((COHERENT, TRANSPARENT, COHERENT), np.array([first, 3.0, 1.0])) for first in (6.0, 4.0))
    >>> parts = alternation_facts([long, short], [slow, fast]).parts
    >>> parts["speed_other"], parts["speed_own"], parts["switches_a_minute"]  # 4 switches in 18 s
    (1.0, 1.0, 13.333333333333334)
    """
    those = [pair for pair in zip(found, percepts, strict=True) if pair[1].kind == "line plaid"]
    if not those:
        raise NotApplicable("none of these stimuli is a line plaid")
    held = {**_law(those, "angle", "speed"), **_law(those, "speed", "angle")}
    result = share_passed(held, facts=FACTS, reference=reference)
    minutes = sum(float(answer.seconds.sum()) for answer, _ in those) / 60
    beside = {
        "coherent_share": float(np.mean([answer.share(COHERENT) for answer, _ in those])),
        "switches_a_minute": sum(len(answer.words) - 1 for answer, _ in those) / minutes,
    }
    return result._replace(parts={**result.parts, **beside})


def _law(those: Sequence[tuple[Percepts, Percept]], name: str, fixed: str) -> dict[str, float]:
    """Both checks of one setting, where the other has the level that most stimuli share."""
    common = _commonest([its.conditions[fixed] for _, its in those])
    own = [(answer, its.conditions[name]) for answer, its in those if its.conditions[fixed] == common]
    levels = sorted({level for _, level in own})
    if len(levels) < 2:
        return {f"{name}_other": np.nan, f"{name}_own": np.nan}
    coherent, transparent = (_change(own, word, levels) for word in (COHERENT, TRANSPARENT))
    return {
        f"{name}_other": float(coherent < -SHORTER),
        f"{name}_own": float(coherent < 0 and abs(transparent) < -coherent / 2),
    }


def _commonest(levels: Sequence[float]) -> float:
    """The level that occurs most often; of equals the lowest."""
    values, counts = np.unique(levels, return_counts=True)
    return float(values[counts.argmax()])


def _change(own: Sequence[tuple[Percepts, float]], word: str, levels: Sequence[float]) -> float:
    """ln T(highest level) − ln T(lowest level) of a percept; NaN where one of them has no whole period."""
    low, high = (np.mean([answer.mean(word) for answer, level in own if level == at]) for at in (levels[0], levels[-1]))
    return float(np.log(high / low))
