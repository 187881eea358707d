"""The course of diamonds in each direction of motion, its fit, and how far the score of that fit can be trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from beholder.core.measure import NotApplicable
from beholder.motion.courses.chance import draw_means, interval_around
from beholder.motion.courses.fit import PARAMETERS, Fit, fit, intervals, resampled
from beholder.motion.courses.series import Floats, Seen, mean, other_than, tilted
from beholder.motion.references import Record, gaussian
from beholder.motion.types import Percept

NO_DECAY = "no visible decay, so there is no time constant"
POOR = "poor fit: at a bound, or r² below 0.5"


class Decay(NamedTuple):
    """What became of the diamonds of one direction."""

    direction: float  # degrees
    curve: Fit | None = None  # None: too few instants have a direction
    again: Floats = np.empty((0, 3))  # draws × 3: α, β and τ of the curve with its residuals drawn anew
    doubt: str = ""
    # Degrees between the mean errors of clockwise and counter-clockwise figures; where a direction has one of them
    # only, over all directions.
    asymmetry: float = np.nan

    def scores(self, of: Sequence[Record]) -> list[float]:
        """s_α, s_β and s_τ; 0 for what is not there."""
        fitted = (getattr(self.curve, name) if self.curve else np.nan for name in PARAMETERS)
        return [gaussian(value, one) for value, one in zip(fitted, of, strict=True)]


def no_plain_diamond(percept: Percept) -> str:
    """Why this is no diamond of type II, untextured and of full contrast, as Tlapale et al. (2012) have; else "".

    >>> no_plain_diamond(Percept("diamond", 0.0, 10.0, vector_average=44.0, conditions={"contrast": 0.1}))
    'this diamond is a control: of low contrast'
    """
    named = percept.control or ("" if tilted(percept) else "where its edges point is not known")
    return other_than("diamond")(percept) or (f"this diamond is a control: {named}" if named else "")


def is_plain_diamond(one: Seen) -> bool:
    """Whether a diamond is of type II, untextured and of full contrast."""
    return not no_plain_diamond(one.percept)


def course(those: Sequence[Seen], *, absolute: bool = True, window: float = 0.45) -> tuple[Floats, Floats]:
    """The mean error over some stimuli at each instant from the onset of motion to the end of the window.

    Where one of them has no direction, the mean is of the others.
    """
    seconds = those[0].trace.seconds
    if any(not np.array_equal(one.trace.seconds, seconds) for one in those):
        raise NotApplicable("these stimuli have different frame rates or durations; expected the same for all")
    stack = np.stack([np.abs(one.error) if absolute else one.error for one in those])
    inside = (seconds >= 0) & (seconds <= window + 1e-9)
    return seconds[inside], np.array([mean(column) for column in stack[:, inside].T])


def time_constant(those: Sequence[Seen]) -> float:
    """τ of the mean error towards the vector average, in seconds; NaN where there is no decay."""
    try:
        return fit(*course(those, absolute=False)).tau
    except NotApplicable:
        return np.nan


def decays(those: Sequence[Seen], *, absolute: bool, window: float, draws: int) -> list[Decay]:
    """The diamonds of each direction of motion, averaged over their turns and fitted."""
    groups: dict[float, list[Seen]] = {}
    for one in those:
        groups.setdefault(round(one.percept.object_direction % 360, 6), []).append(one)
    rng = np.random.default_rng(0)  # the same table whoever computes it, and whenever
    courses = {way: course(groups[way], absolute=absolute, window=window) for way in sorted(groups)}
    overall = _asymmetry(those)
    apart = {way: own if np.isfinite(own := _asymmetry(groups[way])) else overall for way in courses}
    return [_fitted(Decay(way, asymmetry=apart[way]), of, draws=draws, rng=rng) for way, of in courses.items()]


def _asymmetry(own: Sequence[Seen]) -> float:
    ccw, cw = (mean([mean(one.error) for one in own if one.percept.bias * side > 0]) for side in (1, -1))
    return abs(ccw - cw)


def _fitted(bare: Decay, of: tuple[Floats, Floats], *, draws: int, rng: np.random.Generator) -> Decay:
    try:
        curve = fit(*of)
    except NotApplicable as why:
        nothing = np.full((draws, len(PARAMETERS)), np.nan)
        return bare._replace(again=nothing, doubt=f"{why}: the score is 0")
    again = resampled(*of, rng=rng, draws=draws)
    doubt = {"none": NO_DECAY, "poor_fit": POOR}.get(curve.status, "")
    return bare._replace(curve=curve, again=again, doubt=doubt)


def interval(found: Sequence[Decay], of: Sequence[Record], fewest: float) -> tuple[float, float]:
    """The 95 % interval of the mean score over three sources of chance, drawn anew together.

    The residuals of each fit; the directions; and the people: the mean of a parameter is N(μ, σ²/n) for n observers,
    `fewest` where the record does not say how many there were.
    """
    rng = np.random.default_rng(1)  # another stream than that of the residuals
    drawn = np.stack([one.again for one in found])  # directions × draws × parameters
    ways, draws, _ = drawn.shape
    picks = drawn[rng.integers(ways, size=(draws, ways)), np.arange(draws)[:, None]]
    those, sd = draw_means(of, fewest, draws=draws, rng=rng), np.array([one.spread for one in of])
    scores = np.nan_to_num(np.exp(-(((picks - those[:, None]) / sd) ** 2))).mean(axis=(1, 2))
    return interval_around(average_score(found, of), scores)


def average_score(found: Sequence[Decay], of: Sequence[Record]) -> float:
    """The mean score over parameters and directions."""
    return float(np.mean([one.scores(of) for one in found]))


def describe_doubts(found: Sequence[Decay]) -> str:
    """What is to be said against the fits, and of how many directions."""
    counts = Counter(one.doubt for one in found if one.doubt)
    where = {doubt: f" in {many} of {len(found)} directions" for doubt, many in counts.items() if many < len(found)}
    return "; ".join(f"{doubt}{where.get(doubt, '')}" for doubt in counts)


def parts(found: Sequence[Decay], of: Sequence[Record]) -> dict[str, float]:
    """The fitted numbers, their ends and their scores as means over directions; and α, β and τ of each direction."""
    names = (*PARAMETERS, "latency", "r2", "shape")
    fitted = {name: mean([getattr(one.curve, name) for one in found if one.curve]) for name in names}
    scores = np.mean([one.scores(of) for one in found], axis=0)
    scored = {f"score_{name}": float(score) for name, score in zip(PARAMETERS, scores, strict=True)}
    each = {
        f"{name}_{one.direction:g}": float(getattr(one.curve, name)) if one.curve else np.nan
        for one in found
        for name in PARAMETERS
    }
    return fitted | _ends(found) | scored | {"asymmetry": mean([one.asymmetry for one in found])} | each


def _ends(found: Sequence[Decay]) -> dict[str, float]:
    """The 95 % intervals of α, β and τ, means over directions, from the residuals of their fits drawn anew."""
    drawn = np.stack([one.again for one in found])  # directions × draws × parameters
    means = np.array([[mean(column) for column in draw.T] for draw in drawn.swapaxes(0, 1)])
    of = intervals(means)
    return {f"{name}_{end}": of[name][at] for name in PARAMETERS for at, end in enumerate(("lo", "hi"))}
