"""What the measures of dynamics share: errors over time, series over a condition, and checks that are passed or not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from beholder.motion.readouts import errors, trace
from beholder.motion.references import record
from beholder.motion.types import Percept, Trace
from beholder.spine.measure import Better, NotApplicable, Readout, Result
from beholder.spine.sample import worst

Floats = NDArray[np.float64]
FIRST = 0.05  # s: the initial direction is that of this stretch after the onset (spec 5.2)
DRAWS = 100  # of the directions: a check is passed or not, and hundreds of draws of four say no more
SOME = 2.0  # degrees: smaller differences are not told from none (spec 5.4)


class Counted(TypedDict):
    """What the cards of measures that count the checks passed over a whole bed have in common."""

    better: Better
    bounds: tuple[float, float]
    reads: Readout
    per: str
    resample: str
    draws: int


CHECKS: Counted = {
    "better": "higher",
    "bounds": (0, 1),
    "reads": trace,
    "per": "bed",
    "resample": "direction",
    "draws": DRAWS,
}


class Seen(NamedTuple):
    """One stimulus and what was read out of the answer to it."""

    trace: Trace
    percept: Percept

    @property
    def error(self) -> Floats:
        """ε(t), towards the vector average: negative on the side away from it, whichever way the figure is turned."""
        return errors(self.trace, self.percept) * (np.sign(self.percept.bias) or 1.0)

    def condition(self, name: str) -> float:
        """A setting of the scene; NaN where it has no such setting."""
        return float(self.percept.conditions.get(name, np.nan))

    def mean(self, start: float, end: float) -> float:
        """The mean error of a stretch of time, towards the vector average; NaN where it has none."""
        seconds = self.trace.seconds
        inside = self.error[(seconds >= start) & (seconds <= end + 1e-9)]
        return mean(inside)


def seen(found: Sequence[Trace], percepts: Sequence[Percept], kind: str) -> list[Seen]:
    """The stimuli of a kind; without any there is nothing to measure."""
    those = [Seen(trace, percept) for trace, percept in zip(found, percepts, strict=True) if percept.kind == kind]
    if not those:
        raise NotApplicable(f"none of these stimuli is a {kind}")
    return those


def mean(values: Floats | Sequence[float]) -> float:
    """The mean of the finite values; NaN without any.

    >>> mean([1.0, np.nan, 3.0])
    2.0
    """
    finite = np.asarray(values, float)
    finite = finite[np.isfinite(finite)]
    return float(finite.mean()) if finite.size else np.nan


def series(those: Sequence[Seen], name: str, of: Callable[[Seen], float]) -> tuple[Floats, Floats]:
    """A quantity over a condition: its levels in order, and the mean of the stimuli of each level."""
    levels = np.unique([one.condition(name) for one in those])
    levels = levels[np.isfinite(levels)]
    means = [np.mean([of(one) for one in those if one.condition(name) == level]) for level in levels]
    return levels, np.array(means)


def grows(values: Floats, *, tolerance: float = 0.0) -> float:
    """Whether a series grows as a whole by more than a tolerance, and no step falls by more; NaN for a single value.

    A series with an undefined value does not.

    >>> grows(np.array([1.0, 2.0, 1.6]), tolerance=0.5), grows(np.array([1.0, 1.0])), grows(np.array([0, np.nan, 1.0]))
    (1.0, 0.0, 0.0)
    """
    if len(values) < 2:
        return np.nan
    falls = values[1:] < values[:-1] - tolerance
    return float(values[-1] > values[0] + tolerance and not falls.any() and not np.isnan(values).any())


def passed(found: Mapping[str, float], *, facts: Mapping[str, str], reference: str = "") -> Result:
    """The share of the checks that are passed, each a part; those that the bed does not allow (NaN) are left out.

    `facts` names the record behind each check; the worst status of those that were asked is that of the result.

    >>> rests = {"a": "bar.length", "b": "bar.tiles", "c": "grating.low_contrast"}
    >>> passed({"a": 1.0, "b": 0.0, "c": np.nan}, facts=rests)[0], passed({"c": 1.0}, facts=rests).status
    (0.5, 'memory')
    """
    asked = {name: value for name, value in found.items() if not np.isnan(value)}
    if not asked:
        raise NotApplicable(f"the stimuli allow none of the checks {', '.join(found)}")
    status = worst([record(facts[name], reference).worst for name in asked])
    return Result(float(np.mean(list(asked.values()))), dict(found), status=status)


def check(holds: bool | np.bool_, *needs: float) -> float:
    """1 where a check is passed and 0 where it is not; NaN where a number that it needs is not there.

    >>> check(True), check(False), check(True, np.nan)
    (1.0, 0.0, nan)
    """
    return np.nan if np.isnan(needs).any() else float(holds)
