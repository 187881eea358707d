"""Facts alone: checks of what Tlapale et al. (2012) or a public source state; none needs a spread that nobody knows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from beholder.core.measure import Result, measure
from beholder.motion.courses.decays import is_plain_diamond, time_constant
from beholder.motion.courses.series import (
    FIRST,
    Floats,
    Seen,
    all_hold,
    card_of_checks,
    grows,
    mean,
    other_than,
    series,
    share_passed,
    stimuli_of,
    tilted,
)
from beholder.motion.readouts import STILL, trace, wrapped
from beholder.motion.references import record
from beholder.motion.types import SOME, Percept, Trace

START = (0.5, 1.1)  # of the vector average's bias: where the initial error lies (spec 5.2)
SETTLED = 0.1  # of that bias: what may remain after convergence (spec 5.2)
FALLS = -0.8  # rank correlation of error and time (spec 5.2)
ALIKE = 5.0  # degrees: what conditions that do not matter may differ by (spec 5.2)
NEAR = 10.0  # degrees: the first response is that near to the grating's normal (spec 5.6)
LAG = (0.01, 0.03)  # s: a margin around the 15–20 ms of people (spec 5.6)
TURNED = 5.0  # degrees off the normal: the second component has begun; a choice of ours
DIAMONDS = {  # the record behind each check
    "start": "diamond.start",
    "end": "diamond.convergence",
    "falls": "diamond.convergence",
    "alike": "diamond.invariance",
    "contrast": "diamond.contrast",
    "type_one": "diamond.type_one",
    "textured": "diamond.texture",
}
POLES = {"normal": "barber.start"} | {name: f"barber.{name}" for name in ("between", "lag", "ratio", "indent")}


@measure(
    cite="Tlapale2012,Wallace2005,Wilson1927", reads=trace, excludes=other_than("diamond"), **card_of_checks(DIAMONDS)
)
def diamond_facts(found: Sequence[Trace], percepts: Sequence[Percept], *, reference: str = "") -> Result:
    """The share of facts on diamonds that hold: #{passed} / #{testable}; ε > 0 is towards the vector average.

    Times count from the onset of the response. start: 0.5 ≤ ε/bias ≤ 1.1 in the first 50 ms. end: mean |ε| < 0.1·bias
    from 300 ms on. falls: the rank correlation of ε with time is below −0.8 up to 300 ms. alike: the mean errors of all
    directions and turns lie within 5° of one another. contrast: ε of the first 50 ms and τ are larger at the lowest
    contrast than at the highest. type_one and textured: |ε| of these controls stays below 5° on average. The bias is
    that of the stimulus, 44° in Tlapale et al. (2012). A fact whose stimuli or time points are missing is left out
    (NaN), but a response that begins less than 300 ms before the movie ends fails end; a figure without a direction
    passes none; no diamond: not applicable. The interval is Wilson's, for a proportion of few facts.

    >>> right = Percept("diamond", 0.0, 10.0, vector_average=44.0)
    >>> true = Trace(np.arange(45) / 100, np.tile([10.0, 0.0], (45, 1)), np.ones(45))
    >>> {name: value for name, value in diamond_facts([true], [right]).parts.items() if value == value}
    {'start': 0.0, 'end': 1.0, 'falls': 0.0}
    """
    those = stimuli_of(found, percepts, "diamond")
    own = [one for one in those if is_plain_diamond(one)]
    until = record("diamond.convergence", reference).high
    controls = {
        "type_one": [one for one in those if abs(one.percept.bias) <= SOME],
        "textured": [one for one in those if one.condition("textured") == 1],
    }
    held = {
        "start": all_hold(own, lambda one: START[0] <= one.first / abs(one.percept.bias) <= START[1]),
        "end": all_hold(
            [one for one in own if one.trace.seconds.max(initial=0) > until], lambda one: _ends(one, until)
        ),
        "falls": all_hold(own, lambda one: _falls(one, until)),
        "alike": _alike(own),
        "contrast": _contrast(those),
        **{name: all_hold(some, lambda one: mean(np.abs(one.error)) < ALIKE) for name, some in controls.items()},
    }
    return share_passed(held, facts=DIAMONDS, reference=reference)


@measure(cite="Tlapale2012,Masson2000,Wilson1927", reads=trace, excludes=other_than("barber"), **card_of_checks(POLES))
def barber_facts(found: Sequence[Trace], percepts: Sequence[Percept], *, reference: str = "") -> Result:
    """The share of facts on barber poles that hold: #{passed} / #{testable}. φ is measured from the long axis.

    normal: within the first 50 ms of the response φ is within 10° of the grating's normal θ. between: at 135–175 ms
    after the onset of motion, as in the source, atan(W/L) ≤ φ ≤ θ. lag: φ has left the normal by 5° between 10 and 30
    ms after its onset (only with frames of 10 ms or less). ratio: the final φ falls as the aspect ratio grows. indent:
    teeth of a quarter of a period or more leave less than a tenth of the turn seen with plain sides of the same aspect
    ratio. An answer slower than 1 % of the stimulus has no direction. A fact whose stimuli or time points are missing
    is left out (NaN); a pole without a direction passes none; no barber pole: not applicable. Tlapale et al. (2012) do
    not score these dynamics. The interval is Wilson's, for a proportion of few facts.

    >>> shape = {"angle": 45.0, "terminators": 18.43, "turn": 1.0, "aspect": 3.0}
    >>> pole = Percept("barber", 0.0, 11.3, normal_direction=45.0, vector_average=45.0, conditions=shape)
    >>> drift = Trace(np.arange(45) / 100, np.tile([8.0, 8.0], (45, 1)), np.ones(45))
    >>> {name: value for name, value in barber_facts([drift], [pole]).parts.items() if value == value}
    {'normal': 1.0, 'between': 1.0, 'lag': 0.0}
    """
    those = stimuli_of(found, percepts, "barber")
    sharp = [one for one in those if not any(one.condition(name) > 0 for name in ("indent", "masked", "soft"))]
    own = [one for one in sharp if tilted(one.percept)]
    window = record("barber.between", reference).window
    asked = [one for one in own if one.trace.seconds.max(initial=0) >= window[1]]
    deep = [one for one in those if one.condition("indent") >= record("barber.indent", reference).value]
    held = {
        "normal": all_hold(
            own, lambda one: abs(_phi(one, one.onset, one.onset + FIRST) - one.condition("angle")) <= NEAR
        ),
        "between": all_hold(asked, lambda one: _between(one, window)),
        "lag": all_hold([one for one in own if _fine(one)], _lags),
        "ratio": grows(-series(sharp, "aspect", _last)[1]),
        "indent": _abolished(own, deep),
    }
    return share_passed(held, facts=POLES, reference=reference)


def _ends(one: Seen, until: float) -> bool:
    late = one.error[one.trace.seconds >= one.onset + until]
    return mean(np.abs(late)) < SETTLED * abs(one.percept.bias)


def _falls(one: Seen, until: float) -> bool:
    from scipy.stats import spearmanr

    early = np.isfinite(one.error) & (one.trace.seconds <= one.onset + until)
    error = one.error[early]
    if error.size < 3 or np.ptp(error) == 0:
        return False
    return bool(spearmanr(one.trace.seconds[early], error).statistic < FALLS)


def _alike(own: Sequence[Seen]) -> float:
    """Whether the mean errors of all directions and turns agree; NaN for fewer than two figures."""
    means = np.array([mean(one.error) for one in own])
    return float(np.ptp(means) <= ALIKE) if len(means) > 1 else np.nan


def _contrast(those: Sequence[Seen]) -> float:
    """Whether the lowest contrast begins further off and takes longer than the highest; NaN for a single contrast."""
    figures = [one for one in those if tilted(one.percept) and one.condition("textured") != 1]
    levels = [one.condition("contrast") for one in figures]
    if len(set(levels)) < 2:
        return np.nan
    low, high = ([one for one in figures if one.condition("contrast") == at] for at in (min(levels), max(levels)))
    further = mean([one.first for one in low]) > mean([one.first for one in high])
    return float(further and time_constant(low) > time_constant(high))


def _directions(one: Seen) -> Floats:
    """φ(t): degrees from the long axis towards the grating's normal; NaN before the onset, and where ε(t) is NaN, too.

    A velocity of less than 1 % of the stimulus' has no direction.
    """
    axis = one.percept.normal_direction - one.condition("turn") * one.condition("angle")
    away = wrapped(one.trace.direction - axis) * one.condition("turn")
    fast = np.hypot(*one.trace.velocity.T) >= STILL * one.percept.speed
    return np.where(fast & (one.trace.seconds >= 0), away, np.nan)


def _phi(one: Seen, start: float, end: float) -> float:
    inside = (one.trace.seconds >= start) & (one.trace.seconds <= end + 1e-9)
    return mean(_directions(one)[inside])


def _last(one: Seen) -> float:
    return _phi(one, one.trace.seconds.max(initial=0) - 0.1, np.inf)


def _between(one: Seen, window: Sequence[float]) -> bool:
    """Within the two vector sums, or no further from them than rounding."""
    return bool(one.condition("terminators") - 1e-6 <= _phi(one, *window) <= one.condition("angle") + 1e-6)


def _fine(one: Seen) -> bool:
    return bool(len(one.trace.seconds) > 1 and np.diff(one.trace.seconds).min() <= 0.01 + 1e-9)


def _lags(one: Seen) -> bool:
    phi, seconds = _directions(one), one.trace.seconds
    begun = np.flatnonzero(np.isfinite(phi))
    turned = np.flatnonzero(phi < one.condition("angle") - TURNED)
    return bool(turned.size and LAG[0] <= seconds[turned[0]] - seconds[begun[0]] <= LAG[1])


def _abolished(own: Sequence[Seen], deep: Sequence[Seen]) -> float:
    """Whether deep teeth leave less than a tenth of the turn that plain sides make, at every aspect ratio of both.

    NaN where they share none: a longer pole turns further, so that poles of other shapes say nothing.
    """
    turns = [dict(zip(*series(some, "aspect", _turned), strict=True)) for some in (own, deep)]
    shared = turns[0].keys() & turns[1].keys()
    return float(all(abs(turns[1][at]) < 0.1 * turns[0][at] for at in shared)) if shared else np.nan


def _turned(one: Seen) -> float:
    """How far from the grating's normal a pole is seen in the end, in degrees."""
    return one.condition("angle") - _last(one)
