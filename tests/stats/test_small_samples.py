import numpy as np
import pytest
from scipy import stats

from beholder.stats.proportion import wilson
from beholder.stats.small_samples import mean_interval, pseudo_values


def test_without_skewness_it_is_students_interval():
    x = np.random.default_rng(0).normal(size=9)
    x = np.concatenate([x, 2 * x.mean() - x])
    expected = stats.t.interval(0.95, 17, x.mean(), x.std(ddof=1) / np.sqrt(18))
    assert mean_interval(x[:, None])[:, 0] == pytest.approx(expected, abs=1e-9)


def test_halls_transformation_is_inverted():
    """g(t) = t + r t²/3 + r² t³/27 + r/6 of the studentised distance from either end is Student's quantile."""
    x = np.random.default_rng(1).exponential(size=12)
    r, step = stats.skew(x) / np.sqrt(12), x.std(ddof=1) / np.sqrt(12)
    t = (x.mean() - mean_interval(x[:, None])[:, 0]) / step
    assert t + r * t**2 / 3 + r**2 * t**3 / 27 + r / 6 == pytest.approx(stats.t.ppf([0.975, 0.025], 11))


def test_shares_have_wilsons_interval():
    assert mean_interval(np.array([[1.0], [1.0], [0.0], [1.0]]))[:, 0].tolist() == pytest.approx(wilson(3, 4))
    assert mean_interval(np.ones((5, 1)))[:, 0].tolist() == pytest.approx(wilson(5, 5))


def test_gaps_two_units_and_equal_ones():
    x = np.array([[2.0, 1.0, 0.3], [np.nan, 5.0, 0.3], [2.0, np.nan, 0.3], [3.0, np.nan, 0.3]])
    lo, hi = mean_interval(x)
    assert [lo[0], hi[0]] == pytest.approx(mean_interval(x[[0, 2, 3], :1])[:, 0].tolist())
    assert np.isnan([lo[1], hi[1]]).all()
    assert [lo[2], hi[2]] == pytest.approx([0.3, 0.3])


@pytest.mark.parametrize(
    ("draw", "truth", "n", "least", "most"),
    [
        (lambda rng, shape: rng.normal(size=shape), 0.0, 6, 0.93, 0.97),
        (lambda rng, shape: rng.beta(1, 6, shape), 1 / 7, 6, 0.93, 0.97),
        (lambda rng, shape: rng.beta(1, 6, shape), 1 / 7, 20, 0.93, 0.97),
        (lambda rng, shape: rng.lognormal(size=shape), float(np.exp(0.5)), 6, 0.85, 0.97),
        (lambda rng, shape: rng.lognormal(size=shape), float(np.exp(0.5)), 12, 0.90, 0.97),
        (lambda rng, shape: (rng.random(shape) < 0.8).astype(float), 0.8, 20, 0.93, 0.97),
    ],
    ids=["normal 6", "bad pixels 6", "bad pixels 20", "lognormal 6", "lognormal 12", "share 20"],
)
def test_intervals_cover(draw, truth, n, least, most):
    """The quick version of benchmarks/calibration.py."""
    lo, hi = mean_interval(draw(np.random.default_rng(5), (n, 8000)))
    assert least <= ((lo <= truth) & (truth <= hi)).mean() <= most


def test_pseudo_values_of_a_mean_are_its_values():
    x = np.random.default_rng(0).normal(size=7)
    assert pseudo_values(x.mean(), (x.sum() - x) / 6) == pytest.approx(x)
