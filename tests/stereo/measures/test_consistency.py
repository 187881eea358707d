import numpy as np
import pytest

from beholder.core.measure import NotApplicable
from beholder.stereo.measures.consistency import inconsistency
from beholder.stereo.scenes.pairs import Share


def test_by_hand():
    # d/f of the pairs: 4, 6 and 8; 1/f: 1, 2 and 2
    maps = [np.array([4.0]), np.array([3.0]), np.array([4.0])]
    shares = [Share(1.0), Share(0.5), Share(-0.5)]
    # |4 − 6|/√5 = 0.89, |4 − 8|/√5 = 1.79, |6 − 8|/√8 = 0.71
    found = inconsistency(maps, shares)
    assert found.value == pytest.approx(100 / 3)
    assert found.parts["median"] == pytest.approx(2 / 5**0.5)
    assert found.parts["compared"] == 1
    assert inconsistency(maps, shares, delta=0.8).value == pytest.approx(200 / 3)


def test_holes_are_not_compared_and_a_pair_counts_once():
    one, half = np.array([4.0, np.nan, 4.0]), np.array([2.0, 9.0, np.nan])
    found = inconsistency([one, half], [Share(1.0), Share(0.5)])
    assert (found.value, found.parts["compared"]) == (0, pytest.approx(1 / 3))
    twice = inconsistency([one, half, half], [Share(1.0), Share(0.5), Share(0.5)])
    assert twice == found
    with pytest.raises(NotApplicable, match="only one pair"):
        inconsistency([one, one], [Share(1.0), Share(1.0)])
    with pytest.raises(NotApplicable, match="no pixel has an estimate in two"):
        inconsistency([one * np.nan, half], [Share(1.0), Share(0.5)])


def test_noise_of_one_matching_error_has_the_same_spread_whatever_the_baselines():
    rng = np.random.default_rng(0)
    scene = rng.uniform(10, 20, 50_000)
    for f, g in ((1.0, 0.5), (0.25, 1.5), (-2.0, 0.5)):
        maps = [abs(h) * scene + 0.5 * rng.standard_normal(scene.size) for h in (f, g)]
        # |δ| of a normal of spread 0.5 has the median 0.5 · 0.6745
        assert inconsistency(maps, [Share(f), Share(g)]).parts["median"] == pytest.approx(0.337, abs=0.01)
