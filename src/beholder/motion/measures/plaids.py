"""How plaids are seen: first along the average of their components, later along their common motion, and slower."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from beholder.core.measure import Result, measure
from beholder.motion.courses.series import (
    Seen,
    all_hold,
    card_of_checks,
    check,
    mean,
    other_than,
    share_passed,
    stimuli_of,
    tilted,
)
from beholder.motion.measures.contrast import speed
from beholder.motion.readouts import LAST, errors, trace
from beholder.motion.references import record
from beholder.motion.types import SOME, Percept, Trace

SHORT = 0.1  # s: plaids that were shown for less are short ones; between 60 and 150 ms, a choice of ours
NEAR = 10.0  # degrees: what a direction that is seen as it is may be off, as for gratings (spec 5.6)
SLOWER = 0.02  # of the speed: smaller differences are none; a choice of ours
FACTS = {
    "type_one": "plaid.type_one",
    "early": "plaid.short",
    "late": "plaid.short",
    "faint": "plaid.faint",
    "balance": "plaid.balance",
    "slower": "plaid.speed",
}


@measure(
    cite="YoWilson1992,Stone1990,FerreraWilson1991,Wilson1927",
    reads=trace,
    excludes=other_than("plaid"),
    **card_of_checks(FACTS),
)
def plaid_facts(
    found: Sequence[Trace], percepts: Sequence[Percept], *, remembered: bool = True, reference: str = ""
) -> Result:
    """The share of facts on plaids that hold: #{passed} / #{testable}. ε is from the intersection of constraints.

    type_one: |mean ε| ≤ 10° for balanced plaids of type I. early: mean ε > bias/2 for plaids of type II that are shown
    for less than 100 ms, where the bias is that of the vector average. late: |ε| < bias/2 from 150 ms on for long ones.
    faint: at the lowest contrast mean ε of type II is larger than at the highest by more than 2°. balance: with
    components of unequal contrast mean ε lies towards the stronger one by more than 2°. slower: in the last 100 ms a
    long plaid of full contrast is slower than the intersection of constraints by more than 2 %, and not at rest. All
    but type_one and slower are quoted from memory and left out unless `remembered`. A fact whose stimuli are missing is
    left out (NaN); a plaid without a direction passes none; no plaid: not applicable. The interval is Wilson's, for a
    proportion of few facts.

    >>> plaid = Percept("plaid", 0.0, 10.0, vector_average=55.6, conditions={"contrast": 1.0, "balance": 0.5})
    >>> slow = Trace(np.arange(30) / 100, np.tile([8.0, 0.0], (30, 1)), np.ones(30))
    >>> {name: value for name, value in plaid_facts([slow], [plaid]).parts.items() if value == value}
    {'late': 1.0, 'slower': 1.0}
    """
    those = stimuli_of(found, percepts, "plaid")
    first, second = [one for one in those if _even(one) and not _biased(one)], [one for one in those if _biased(one)]
    since = record("plaid.short", reference).value
    strong = [one for one in those if one.condition("contrast") == 1 and _lasts(one) > since and _even(one)]
    held = {
        "type_one": all_hold(first, lambda one: abs(_mean(one)) <= NEAR),
        "early": all_hold(
            [one for one in second if _lasts(one) < SHORT], lambda one: _mean(one) > abs(one.percept.bias) / 2
        ),
        "late": all_hold([one for one in strong if _biased(one)], lambda one: _settled(one, since)),
        "faint": _fainter(second),
        "balance": all_hold([one for one in those if not _even(one)], lambda one: _drawn(one) > SOME),
        "slower": all_hold(strong, _slower),
    }
    shaky = () if remembered else ("early", "late", "faint", "balance")
    return share_passed(
        {name: value for name, value in held.items() if name not in shaky}, facts=FACTS, reference=reference
    )


def _biased(one: Seen) -> bool:
    """Whether the vector average lies aside: type II."""
    return tilted(one.percept) and _even(one)


def _even(one: Seen) -> bool:
    return one.condition("balance") == 0.5


def _lasts(one: Seen) -> float:
    return float(one.trace.seconds.max(initial=0.0))


def _mean(one: Seen) -> float:
    return one.mean(0, np.inf)


def _settled(one: Seen, since: float) -> bool:
    return abs(one.mean(since, np.inf)) < abs(one.percept.bias) / 2


def _fainter(second: Sequence[Seen]) -> float:
    """Whether the faintest of the long plaids of type II is further off than the strongest; NaN for one contrast."""
    long = [one for one in second if _lasts(one) >= SHORT]
    levels = [one.condition("contrast") for one in long]
    if len(set(levels)) < 2:
        return np.nan
    low, high = (
        mean([_mean(one) for one in long if one.condition("contrast") == at]) for at in (min(levels), max(levels))
    )
    return check(low > high + SOME)


def _drawn(one: Seen) -> float:
    """The mean error towards the normal of the stronger component."""
    strong = one.condition("first_normal" if one.condition("balance") > 0.5 else "second_normal")
    return mean(errors(one.trace, one.percept)) * one.condition("turn") * float(np.sign(strong))


def _slower(one: Seen) -> bool:
    final = speed(one.trace, _lasts(one) - LAST)
    return bool(0 < final < (1 - SLOWER) * one.percept.speed)
