"""Equivalence: whether a difference is shown to be smaller than one that would matter."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LEVEL = 0.05
LEAST = 1e-9  # a standard error below this is rounding: draws that do not differ tell nothing


class Equivalence(NamedTuple):
    """Two one-sided tests of a difference against the bounds ± `bound`."""

    estimate: float
    bound: float
    lo: float  # of the 90 % interval: both ends lie within the bounds where p < 0.05
    hi: float
    p: float  # the larger of both tests'

    @property
    def equivalent(self) -> bool:
        """Whether the difference is shown to be smaller than the bound."""
        return self.p < LEVEL

    @property
    def different(self) -> bool:
        """Whether it is shown to be larger than the bound: the whole interval lies outside."""
        return self.lo > self.bound or self.hi < -self.bound


def tost(estimate: float, se: float, bound: float, *, df: float = math.inf) -> Equivalence:
    """Two one-sided tests (Schuirmann 1987): |difference| < bound, if both t's say so.

    t₁ = (estimate + bound) / se and t₂ = (bound − estimate) / se, each by Student's t with `df` degrees of freedom
    (normal by default); p is the larger p. A difference test that fails proves nothing; this one can.

    >>> tost(0.0, 1.0, 2.0).equivalent, tost(0.0, 1.0, 1.0).equivalent, round(tost(0.0, 1.0, 2.0).p, 4)
    (True, False, 0.0228)
    """
    if bound <= 0:
        raise ValueError(f"got the bound {bound:g}; expected a number above 0")
    if not (se > 0 and math.isfinite(estimate)):
        return Equivalence(estimate, bound, math.nan, math.nan, math.nan)
    from scipy.special import stdtr, stdtrit

    many = df if math.isfinite(df) else 1e10
    reach = float(stdtrit(many, 1 - LEVEL)) * se
    p = max(float(stdtr(many, -(estimate + bound) / se)), float(stdtr(many, -(bound - estimate) / se)))
    return Equivalence(estimate, bound, estimate - reach, estimate + reach, p)


def tost_of_draws(estimate: float, draws: Floats, bound: float) -> Equivalence:
    """The same from a bootstrap distribution of the difference: its standard deviation is the standard error.

    Of draws that are all the same nothing is tested (NaN).

    >>> draws = np.random.default_rng(0).normal(0.0, 1.0, 10_000)
    >>> tost_of_draws(0.0, draws, 2.0).equivalent
    True
    """
    known = draws[np.isfinite(draws)]
    se = float(known.std(ddof=1)) if len(known) > 1 else math.nan
    return tost(estimate, se if se > LEAST else math.nan, bound)
