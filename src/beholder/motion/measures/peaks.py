"""How far pursuit is misled at its worst: the one number that the seed gives for bars."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from beholder.motion.measures._series import DRAWS, SOME, Seen, mean, seen
from beholder.motion.measures.dynamic import peak
from beholder.motion.readouts import trace
from beholder.motion.references import HUMAN_EXPECTATION, gaussian, normal, record, trust
from beholder.motion.types import Percept, Trace
from beholder.spine.measure import NotApplicable, Result, measure

SETTINGS = {"length": "bar.long", "width": "bar.width", "speed": "bar.speed"}  # of a bar, and the records behind them


@measure(
    better="higher",
    bounds=(0, 1),
    cite="Tlapale2012,Born2006",
    reads=trace,
    per="bed",
    resample="sample",
    draws=DRAWS,
    person=HUMAN_EXPECTATION,
)
def bar_peak(found: Sequence[Trace], percepts: Sequence[Percept], *, reference: str = "") -> Result:
    """How near the peak direction error of a long tilted bar is to that of a macaque: exp(−(x − 30°)²/σ²).

    x is the largest ε towards the normal, averaged over the tilted bars of one tile that are 20° long, 0.5° wide and
    move at 16 deg/s: for these alone the seed gives a peak, and nobody a spread, so that σ is a placeholder. A bar
    without a direction has no peak and is left out of x; without any there is nothing to credit: 0, of low confidence.
    No such bar: not applicable. Part: degrees, x itself. Deviation: it stands beside the dynamic table and in no column
    of the static one, which by the seed's caption is of final directions.

    >>> its = {"length": 20.0, "width": 0.5, "speed": 16.0, "tiles": 1.0}
    >>> bar = Percept("bar", 0.0, 16.0, vector_average=45.0, conditions=its)
    >>> angles = np.radians([40.0, 20.0, 0.0])
    >>> turning = Trace(np.arange(3) / 100, 16 * np.stack([np.cos(angles), np.sin(angles)], axis=1), np.ones(3))
    >>> round(bar_peak([turning], [bar]).value, 4)  # 10° off, and σ is 10°
    0.3679
    """
    those = [one for one in seen(found, percepts, "bar") if _known(one, reference)]
    if not those:
        raise NotApplicable("none of these bars is the one whose peak is known: 20° long, 0.5° wide, at 16 deg/s")
    of = normal("bar.peak", reference)
    degrees, named = mean([peak(one) for one in those]), trust({of.id: of})
    if np.isnan(degrees):
        return Result(0.0, {"degrees": degrees}, "low", f"no direction at any instant; {named}", status=of.worst)
    return Result(gaussian(degrees, of), {"degrees": degrees}, reason=named, status=of.worst)


def _known(one: Seen, reference: str) -> bool:
    """Whether a bar is tilted, whole, and of the size and speed of the record."""
    alike = all(np.isclose(one.condition(name), record(id, reference).value) for name, id in SETTINGS.items())
    return bool(alike and one.condition("tiles") == 1 and abs(one.percept.bias) > SOME)
