import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from beholder.stats.paired import holm, permutation, sign, wilcoxon

ROWS = st.integers(1, 9).flatmap(
    lambda n: arrays(float, (3, n), elements=st.integers(-3, 3).map(float))  # zeros and ties are common
)


def flips(n):
    return np.array(np.meshgrid(*[[-1, 1]] * n)).reshape(n, -1).T


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 25), st.integers(0, 999))
def test_wilcoxon_is_that_of_scipy_where_nothing_ties(n, seed):
    d = np.random.default_rng(seed).normal(0.3, 1, size=(2, n))
    peer = [stats.wilcoxon(own, method="exact").pvalue for own in d]
    assert wilcoxon(d) == pytest.approx(peer, rel=1e-9)


@settings(deadline=None, max_examples=40)
@given(ROWS)
def test_wilcoxon_with_ties_and_zeros_by_all_signs(d):
    for row, found in zip(d, wilcoxon(d), strict=True):
        own = row[row != 0]
        if not len(own):
            assert found == 1
            continue
        rank = stats.rankdata(np.abs(own))
        sums = ((flips(len(own)) > 0) * rank).sum(axis=1)
        w = rank[own > 0].sum()
        expected = min(1, 2 * min((sums <= w + 1e-9).mean(), (sums >= w - 1e-9).mean()))
        assert found == pytest.approx(expected)


def test_wilcoxon_of_many_is_the_normal_one_of_scipy():
    d = np.round(np.random.default_rng(0).normal(0.2, 1, size=(4, 80)), 1)
    peer = [stats.wilcoxon(own, method="asymptotic", correction=False).pvalue for own in d]
    assert (d == 0).any()
    assert wilcoxon(d) == pytest.approx(peer, rel=1e-9)
    assert wilcoxon(d[:, :30], exact=False) == pytest.approx(
        [stats.wilcoxon(own, method="asymptotic", correction=False).pvalue for own in d[:, :30]], rel=1e-9
    )
    assert wilcoxon(d[:, :50]) == pytest.approx(wilcoxon(d[:, :50], exact=False), abs=0.01)


def test_infinite_differences_have_the_largest_ranks():
    assert wilcoxon(np.array([[1.0, -2.0, np.inf]])) == pytest.approx(wilcoxon(np.array([[1.0, -2.0, 3.0]])))
    assert permutation(np.array([[1.0, -2.0, np.inf]]), rng=np.random.default_rng(0)).tolist() == [0.75]


@settings(deadline=None)
@given(ROWS)
def test_sign_is_the_binomial_test_of_scipy(d):
    for row, found in zip(d, sign(d), strict=True):
        n = int((row != 0).sum())
        expected = stats.binomtest(int((row > 0).sum()), n).pvalue if n else 1.0
        assert found == pytest.approx(expected)


@settings(deadline=None, max_examples=40)
@given(ROWS)
def test_permutation_by_all_signs(d):
    for row, found in zip(d, permutation(d, rng=np.random.default_rng(0)), strict=True):
        sums = np.abs((flips(len(row)) * row).sum(axis=1))
        assert found == pytest.approx((sums >= abs(row.sum()) - 1e-9).mean())


def test_permutation_of_many_is_near_that_of_all_signs():
    d = np.random.default_rng(3).normal(0.3, 1, size=(1, 15))
    expected = (np.abs(flips(15) @ d[0]) >= abs(d.sum()) - 1e-12).mean()
    assert permutation(d, rng=np.random.default_rng(0)) == pytest.approx([expected], abs=0.01)


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), max_size=8).map(np.array))
def test_holm_by_the_definition(p):
    m = len(p)
    for found, own in zip(holm(p), p, strict=True):
        # The largest, over all that are as small or smaller, of each times the number of those not before it.
        smaller = sorted(q for q in p if q <= own)
        assert found == pytest.approx(min(1, max((m - k) * q for k, q in enumerate(smaller))))
