"""Correlations of bootstrap draws against SciPy on the same draws written out."""

import numpy as np
import pytest
from scipy import stats

from beholder.stats import resampled_correlation as ours

PEERS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize("levels", [2, 5, 1000])
def test_each_draw_is_what_scipy_says_of_its_sample(name, levels):
    rng = np.random.default_rng(levels)
    x, y = rng.integers(0, levels, (2, 40)).astype(float)
    y = y + x
    counts = np.stack([np.bincount(rng.integers(0, 40, 40), minlength=40) for _ in range(30)]).astype(float)
    found = getattr(ours, name)(x, y, counts)
    samples = [np.repeat(np.arange(40), row.astype(int)) for row in counts]
    assert found == pytest.approx([PEERS[name](x[some], y[some])[0] for some in samples], abs=1e-12)
    assert getattr(ours, name)(x, y)[0] == pytest.approx(PEERS[name](x, y)[0], abs=1e-12)


@pytest.mark.parametrize("name", PEERS)
def test_rows_of_few_systems(name):
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 4, (2, 50, 5)).astype(float)
    x[0, 2] = np.nan
    x[1] = 3.0
    found = ours.in_rows(getattr(ours, name), x, y)
    held = [0, 1, 3, 4]
    assert found[0] == pytest.approx(PEERS[name](x[0, held], y[0, held])[0])
    assert np.isnan(found[1])
    with np.errstate(all="ignore"):
        expected = [
            PEERS[name](a, b)[0] if np.ptp(a) and np.ptp(b) else np.nan for a, b in zip(x[2:], y[2:], strict=True)
        ]
    assert found[2:] == pytest.approx(expected, nan_ok=True, abs=1e-12)


def test_a_large_mean_does_not_hide_a_small_spread():
    x = 1e6 + np.array([0.0, 1e-3, 2e-3, 1e-3])
    assert ours.pearson(x, x)[0] == pytest.approx(1, abs=1e-6)
    assert np.isnan(ours.pearson(np.full(4, 1e6 + 0.1), x)[0])
