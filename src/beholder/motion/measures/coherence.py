"""Dots by coherence: from which share of common motion on its direction is told."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from beholder.core.measure import NotApplicable, Result, measure
from beholder.motion.courses.series import DRAWS, Floats, Seen, other_than, stimuli_of
from beholder.motion.readouts import STILL, final_direction, trace, wrapped
from beholder.motion.references import HUMAN_EXPECTATION, gaussian, name_placeholders, normal
from beholder.motion.types import Percept, Trace


@measure(
    better="higher",
    bounds=(0, 1),
    cite="MillerUlrich2001,NewsomePare1988",
    reads=trace,
    per="dataset",
    resample="sample",
    draws=DRAWS,
    person=HUMAN_EXPECTATION,
    excludes=other_than("dots"),
)
def coherence_score(found: Sequence[Trace], percepts: Sequence[Percept], *, reference: str = "") -> Result:
    """How close a model's coherence threshold is to people's: exp(−(x − μ)²/σ²), x = log₁₀ of the threshold.

    A movie counts as right where the final direction is within 90° of the common motion, which tells right from left.
    The threshold is the mean of the psychometric function (Spearman and Kärber): with the shares p_i of right movies at
    the coherences c_i, corrected for guessing (2p_i − 1, at least 0) and made monotonic, x = Σ (p_i+1 − p_i)(x_i +
    x_i+1)/2, where
    x_i = log₁₀ c_i, p = 0 one step below the lowest coherence and p = 1 one step above the highest. No direction (NaN)
    counts as half right, like a guess. Movies without common motion are left out; fewer than two coherences: not
    applicable. A threshold outside the range of coherences shown has low confidence. A typical person scores 0.577.

    >>> ways = [Percept("dots", 0.0, 6.0, conditions={"coherence": c}) for c in (0.05, 0.1, 0.1, 0.2)]
    >>> right, left = (Trace(np.zeros(1), np.array([[x, 0.0]]), np.ones(1)) for x in (6.0, -6.0))
    >>> guess = Trace(np.zeros(1), np.full((1, 2), np.nan), np.zeros(1))
    >>> round(coherence_score([guess, right, guess, right], ways).parts["threshold"], 6)  # 0 %, 50 %, 100 % known
    0.1
    """
    those = [one for one in stimuli_of(found, percepts, "dots") if one.condition("coherence") > 0]
    levels = np.unique([one.condition("coherence") for one in those])
    if len(levels) < 2:
        raise NotApplicable("these dots have fewer than two coherences, which gives no threshold")
    shares = np.array(
        [np.mean([share_right(one) for one in those if one.condition("coherence") == at]) for at in levels]
    )
    at = threshold(np.log10(levels), shares)
    of = normal("dots.threshold", reference)
    inside = np.log10(levels[0]) <= at <= np.log10(levels[-1])
    doubt = "" if inside else f"the threshold lies beyond the coherences {levels[0]:g} … {levels[-1]:g} that were shown"
    reason = "; ".join(filter(None, [doubt, name_placeholders({of.id: of})]))
    parts = {"threshold": 10**at, **{f"right_at_{level:g}": share for level, share in zip(levels, shares, strict=True)}}
    return Result(gaussian(at, of), parts, "ok" if inside else "low", reason, status=of.worst)


def threshold(x: Floats, shares: Floats) -> float:
    """The mean of a psychometric function by Spearman and Kärber, from shares of right answers of two at levels x.

    >>> float(threshold(np.array([0.0, 1.0, 2.0]), np.array([0.5, 0.75, 1.0])))
    1.0
    """
    known = _growing(np.clip(2 * shares - 1, 0, 1))
    steps = np.diff(np.concatenate([[0.0], known, [1.0]]))
    wide = np.concatenate([[2 * x[0] - x[1]], x, [2 * x[-1] - x[-2]]])
    return float(steps @ (wide[1:] + wide[:-1]) / 2)


def _growing(values: Floats) -> Floats:
    """The nearest series that does not fall: neighbours that do are pooled to their mean."""
    blocks: list[tuple[float, int]] = []
    for value in values:
        blocks.append((float(value), 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (low, few), (high, many) = blocks.pop(), blocks.pop()
            blocks.append(((low * few + high * many) / (few + many), few + many))
    return np.repeat([value for value, _ in blocks], [count for _, count in blocks])


def share_right(one: Seen) -> float:
    """1 where the final direction is on the side of the common motion, 0 on the other; one half where there is none."""
    final = final_direction(one.trace, slowest=STILL * one.percept.speed)
    return 0.5 if np.isnan(final) else float(abs(wrapped(final - one.percept.object_direction)) < 90)
