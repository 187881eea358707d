"""How certain one score is: a bootstrap over the controls, fixations or observers of a picture; a mean over pictures.

Le Meur & Baccino resample the controls. Fixations of one observer depend on each other, so observers or pictures are
the better unit for a report. They call α "confidence level"; it is the level of significance, 1 − `level`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from beholder.attention.readouts import Surface
from beholder.attention.types import Controls, Lookers
from beholder.core.measure import Measure, NotApplicable, result
from beholder.errors import Misuse
from beholder.stats import small_samples
from beholder.stats.bootstrap import interval

Unit = Literal["controls", "fixations", "observers"]

DRAWS = 1000  # Le Meur & Baccino 2013


class Interval(NamedTuple):
    """A value, with the central interval of its bootstrap distribution."""

    value: float
    lo: float
    hi: float
    n: int  # how many units were resampled


def bootstrap_interval(
    measure: Measure,
    pair: tuple[Surface, Lookers],
    *,
    over: Unit = "observers",
    draws: int = DRAWS,
    level: float = 0.95,
    rng: np.random.Generator,
) -> Interval:
    """A measure's value on one picture, and its interval: controls, fixations or observers are drawn with replacement.

    Each draw is as large as the sample; an observer drawn twice contributes every fixation twice. Draws in which the
    measure is not defined are left out.

    >>> from beholder.attention.measures.nss import nss
    >>> from beholder.attention.types import scanpath
    >>> here = Lookers({"a": scanpath([3, 3, 3], [0, 0, 0])}, (1, 4))
    >>> found = bootstrap_interval(nss, (Surface(np.eye(4)[[3]]), here), over="fixations", rng=np.random.default_rng(0))
    >>> found.lo == found.value == found.hi, found.n
    (True, 3)
    """
    found, lookers = pair
    if draws < 1 or not 0 < level < 1:
        raise Misuse(f"got draws={draws}, level={level}; expected 1 or more draws and a level between 0 and 1")
    n = _unit_count(lookers, over)
    value = _value(measure, found, lookers)  # first: what it derives from the map serves all draws
    drawn = [_value(measure, found.detached(), _resample(lookers, over, rng.integers(0, n, n))) for _ in range(draws)]
    lo, hi = interval(np.array(drawn)[:, None], level, units=n)
    return Interval(value, float(lo[0]), float(hi[0]), n)


def mean_interval(values: Sequence[float], *, level: float = 0.95) -> Interval:
    """The mean of a measure over pictures, and its interval. NaN are left out; below three pictures there is none.

    >>> mean_interval([2.0, 2.0, 2.0, math.nan])
    Interval(value=2.0, lo=2.0, hi=2.0, n=3)
    """
    held = np.array([value for value in values if not math.isnan(value)])
    if not len(held):
        raise ValueError(f"got {len(values)} values, all NaN; expected a number for at least one picture")
    lo, hi = small_samples.mean_interval(held[:, None], level=level)[:, 0]
    return Interval(float(held.mean()), float(lo), float(hi), len(held))


def _value(measure: Measure, found: Surface, lookers: Lookers) -> float:
    try:
        return result(measure(found, lookers)).value
    except NotApplicable:
        return math.nan


def _unit_count(lookers: Lookers, over: Unit) -> int:
    sizes = {
        "controls": 0 if lookers.controls is None else len(lookers.controls.points),
        "fixations": len(lookers.points),
        "observers": len(lookers.paths),
    }
    if over not in sizes:
        raise Misuse(f"got over={over!r}; expected one of {', '.join(map(repr, sizes))} (pictures: `mean_interval`)")
    if not sizes[over]:
        raise NotApplicable(f"there are no {over} here to draw from")
    return sizes[over]


def _resample(lookers: Lookers, over: Unit, picks: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Lookers:
    if over == "controls":
        return replace(lookers, controls=_pick_controls(lookers.controls, picks))
    if over == "observers":
        times = np.bincount(picks, minlength=len(lookers.paths))
        again = {
            name: path.at(np.tile(np.arange(len(path)), k))
            for (name, path), k in zip(lookers.paths.items(), times, strict=True)
            if k
        }
        return replace(lookers, paths=again, whole=None)
    owner = np.repeat(np.arange(len(lookers.paths)), [len(path) for path in lookers.paths.values()])
    first = np.concatenate([[0], np.cumsum([len(path) for path in lookers.paths.values()])])
    paths = {name: path.at(picks[owner[picks] == k] - first[k]) for k, (name, path) in enumerate(lookers.paths.items())}
    return replace(lookers, paths=paths, whole=None)


def _pick_controls(controls: Controls | None, picks: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Controls | None:
    if controls is None:
        return None
    return replace(
        controls,
        points=controls.points[picks],
        observer=controls.observer[picks],
        onset_ms=controls.onset_ms[picks],
        picture=controls.picture[picks],
    )
