"""Two one-sided tests: their level, their power, and SciPy's t."""

import numpy as np
import pytest
from scipy import stats

from beholder.stats.equivalence import tost, tost_of_draws


def test_both_tests_are_students():
    rng = np.random.default_rng(0)
    x = rng.normal(0.1, 1, 30)
    se = x.std(ddof=1) / np.sqrt(30)
    found = tost(x.mean(), se, 0.6, df=29)
    apart = [stats.ttest_1samp(x, bound, alternative=side).pvalue for bound, side in ((-0.6, "greater"), (0.6, "less"))]
    assert found.p == pytest.approx(max(apart))
    assert (found.lo, found.hi) == pytest.approx(stats.t.interval(0.9, 29, x.mean(), se))


def test_at_the_bound_it_errs_in_one_of_twenty():
    rng = np.random.default_rng(1)
    x = rng.normal(0.5, 1, (4000, 40))
    found = [tost(row.mean(), row.std(ddof=1) / np.sqrt(40), 0.5, df=39).equivalent for row in x]
    assert np.mean(found) == pytest.approx(0.05, abs=0.012)


@pytest.mark.parametrize(
    ("estimate", "equivalent", "different"), [(0.0, True, False), (0.9, False, False), (3, False, True)]
)
def test_what_is_shown(estimate, equivalent, different):
    found = tost(estimate, 0.2, 1.0)
    assert (found.equivalent, found.different) == (equivalent, different)


def test_without_an_error_nothing_is_shown():
    assert not tost(0.0, float("nan"), 1.0).equivalent
    assert not tost_of_draws(0.0, np.array([np.nan]), 1.0).equivalent
    with pytest.raises(ValueError, match=r"got the bound 0; expected"):
        tost(0.0, 1.0, 0.0)
