import numpy as np
import pytest
from scipy import stats

from beholder.stats.best_set import best_set


@pytest.mark.parametrize("models", [2, 5, 20])
@pytest.mark.parametrize("units", [8, 20])
def test_equal_models_stay_in_the_set(models, units):
    """The quick version of benchmarks/calibration.py: 0.05, and what 300 tables may add by chance."""
    rng = np.random.default_rng(models + units)
    tables = (rng.normal(size=(units, 1)) + rng.normal(size=(units, models)) for _ in range(300))
    assert np.mean([not best_set(losses).within.all() for losses in tables]) <= 0.09


def test_worse_models_are_left_out():
    rng = np.random.default_rng(0)
    found = [best_set(rng.normal(size=(20, 6)) + np.repeat([0, 1.5], 3)).within for _ in range(50)]
    assert np.mean(found, axis=0)[:3].min() > 0.9
    assert np.mean(found, axis=0)[3:].max() < 0.1


def test_of_two_models_it_is_the_sign_flip_test():
    d = np.random.default_rng(3).normal(0.7, 1, size=9)
    peer = stats.permutation_test((d,), lambda x: abs(stats.ttest_1samp(x, 0).statistic), permutation_type="samples",
                                  vectorized=False, alternative="greater", n_resamples=np.inf)  # fmt: skip
    assert best_set(np.stack([np.zeros(9), d], axis=1)).p == pytest.approx([1.0, peer.pvalue])


def test_five_units_tell_nothing():
    assert best_set(np.arange(5.0)[:, None] + [0.0, 100.0]).within.all()
    assert best_set(np.arange(6.0)[:, None] + [0.0, 100.0]).within.tolist() == [True, False]


def test_equal_and_infinite_losses():
    losses = np.tile(np.arange(8.0)[:, None], 3)
    losses[:, 2] = np.inf
    assert best_set(losses).within.tolist() == [True, True, False]
    losses[:, :2] += np.array([0.0, 1e-15])
    assert best_set(losses).within.tolist() == [True, True, False]


def test_the_order_of_models_is_nothing():
    losses = np.random.default_rng(1).normal(size=(15, 6)) + np.linspace(0, 2, 6)
    found, turned = best_set(losses), best_set(losses[:, ::-1])
    assert found.p == pytest.approx(turned.p[::-1])


def test_very_many_models_are_held_against_the_first():
    losses = np.random.default_rng(0).normal(size=(30, 700)) + np.repeat([0.0, 9.0], 350)
    within = best_set(losses).within
    assert within[:350].all()
    assert not within[350:].any()
