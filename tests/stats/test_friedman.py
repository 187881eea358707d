import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from beholder.stats.friedman import critical_difference, friedman, groups, studentised_range

# Table 5 of Demšar 2006: critical values for the two-tailed Nemenyi test, k = 2 … 10.
TABLE = {
    0.05: (1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164),
    0.10: (1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920),
}


@settings(deadline=None, max_examples=40)
@given(arrays(float, st.tuples(st.integers(3, 6), st.integers(2, 8)), elements=st.integers(0, 5).map(float)))
def test_friedman_is_that_of_scipy(losses):
    rank = stats.rankdata(losses, axis=0)
    found, p = friedman(rank)
    if (rank == rank[:1]).all():
        assert (found, p) == (0.0, 1.0)
        return
    peer = stats.friedmanchisquare(*losses)
    assert found == pytest.approx(peer.statistic, abs=1e-9)
    assert p == pytest.approx(peer.pvalue, abs=1e-9)


@pytest.mark.parametrize("alpha", TABLE)
def test_critical_values_are_those_of_the_table(alpha):
    found = [studentised_range(k, alpha) / np.sqrt(2) for k in range(2, 11)]
    assert found == pytest.approx(TABLE[alpha], abs=0.0011)  # the table's last digit is cut, not rounded, in places


@pytest.mark.parametrize("k", [2, 3, 12, 40])
def test_the_studentised_range_is_that_of_scipy(k):
    assert studentised_range(k) == pytest.approx(stats.studentized_range.ppf(0.95, k, np.inf), abs=1e-5)


def test_the_range_of_very_many():
    found = studentised_range(2000)
    draws = np.random.default_rng(0).normal(size=(3000, 2000))
    assert np.quantile(np.ptp(draws, axis=1), 0.95) == pytest.approx(found, abs=0.1)


def test_a_critical_difference_by_hand():
    # Demšar's example: 4 classifiers on 14 data sets, CD = 2.569 √(4·5 / (6·14)) = 1.25.
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=0.005)
    assert critical_difference(12, 20) == pytest.approx(3.726, abs=0.0005)


@settings(deadline=None)
@given(
    st.lists(st.integers(2, 30).map(lambda n: n / 2), min_size=1, max_size=8).map(np.array),
    st.sampled_from([0, 1, 2.5]),
)
def test_groups_hold_exactly_the_pairs_within_reach(mean, width):
    sets = [set(some.tolist()) for some in groups(mean, width)]
    for a in range(len(mean)):
        for b in range(len(mean)):
            assert any({a, b} <= some for some in sets) == (abs(mean[a] - mean[b]) <= width)
    assert not any(one < other for one in sets for other in sets)
