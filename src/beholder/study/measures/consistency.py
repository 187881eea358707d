"""Whether a model errs where people err."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable, Result, measure
from beholder.stats.bootstrap import mean_of_known
from beholder.study.answers import number
from beholder.study.ratings import Judged

Floats = NDArray[np.float64]


def _consistencies(observed: Sequence[float], references: Sequence[Judged], often: Floats) -> tuple[Floats, ...]:
    """κ, observed and expected agreement with each person, draws × people; NaN where both are always right or wrong."""
    people = list(dict.fromkeys(who for own in references for who in own.values))
    c = np.array([[own.values.get(who, np.nan) for who in people] for own in references]).reshape(
        len(references), len(people)
    )
    own = np.asarray(observed, float)[:, None]
    _refuse_grades(own, "answer")
    _refuse_grades(c, "rating")
    both = np.isfinite(own) & np.isfinite(c)
    n = often @ both
    held = n > 0

    def share(of: NDArray[np.bool_]) -> Floats:
        return np.asarray(np.where(held, often @ (both & of), np.nan) / np.where(held, n, 1))

    mine, theirs = share(own == 1), share(c == 1)
    seen, expected = share(own == c), mine * theirs + (1 - mine) * (1 - theirs)
    some = 1 - expected > 1e-12  # else rounding
    return np.where(some, seen - expected, np.nan) / np.where(some, 1 - expected, 1), seen, expected


def _refuse_grades(values: Floats, what: str) -> None:
    known = values[np.isfinite(values)]
    graded = known[(known != 0) & (known != 1)]
    if len(graded):
        raise NotApplicable(f"got the {what} {graded[0]:g}; error consistency needs right (1) or wrong (0)")


def _draws(observed: Sequence[Any], references: Sequence[Any], often: Floats) -> Floats:
    return mean_of_known(_consistencies(observed, references, often)[0].T)


@measure(
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Geirhos2020",
    reads=number,
    per="dataset",
    resample="cluster",
    at_once=_draws,
)
def error_consistency(observed: Sequence[float], reference: Sequence[Judged]) -> Result:
    """Is a model right and wrong on the same items as people? Cohen's κ of correctness, averaged over people.

    κ = (c_obs − c_exp) / (1 − c_exp), where c_obs is the share of items on which both are right or both wrong, and
    c_exp = p_i p_j + (1 − p_i)(1 − p_j) the share expected of two independent observers with accuracies p_i and p_j. 1
    means the same errors, 0 independent ones. Answers and ratings are 1 (right) or 0 (wrong); not applicable to other
    values. Items that the model or the person did not answer (NaN) are left out, and so is a person for whom κ is
    undefined because both are right (or wrong) on every item. Parts: c_obs and c_exp, means over the same people.

    >>> people = [Judged({"a": 1.0, "b": 1.0}), Judged({"a": 1.0, "b": 0.0}), Judged({"a": 0.0}), Judged({"a": 0.0})]
    >>> found = error_consistency([1, 1, 0, 1], people)  # a: c_obs ¾, c_exp ½; b: c_obs ½, c_exp ½
    >>> found.value, dict(found.parts)
    (0.25, {'observed': 0.625, 'expected': 0.5})
    """
    if not reference:
        raise NotApplicable("nothing to compare: no item was rated")
    kappa, seen, expected = _consistencies(observed, reference, np.ones((1, len(reference))))
    known = np.isfinite(kappa)
    shares = {"observed": seen, "expected": expected}
    parts = {name: float(mean_of_known(np.where(known, of, np.nan).T)[0]) for name, of in shares.items()}
    reason = "" if known.any() else "both are right, or wrong, on every item that they share"
    return Result(float(mean_of_known(kappa.T)[0]), parts if known.any() else {}, reason=reason)
