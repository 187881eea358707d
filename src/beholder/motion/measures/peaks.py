"""How far pursuit is misled at its worst: the one number that Tlapale et al. (2012) give for bars."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from beholder.core.measure import NotApplicable, Result, measure
from beholder.core.sample import worst
from beholder.motion.courses.bars import peak
from beholder.motion.courses.chance import draw_means, interval_around, record_of_observers
from beholder.motion.courses.series import Floats, Seen, no_tilted_bar, stimuli_of
from beholder.motion.readouts import trace
from beholder.motion.references import HUMAN_EXPECTATION, Record, gaussian, name_placeholders, normal, record
from beholder.motion.types import Percept, Trace

DRAWS = 1000  # of bars and monkeys
SETTINGS = {"length": "bar.long", "width": "bar.width", "speed": "bar.speed"}  # of a bar, and the records behind them


def no_whole_bar(percept: Percept) -> str:
    """Why a percept is not of a tilted bar in one piece, or "".

    >>> no_whole_bar(Percept("bar", 0.0, 16.0, vector_average=45.0, conditions={"tiles": 2.0}))
    'this bar is cut into tiles'
    """
    tiles = percept.conditions.get("tiles", 1.0)
    return no_tilted_bar(percept) or ("" if tiles == 1 else "this bar is cut into tiles")


@measure(
    better="higher",
    bounds=(0, 1),
    cite="Tlapale2012,Born2006",
    reads=trace,
    per="dataset",
    resample="sample",
    person=HUMAN_EXPECTATION,
    excludes=no_whole_bar,
)
def bar_peak(found: Sequence[Trace], percepts: Sequence[Percept], *, reference: str = "") -> Result:
    """How close the peak direction error of a long tilted bar is to that of macaques: exp(−(x − 30°)²/σ²).

    x is the largest ε towards the normal, averaged over the tilted bars of one tile that are 20° long, 0.5° wide and
    move at 16 deg/s: Tlapale et al. (2012) give a peak for these alone; no source gives a spread, so σ is a
    placeholder. A bar without a direction has no peak and is left out of x; if no bar has one, the score is 0, with low
    confidence. No such bar: not applicable. Part: degrees, x itself. The interval covers bars and monkeys, whose mean
    is N(30°, σ²/n); n is that of the record or else that of `bar.observers`, whose status then joins.
    Deviation: it stands beside the dynamic table and in no column of the static one, which according to the paper's
    caption is about final directions.

    >>> its = {"length": 20.0, "width": 0.5, "speed": 16.0, "tiles": 1.0}
    >>> bar = Percept("bar", 0.0, 16.0, vector_average=45.0, conditions=its)
    >>> angles = np.radians([40.0, 20.0, 0.0])
    >>> turning = Trace(np.arange(3) / 100, 16 * np.stack([np.cos(angles), np.sin(angles)], axis=1), np.ones(3))
    >>> round(bar_peak([turning], [bar]).value, 4)  # 10° off, and σ is 10°
    0.3679
    """
    those = [one for one in stimuli_of(found, percepts, "bar") if _known(one, reference)]
    if not those:
        raise NotApplicable("no bar matches the one with a known peak: 20° long, 0.5° wide, at 16 deg/s")
    of = normal("bar.peak", reference)
    used = [of, *record_of_observers([of], "bar.observers", reference)]
    status, named = worst([one.worst for one in used]), name_placeholders({one.id: one for one in used})
    peaks = np.array([top for one in those if np.isfinite(top := peak(one))])
    if not peaks.size:
        return Result(0.0, {"degrees": np.nan}, "low", f"no direction at any time; {named}", 0.0, 0.0, status)
    degrees = float(peaks.mean())
    lo, hi = _interval(peaks, of, record("bar.observers", reference).value)
    return Result(gaussian(degrees, of), {"degrees": degrees}, "ok", named, lo, hi, status)


def _interval(peaks: Floats, of: Record, fewest: float) -> tuple[float, float]:
    """The 95 % interval of the score, over bars and monkeys drawn anew together.

    Bars alone would not do: mirror images have one peak in a model that treats them alike, which would seem certain.
    """
    rng = np.random.default_rng(0)  # the same table whoever computes it, and whenever
    drawn = peaks[rng.integers(len(peaks), size=(DRAWS, len(peaks)))].mean(axis=1)
    theirs = draw_means([of], fewest, draws=DRAWS, rng=rng)[:, 0]
    return interval_around(gaussian(float(peaks.mean()), of), np.exp(-(((drawn - theirs) / of.spread) ** 2)))


def _known(one: Seen, reference: str) -> bool:
    """Whether a bar is tilted, whole, and of the size and speed of the record."""
    alike = all(np.isclose(one.condition(name), record(id, reference).value) for name, id in SETTINGS.items())
    return bool(alike and not no_whole_bar(one.percept))
