import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from beholder.stats.ranks import kendall, ranks, steady

TABLES = arrays(float, st.tuples(st.integers(1, 8), st.integers(1, 6)), elements=st.integers(0, 4).map(float))


@pytest.mark.parametrize("ties", ["min", "average"])
@given(losses=TABLES)
def test_ranks_are_those_of_scipy(ties, losses):
    from scipy.stats import rankdata

    assert (ranks(losses, ties) == rankdata(losses, method=ties, axis=0)).all()


@pytest.mark.parametrize("ties", ["min", "average"])
def test_tall_tables_are_ranked_alike(ties):
    from scipy.stats import rankdata

    losses = np.random.default_rng(0).integers(0, 9, size=(40, 3)).astype(float)
    assert (ranks(losses, ties) == rankdata(losses, method=ties, axis=0)).all()


@settings(deadline=None)
@given(st.integers(2, 9).flatmap(lambda n: arrays(float, (2, n), elements=st.integers(0, 4).map(float))))
def test_kendall_is_that_of_scipy(pair):
    from scipy.stats import kendalltau

    a, b = pair
    expected = kendalltau(a, b).statistic if np.ptp(a) and np.ptp(b) else np.nan
    assert kendall(a, b) == pytest.approx(expected, nan_ok=True)


def test_steady_values_keep_what_differs():
    values = np.array([1.0, 1.0 + 1e-9, 0.0, -np.inf, np.nan])
    assert steady(values)[:4].tolist() == values[:4].tolist()
    assert steady(np.zeros(3)).tolist() == [0, 0, 0]
    assert len(set(steady(np.array([1e6 / 3, 1e6 / 3 * (1 + 1e-15)])))) == 1
