import numpy as np
import pytest
from scipy.stats import ks_2samp, wasserstein_distance

from beholder.stats.samples import circular_wasserstein, kolmogorov_smirnov, kuiper, mean, wasserstein


@pytest.mark.parametrize("seed", range(5))
def test_as_scipy_has_them(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(0, 1, 30).round(1), rng.normal(1, 2, 47).round(1)  # with ties
    assert wasserstein(a, b) == pytest.approx(wasserstein_distance(a, b))
    assert kolmogorov_smirnov(a, b) == pytest.approx(ks_2samp(a, b).statistic)


@pytest.mark.parametrize("seed", range(5))
def test_a_circle_has_no_beginning(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.uniform(-180, 180, 20), rng.normal(30, 60, 15)
    for turn in (0, 77, 180, 300):
        assert circular_wasserstein(a + turn, b + turn) == pytest.approx(circular_wasserstein(a, b))
        assert kuiper(a + turn, b + turn) == pytest.approx(kuiper(a, b))


def test_the_circle_is_cut_where_it_costs_least():
    rng = np.random.default_rng(9)
    a, b = rng.uniform(0, 360, 12), rng.uniform(0, 360, 12)
    cuts = np.sort(np.concatenate([a, b])) - 1e-9
    lines = [wasserstein_distance((a - cut) % 360, (b - cut) % 360) for cut in cuts]
    assert circular_wasserstein(a, b) <= min(lines) + 1e-9
    matched = min(
        np.abs((np.sort(a) - np.roll(np.sort(b), shift) + 180) % 360 - 180).mean() for shift in range(12)
    )  # equally many: the best rotation of the sorted pairing
    assert circular_wasserstein(a, b) == pytest.approx(matched)


def test_empty_samples_are_refused():
    with pytest.raises(ValueError, match="samples of 0 and 2"):
        wasserstein(np.empty(0), np.ones(2))


@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 15, 100, 1000])
def test_a_mean_is_that_of_numpy_to_the_last_digit(n):
    values = np.random.default_rng(n).normal(0, 1, n)
    assert mean(values) == mean(values.tolist()) == np.mean(values)
