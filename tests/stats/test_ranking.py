import numpy as np
import pytest
from scipy.stats import percentileofscore, rankdata

from beholder.stats.ranking import midranks, place, top_mask


@pytest.mark.parametrize("n", [1, 2, 500])
def test_midranks_are_scipys(n):
    rng = np.random.default_rng(n)
    for values in (rng.random(n), rng.integers(0, 5, n).astype(float), np.ones(n)):
        np.testing.assert_array_equal(midranks(values), rankdata(values))
    assert len(midranks(np.empty(0))) == 0


def test_places_are_scipys_percentiles():
    rng = np.random.default_rng(0)
    among, values = rng.integers(0, 9, 200).astype(float), np.array([-1.0, 0, 4, 4.5, 8, 99])
    standing = place(values, np.sort(among))
    np.testing.assert_allclose(100 * standing.midrank, [percentileofscore(among, v, "mean") for v in values])
    np.testing.assert_allclose(100 * standing.strict, [percentileofscore(among, v, "strict") for v in values])


def test_what_is_taken_away_no_longer_counts():
    every, some = np.arange(6.0), np.array([1.0, 4.0])
    values = np.array([3.0])
    assert place(values, every).without(place(values, some)).midrank == place(values, np.array([0.0, 2, 3, 5])).midrank


def test_the_top_holds_as_many_as_asked_for_whatever_ties():
    rng = np.random.default_rng(0)
    for values in (rng.random((20, 25)), rng.integers(0, 3, (20, 25)).astype(float), np.ones((20, 25))):
        for share in (0.002, 0.05, 0.2, 1.0):
            mask = top_mask(values, share)
            assert mask.sum() == round(share * 500)
            assert values[mask].min() >= values[~mask].max(initial=-np.inf)
    order = np.argsort(-values, axis=None, kind="stable")
    assert mask.ravel()[order[:100]].all()


def test_one_pixel_at_least():
    assert top_mask(np.arange(4.0), 0.01).tolist() == [False, False, False, True]
    for share in (0.0, 1.1, np.nan):
        with pytest.raises(ValueError, match="more than 0 and at most 1"):
            top_mask(np.arange(4.0), share)
