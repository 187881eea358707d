"""Motion in depth: to whom the line ends of a barber pole belong."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from beholder.core.measure import Result, measure
from beholder.motion.courses.series import Seen, all_hold, card_of_checks, mean, other_than, share_passed, stimuli_of
from beholder.motion.eyes import trace_of_pair
from beholder.motion.readouts import STILL, final_direction, wrapped
from beholder.motion.types import SOME, Percept, Trace

FACTS = dict.fromkeys(("before", "behind", "turns"), "depth.behind")


@measure(
    cite="Shimojo1989,Wilson1927", reads=trace_of_pair, excludes=other_than("deep barber"), **card_of_checks(FACTS)
)
def depth_facts(found: Sequence[Trace], percepts: Sequence[Percept], *, reference: str = "") -> Result:
    """The share of facts on barber poles in depth that hold: #{passed} / #{testable}. φ is the final direction.

    φ is measured from the long axis towards the stripes' normal, which lies at θ. before: φ < θ/2 for stripes in front
    of the surround or level with it, so that they move along the long axis. behind: φ > θ/2 for stripes behind it.
    turns: φ behind is larger than φ before by more than 2°, on average. All three facts are quoted from memory. A fact
    whose stimuli are missing is left out (NaN); a pole without a direction passes none; no such pole: not applicable.
    The interval is Wilson's, for a proportion of few facts.

    >>> def pole(disparity):
    ...     its = {"angle": 45.0, "turn": 1.0, "disparity": disparity}
    ...     return Percept("deep barber", 0.0, 11.3, normal_direction=45.0, vector_average=45.0, conditions=its)
    >>> along, normal = (Trace(np.zeros(1), np.array([way]), np.ones(1)) for way in ([11.3, 0.0], [5.7, 5.7]))
    >>> depth_facts([along, normal], [pole(0.5), pole(-0.5)]).value, depth_facts([along], [pole(-0.5)]).value
    (1.0, 0.0)
    """
    those = stimuli_of(found, percepts, "deep barber")
    behind = [one for one in those if one.condition("disparity") < 0]
    before = [one for one in those if one.condition("disparity") >= 0]
    held = {
        "before": all_hold(before, lambda one: _phi(one) < one.condition("angle") / 2),
        "behind": all_hold(behind, lambda one: _phi(one) > one.condition("angle") / 2),
        "turns": _turned(before, behind),
    }
    return share_passed(held, facts=FACTS, reference=reference)


def _turned(before: Sequence[Seen], behind: Sequence[Seen]) -> float:
    if not before or not behind:
        return np.nan
    near, far = (mean([_phi(one) for one in some]) for some in (before, behind))
    return float(far > near + SOME)


def _phi(one: Seen) -> float:
    """The final direction in degrees from the long axis towards the normal; NaN where there is none."""
    turn, angle = one.condition("turn"), one.condition("angle")
    axis = one.percept.normal_direction - turn * angle
    return float(wrapped(final_direction(one.trace, slowest=STILL * one.percept.speed) - axis)) * turn
