"""How far raters agree with one another, as a coefficient tells it."""

from __future__ import annotations

import math

from beholder.core.measure import Result, measure
from beholder.study.tables import Coefficient, Size


@measure(better="higher", bounds=(-float("inf"), 1.0), cite="Krippendorff2004")
def agreement(observed: Coefficient, reference: Size) -> Result:
    """Agreement beyond chance = (A_o − A_e) / (1 − A_e): 1 is full agreement, 0 is chance, below 0 raters contradict.

    A_o is the observed agreement and A_e the expected one. The coefficient defines both, and gives its interval; its
    values among raters of one kind are parts. Undefined (NaN) where nothing can be compared: one rater, one item, no
    item with two raters, or the same rating everywhere.

    >>> agreement(Coefficient(0.5, 0.4, 0.6), Size("quality", 3, 20, 20)).value
    0.5
    """
    value, lo, hi, parts, reason = observed
    told = reason if math.isnan(value) else str(reference)
    return Result(value, parts, lo=lo, hi=hi, reason=told, status=reference.status, n=reference.items)
