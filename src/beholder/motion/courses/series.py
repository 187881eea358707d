"""What the measures of dynamics share: errors over time, series over a condition, and checks that are passed or not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import Better, NotApplicable, Result
from beholder.core.sample import worst
from beholder.motion.courses.fit import onset
from beholder.motion.readouts import errors
from beholder.motion.references import name_placeholders, record
from beholder.motion.types import SOME, Percept, Trace
from beholder.stats.proportion import wilson

Floats = NDArray[np.float64]
FIRST = 0.05  # s: the initial direction is that of this stretch after the onset of the response (spec 5.2)
DRAWS = 100  # of the bootstrap of measures of a whole dataset: each draw reads all traces once more


class Counted(TypedDict):
    """What the cards of measures that count the facts which hold over a whole dataset have in common.

    Their interval is that of a share of few (see `share_passed`): a fact must hold for all directions and sizes, so
    that stimuli drawn anew would only leave some of them out, and a model that treats directions alike would seem
    certain.
    """

    better: Better
    bounds: tuple[float, float]
    per: str
    resample: str
    parts: dict[str, Better]


class Seen(NamedTuple):
    """One stimulus and what was read out of the answer to it."""

    trace: Trace
    percept: Percept

    @property
    def error(self) -> Floats:
        """ε(t), towards the vector average: negative on the side away from it, whichever way the figure is turned."""
        return errors(self.trace, self.percept) * side(self.percept)

    @property
    def onset(self) -> float:
        """When the response begins, in seconds from the onset of motion; infinite where there is none."""
        error = errors(self.trace, self.percept)  # gratings need not have a side to which it would count
        return onset(self.trace.seconds, error) if np.isfinite(error).any() else np.inf

    @property
    def first(self) -> float:
        """The mean error of the first 50 ms of the response, towards the vector average; NaN where there is none."""
        return self.mean(self.onset, self.onset + FIRST)

    def condition(self, name: str) -> float:
        """A setting of the scene; NaN where it has no such setting."""
        return float(self.percept.conditions.get(name, np.nan))

    def mean(self, start: float, end: float) -> float:
        """The mean error of a stretch of time, towards the vector average; NaN where it has none."""
        seconds = self.trace.seconds
        inside = self.error[(seconds >= start) & (seconds <= end + 1e-9)]
        return mean(inside)


def side(percept: Percept) -> float:
    """On which side of the object's direction the vector average lies: 1 counter-clockwise, −1 clockwise.

    1 where it lies on neither, or is not known: then errors count counter-clockwise.

    >>> [side(Percept("bar", 0.0, 16.0, vector_average=average)) for average in (45.0, -45.0, 0.0, np.nan)]
    [1.0, -1.0, 1.0, 1.0]
    """
    return -1.0 if percept.bias < 0 else 1.0


def other_than(*kinds: str) -> Callable[[Percept], str]:
    """What a card takes as `outside` for a measure of some kinds: why a percept is of none of them, or "".

    >>> other_than("bar")(Percept("plaid", 0.0, 10.0)), other_than("bar", "plaid")(Percept("plaid", 0.0, 10.0))
    ('this is a plaid, and no bar', '')
    """
    return partial(_other, kinds=kinds)


def _other(percept: Percept, *, kinds: Sequence[str]) -> str:
    return "" if percept.kind in kinds else f"this is a {percept.kind}, and no {' or '.join(kinds)}"


def no_tilted_bar(percept: Percept) -> str:
    """Why a percept is not of a bar that is tilted against its motion, or "".

    >>> no_tilted_bar(Percept("bar", 0.0, 16.0, vector_average=0.0))
    'this bar is perpendicular to its motion: its normal does not mislead'
    """
    upright = "" if tilted(percept) else "this bar is perpendicular to its motion: its normal does not mislead"
    return _other(percept, kinds=("bar",)) or upright


def tilted(percept: Percept) -> bool:
    """Whether the vector average lies aside of the object's motion, so that it can mislead."""
    return abs(percept.bias) > SOME


def stimuli_of(found: Sequence[Trace], percepts: Sequence[Percept], kind: str) -> list[Seen]:
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


def card_of_checks(facts: Iterable[str]) -> Counted:
    """What the cards of measures that count passed checks have in common; each check is a part."""
    parts: dict[str, Better] = dict.fromkeys(facts, "higher")
    return {"better": "higher", "bounds": (0, 1), "per": "dataset", "resample": "fact", "parts": parts}


def share_passed(
    found: Mapping[str, float], *, facts: Mapping[str, str], common: Sequence[str] = (), reference: str = ""
) -> Result:
    """The share of the checks that are passed, each a part; those that the dataset does not allow (NaN) are left out.

    `facts` names the record behind each check, and `common` those behind all of them; the worst status of those that
    were asked is that of the result, and stand-ins are named. The interval is Wilson's of so many facts out of so many,
    as if they were some of all that could have been asked.

    >>> rests = {"a": "bar.length", "b": "bar.tiles", "c": "grating.low_contrast"}
    >>> share_passed({"a": 1.0, "b": 0.0, "c": np.nan}, facts=rests)[0], share_passed({"c": 1.0}, facts=rests).status
    (0.5, 'memory')
    >>> all_of_two = share_passed({"a": 1.0, "b": 1.0}, facts=rests)
    >>> round(all_of_two.lo, 3), all_of_two.hi  # two facts are few
    (0.342, 1.0)
    """
    asked = {name: value for name, value in found.items() if not np.isnan(value)}
    if not asked:
        raise NotApplicable(f"the stimuli allow none of the checks {', '.join(found)}")
    used = {id: record(id, reference) for id in (*(facts[name] for name in asked), *common)}
    held = sum(asked.values())
    lo, hi = wilson(held, len(asked))
    status = worst([one.worst for one in used.values()])
    return Result(held / len(asked), dict(found), reason=name_placeholders(used), lo=lo, hi=hi, status=status)


def all_hold(those: Sequence[Seen], holds: Callable[[Seen], bool]) -> float:
    """1 where something holds of all, else 0; NaN where there are none."""
    return float(all(holds(one) for one in those)) if those else np.nan


def check(holds: bool | np.bool_, *needs: float) -> float:
    """1 where a check is passed and 0 where it is not; NaN where a number that it needs is not there.

    >>> check(True), check(False), check(True, np.nan)
    (1.0, 0.0, nan)
    """
    return np.nan if np.isnan(needs).any() else float(holds)
