"""The counts below which confidence is low, drawn again: right and wrong change places in less than 5 % of draws."""

import numpy as np
import pytest
from scipy.stats import norm

from beholder.stats.resampled_correlation import spearman
from beholder.stats.small_counts import FIXATIONS, MOVEMENTS, POINTS, too_few

DRAWS = 1000


def areas(count):
    """Areas of 0.85 and 0.75 on the same fixations, whose ranks under both maps are correlated by one half."""
    rng = np.random.default_rng(0)
    one, other = rng.normal(size=(2, DRAWS, count))
    other = (one + np.sqrt(3) * other) / 2
    return [
        norm.cdf(norm.ppf(area) * np.sqrt(2) + z).mean(axis=1)
        for area, z in zip((0.85, 0.75), (one, other), strict=True)
    ]


def test_areas_of_fifteen_fixations_tell_a_better_map():
    right, wrong = areas(FIXATIONS)
    assert (right.mean(), wrong.mean()) == pytest.approx((0.85, 0.75), abs=0.01)  # few do not bias an area
    assert np.mean(right <= wrong) < 0.05
    right, wrong = areas(5)
    assert np.mean(right <= wrong) > 0.1


@pytest.mark.parametrize(("count", "wrong"), [(POINTS, (0, 0.05)), (5, (0.1, 0.3))])
def test_a_correlation_of_fifteen_points_has_the_right_sign(count, wrong):
    rng = np.random.default_rng(0)
    x, noise = rng.normal(size=(2, DRAWS, count))
    y = (x + np.sqrt(3) * noise) / 2  # r = 0.5
    found = [spearman(*pair)[0] for pair in zip(x, y, strict=True)]
    assert wrong[0] <= np.mean(np.array(found) <= 0) < wrong[1]


def test_the_sentence_names_both_counts():
    assert too_few(5, MOVEMENTS, "saccades", of="a divergence") == (
        "only 5 saccades: a divergence of fewer than 50 is mostly chance"
    )
    assert too_few(MOVEMENTS, MOVEMENTS, "saccades", of="a divergence") == ""
