"""Wilson's interval, beside SciPy's."""

import pytest
from scipy.stats import binomtest

from beholder.stats.proportion import wilson


@pytest.mark.parametrize(("held", "of"), [(0, 4), (1, 3), (3, 4), (4, 4), (7, 19), (100, 250)])
def test_it_is_scipys(held, of):
    peer = binomtest(held, of).proportion_ci(0.95, method="wilson")
    assert wilson(held, of) == pytest.approx((peer.low, peer.high), abs=1e-12)


def test_no_trial_says_nothing():
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("held", "of"), [(-1, 3), (4, 3)])
def test_what_is_no_count_is_refused(held, of):
    with pytest.raises(ValueError, match="expected a number between 0 and the number of trials"):
        wilson(held, of)
