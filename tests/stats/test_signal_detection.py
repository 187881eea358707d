"""d′ and its kin against closed forms, a printed table, and the ROC of the ratings one by one."""

import numpy as np
import pytest

from beholder.stats import roc
from beholder.stats.signal_detection import (
    accuracy,
    corrected,
    detection,
    dprime_of_accuracy,
    dprime_of_choices,
    from_rates,
    rating_area,
    rating_dprime,
    two_alternative,
)


def test_the_printed_rates_of_zanca_2020():
    found = from_rates(0.53, 0.46)
    assert float(found.dprime) == pytest.approx(0.176, abs=5e-4)
    assert float(found.criterion) == pytest.approx(0.013, abs=5e-4)


def test_the_log_linear_rule_keeps_rates_from_the_ends_and_counts_decide():
    assert corrected([0, 10], [10, 10]) == pytest.approx([0.5 / 11, 10.5 / 11])
    found = detection([10, 0], 10, [0, 10], 10)
    assert np.isfinite(found.dprime).all()
    assert found.dprime[0] == pytest.approx(-found.dprime[1])
    assert found.criterion == pytest.approx([0, 0], abs=1e-12)
    assert np.isnan(detection(0, 0, 3, 10).dprime)


@pytest.mark.parametrize("dprime", [-0.7, 0.0, 0.176, 1.5])
def test_shares_and_dprime_are_inverse(dprime):
    assert float(dprime_of_accuracy(accuracy(dprime))) == pytest.approx(dprime)
    assert float(dprime_of_choices(two_alternative(dprime))) == pytest.approx(dprime)


def test_two_alternatives_are_easier_than_one():
    rng = np.random.default_rng(0)
    signal, noise = rng.normal(1.0, 1, 200_000), rng.normal(0, 1, 200_000)
    assert float(two_alternative(1.0)) == pytest.approx((signal > noise).mean(), abs=3e-3)
    assert float(accuracy(1.0)) == pytest.approx(((signal > 0.5).mean() + (noise < 0.5).mean()) / 2, abs=3e-3)


def test_the_area_of_counts_is_that_of_the_ratings_one_by_one():
    rng = np.random.default_rng(1)
    signal, noise = rng.integers(2, 7, 40), rng.integers(1, 6, 55)
    counts = [np.bincount(of, minlength=7) for of in (signal, noise)]
    assert float(rating_area(*counts)) == pytest.approx(roc.auc(signal.astype(float), noise.astype(float)))
    assert np.isnan(rating_area([0, 0], [1, 2]))
    assert np.isfinite(rating_dprime([0, 5], [5, 0]))


def test_ratings_recover_the_dprime_of_equal_variances():
    rng = np.random.default_rng(2)
    grades = [np.digitize(rng.normal(mean, 1, 50_000), [-1, 0, 0.5, 1, 2]) for mean in (0.8, 0.0)]
    found = rating_dprime(*(np.bincount(of, minlength=6) for of in grades))
    assert float(found) == pytest.approx(0.8, abs=0.05)  # six grades lose a little
