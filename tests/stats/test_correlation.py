import itertools

import numpy as np
import pytest
from scipy import stats

from beholder.stats.correlation import foretold, matrix, partial, partial_of, pearson, single, spearman_brown


@pytest.fixture
def columns():
    rng = np.random.default_rng(0)
    z = rng.normal(size=200)
    return 2 * z + rng.normal(size=200), z - rng.normal(size=200), z


def test_pearson_is_scipys(columns):
    x, y, _ = columns
    assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-12)


def test_partial_is_the_correlation_of_residuals(columns):
    x, y, z = columns
    left = [a - np.polyval(np.polyfit(z, a, 1), z) for a in (x, y)]
    assert partial(x, y, z) == pytest.approx(stats.pearsonr(*left).statistic, abs=1e-12)


def test_pairs_with_a_gap_are_left_out(columns):
    x, y, z = (column.copy() for column in columns)
    x[3], y[5], z[7] = np.nan, np.inf, np.nan
    keep = ~np.isin(np.arange(200), [3, 5, 7])
    assert partial(x, y, z) == pytest.approx(partial(x[keep], y[keep], z[keep]), abs=1e-15)


@pytest.mark.parametrize("scale", [1.0, 0.7, -3.0])
def test_nothing_is_left_of_an_affine_function(columns, scale):
    x, _, z = columns
    assert np.isnan(partial(scale * z + 5, x, z))
    assert np.isnan(partial(x, scale * z.astype(np.float32), z.astype(np.float32)))


@pytest.mark.parametrize("still", [0.0, 0.1, 1e6])
def test_a_constant_has_no_correlation(columns, still):
    assert np.isnan(pearson(np.full(200, still), columns[0]))
    assert np.isnan(partial(columns[0], np.full(200, still), columns[2]))


def test_fewer_than_two_pairs_have_none():
    assert np.isnan(pearson([], []))
    assert np.isnan(pearson([1, np.nan], [2, 3]))


def test_the_matrix_holds_both(columns):
    r = matrix(columns)
    assert r == pytest.approx(np.corrcoef(columns), abs=1e-12)
    assert partial_of(r, 0, 1, 2) == partial(*columns)


def test_spearman_brown():
    assert spearman_brown(0.854) == pytest.approx(0.921, abs=5e-4)
    assert spearman_brown(0.5, times=4) == pytest.approx(0.8)
    assert spearman_brown(1.0) == 1
    assert np.isnan(spearman_brown(-1.0))
    assert np.isnan(spearman_brown(float("nan")))


def between(rho, one, other):
    """The correlation of the means of two groups, of one observer's reliability."""
    return rho * np.sqrt(one * other) / np.sqrt((1 + (one - 1) * rho) * (1 + (other - 1) * rho))


SIZES = list(itertools.product((1, 2, 3, 7), repeat=2))


@pytest.mark.parametrize(("one", "other"), SIZES)
@pytest.mark.parametrize("rho", [-0.05, 0.0, 0.1, 0.426, 0.9, 1.0])
def test_one_observer_is_worth_what_groups_of_any_size_say(rho, one, other):
    r = between(rho, one, other)
    assert single(r, one, other) == pytest.approx(rho, abs=1e-12)
    assert foretold(r, one, other) == pytest.approx(spearman_brown(rho, one + other), abs=1e-12)


@pytest.mark.parametrize("size", [1, 2, 3, 8, 100])
@pytest.mark.parametrize("r", [-0.3, 0.0, 0.266, 0.854, 1.0])
def test_equal_halves_are_spearman_and_browns(r, size):
    assert foretold(r, size, size) == pytest.approx(spearman_brown(r), abs=1e-12)


@pytest.mark.parametrize(("one", "other"), [*SIZES, (25, 25)])
def test_nothing_is_foretold_of_nothing(one, other):
    assert np.isnan(foretold(float("nan"), one, other))
    assert np.isnan(foretold(-1.0, one, other))
