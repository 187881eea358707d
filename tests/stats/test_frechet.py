import numpy as np
import pytest
from scipy.linalg import sqrtm

from beholder.stats.frechet import cloud, cloud_of, distance


def covariance(rng, d):
    root = rng.normal(size=(d + 2, d))
    return root.T @ root / d


def test_it_is_the_closed_form_of_two_gaussians():
    rng = np.random.default_rng(0)
    for d in (1, 3, 8):
        one, other = covariance(rng, d), covariance(rng, d)
        mean, shift = rng.normal(size=(2, d))
        expected = np.square(shift).sum() + np.trace(one + other - 2 * sqrtm(one @ other).real)
        got = distance(cloud_of(mean, one), cloud_of(mean + shift, other))
        assert got.value == pytest.approx(expected, rel=1e-9)
        assert got.value == got.mean + got.spread


def test_commuting_covariances_by_hand():
    # Σ₁ = diag(1, 4), Σ₂ = diag(9, 4): (1 − 3)² + (2 − 2)² = 4, and a shift of (3, 4) adds 25.
    got = distance(cloud_of(np.zeros(2), np.diag([1.0, 4])), cloud_of(np.array([3.0, 4]), np.diag([9.0, 4])))
    assert got.value == pytest.approx(29)


def test_features_and_their_statistics_say_the_same():
    rng = np.random.default_rng(1)
    one, other = rng.normal(size=(50, 6)), rng.normal(1, 2, size=(40, 6))
    stats = cloud_of(other.mean(axis=0), np.cov(other.T))
    assert distance(cloud(one), cloud(other)).value == pytest.approx(distance(cloud(one), stats).value)
    assert distance(cloud(one), cloud(one)).value == pytest.approx(0, abs=1e-12)


def test_more_dimensions_than_samples():
    rng = np.random.default_rng(2)
    one, other = rng.normal(size=(5, 40)), rng.normal(size=(7, 40))
    expected = np.square(one.mean(0) - other.mean(0)).sum() + np.trace(np.cov(one.T) + np.cov(other.T))
    shared = np.sqrt(np.maximum(np.linalg.eigvals(np.cov(one.T) @ np.cov(other.T)).real, 0)).sum()
    assert distance(cloud(one), cloud(other)).value == pytest.approx(expected - 2 * shared, rel=1e-6)


def test_small_samples_are_biased_upwards():
    rng = np.random.default_rng(3)
    found = [distance(cloud(rng.normal(size=(n, 8))), cloud(rng.normal(size=(n, 8)))).value for n in (20, 2000)]
    assert found[0] > 10 * found[1] > 0  # both are of one distribution, so that the truth is 0
