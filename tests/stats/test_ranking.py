import numpy as np
import pytest
from scipy.stats import percentileofscore, rankdata

from beholder.stats import ranking
from beholder.stats.ranking import FEW, midranks, place, placed, top_mask


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


RNG = np.random.default_rng(0)
MANY = {
    "smooth": np.cumsum(RNG.normal(size=FEW + 100)),
    "levels": RNG.integers(0, 256, FEW + 1).astype(float),
    "a few peaks": np.exp(9 * RNG.normal(size=FEW + 3)),
    "two": RNG.integers(0, 2, FEW + 1).astype(float),
    "a spike": np.append(RNG.random(2 * FEW), 1e300),
    "all close": 1 + RNG.integers(0, 40, FEW + 1) * np.finfo(float).eps,
    "constant": np.ones(FEW + 1),
    "without bound": np.append(RNG.random(FEW + 1), -np.inf),
    "from end to end": np.append(RNG.random(FEW + 1), [-1e308, 1e308]),
    "tiny": RNG.integers(0, 9, FEW + 1) * 5e-324,
    "few": RNG.random(50),
}


@pytest.mark.parametrize("most", [None, FEW])  # by a loop; by NumPy, where no loop was loaded
@pytest.mark.parametrize("name", MANY)
def test_counting_is_sorting(name, most, monkeypatch):
    monkeypatch.setattr(ranking, "is_loaded", lambda: most is None)
    among = MANY[name][-most:] if most else MANY[name]
    values = np.concatenate([among[RNG.integers(0, len(among), 150)], among[:3], among[:3], [among.min(), among.max()]])
    for asked in (values, values[:1], np.array([among.max() + 1, 0.3, -7.0])):
        found, expected = placed(asked, among), place(asked, np.sort(among))
        np.testing.assert_array_equal(found.less, expected.less)
        np.testing.assert_array_equal(found.equal, expected.equal)
        assert found.size == expected.size


def test_maps_are_counted_as_they_lie_and_stay_as_they_are():
    shown = np.random.default_rng(1).random((300, 400))
    kept = shown.copy()
    shown.setflags(write=False)
    for among in (shown, shown.T, shown[::-1]):
        np.testing.assert_array_equal(
            placed(shown[:2, :2].ravel(), among).less, [(kept < v).sum() for v in kept[:2, :2].ravel()]
        )
    np.testing.assert_array_equal(shown, kept)
    assert len(placed(np.empty(0), shown).less) == 0


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
