"""Many tests at once, against SciPy; and what is found where there is nothing to find."""

import numpy as np
import pytest
from scipy.stats import binomtest, false_discovery_control

from beholder.stats.false_discovery import benjamini_hochberg, binomial_above


def test_corrected_values_are_scipys():
    p = np.random.default_rng(0).random(40) ** 2
    assert benjamini_hochberg(p) == pytest.approx(false_discovery_control(p))
    assert len(benjamini_hochberg(np.zeros(0))) == 0


@pytest.mark.parametrize(("held", "of"), [(0, 4), (4, 4), (5, 5), (8, 10), (1, 1)])
def test_the_exact_test_is_scipys(held, of):
    assert float(binomial_above(held, of)) == pytest.approx(binomtest(held, of, alternative="greater").pvalue)


def test_where_people_guess_hardly_any_item_is_found():
    """120 items of 20 answers by a coin: of 200 studies, some 5 % find any; without the correction nearly all do."""
    rng = np.random.default_rng(1)
    p = binomial_above(rng.binomial(20, 0.5, (200, 120)), 20)
    found = np.array([(benjamini_hochberg(row) < 0.05).any() for row in p])
    assert found.mean() <= 0.08
    assert (p < 0.05).any(axis=1).mean() > 0.8
