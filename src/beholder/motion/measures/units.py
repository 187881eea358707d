"""What units of a model do over time, against what was recorded from neurons."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from beholder.core.measure import NotApplicable, Result, measure
from beholder.motion.courses.series import DRAWS, Floats, Seen, check, mean, no_tilted_bar, stimuli_of, tilted
from beholder.motion.readouts import trace_of_mt
from beholder.motion.references import record
from beholder.motion.types import Percept, Trace

HALF, MOST = 0.5, 0.9  # of the way from the normal to the true direction; the second is a choice of ours
NEAR = 2.0  # times the record, or a part of it: what "about 60 ms" allows, a choice of ours


@measure(
    better="lower",
    bounds=(0, np.inf),
    cite="Pack2001",
    reads=trace_of_mt,
    per="dataset",
    resample="sample",
    draws=DRAWS,
    unit="ms",
    excludes=no_tilted_bar,
)
def mt_shift(found: Sequence[Trace], percepts: Sequence[Percept], *, reference: str = "") -> Result:
    """How far the time that MT takes to turn from a tilted bar's normal to its true motion is from that of macaques.

    |T − 60 ms|, where T = t(0.9) − t₀: by the time t the population direction has covered s(t) = 1 − ε(t)/bias of the
    way, averaged over the bars; t(s) is the first time at which it has covered s (interpolated), and t₀ the time of the
    first direction. Parts, in ms except the last two: half and most, t(0.5) − t₀ and T; start, t₀ from the onset;
    covered, the final s; near, whether T is within a factor of two of the record. If MT never covers 0.9, T is the
    length of the recording and the value is a lower bound (state low). A model that exposes no area MT, no tilted bar,
    or no direction at all: not applicable.

    >>> bar = Percept("bar", 0.0, 16.0, vector_average=45.0)
    >>> angles = np.radians([45.0, 45.0, 22.5, 0.0, 0.0])  # 90 % is covered after 20 + 8 ms, 32 ms too early
    >>> turning = Trace(np.arange(5) / 100, 16 * np.stack([np.cos(angles), np.sin(angles)], axis=1), np.ones(5))
    >>> round(mt_shift([turning], [bar]).value, 6)
    32.0
    """
    bars = [one for one in stimuli_of(found, percepts, "bar") if tilted(one.percept)]
    if not bars:
        raise NotApplicable("none of these bars is tilted against its motion")
    seconds, covered = _way(bars)
    half, most = (_reached(seconds, covered, share) for share in (HALF, MOST))
    known = record("bar.mt_shift", reference)
    settled = bool(np.isfinite(most))
    lasted = most if settled else float(seconds[-1] - seconds[0])
    parts = {
        "half": 1000 * half,
        "most": 1000 * most,
        "start": 1000 * float(seconds[0]),
        "covered": float(covered[-1]),
        "near": check(settled and known.value / NEAR <= most <= known.value * NEAR),
    }
    off = 1000 * abs(lasted - known.value)
    reason = "" if settled else f"area MT covers {100 * covered[-1]:.0f} % of the way by the end: this is a lower bound"
    return Result(off, parts, "ok" if settled else "low", reason, status=known.worst)


def _way(bars: Sequence[Seen]) -> tuple[Floats, Floats]:
    """The share of the way that has been covered at each instant that has a direction."""
    seconds = bars[0].trace.seconds
    if any(not np.array_equal(one.trace.seconds, seconds) for one in bars):
        raise NotApplicable("these bars have different frame rates or durations; expected the same for all")
    ways = np.stack([1 - one.error / abs(one.percept.bias) for one in bars])
    covered = np.array([mean(column) for column in ways.T])
    held = np.isfinite(covered)
    if not held.any():
        raise NotApplicable("area MT has no direction at any time")
    return seconds[held], covered[held]


def _reached(seconds: Floats, covered: Floats, share: float) -> float:
    """How long after the first instant a share is first covered; NaN where it never is."""
    there = np.flatnonzero(covered >= share - 1e-9)
    if not there.size:
        return np.nan
    at = int(there[0])
    if at == 0:
        return 0.0
    part = (share - covered[at - 1]) / (covered[at] - covered[at - 1])
    return float(seconds[at - 1] + min(part, 1.0) * (seconds[at] - seconds[at - 1]) - seconds[0])
