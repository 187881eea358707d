import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy, pearsonr, spearmanr

from beholder.stats import divergence as of

RNG = np.random.default_rng(0)
P, Q = RNG.random((2, 12, 15))
COARSE = RNG.integers(0, 3, (12, 15)).astype(float)


def test_correlations_are_scipys():
    for other in (Q, COARSE, -P):
        assert of.pearson(P, other) == pytest.approx(pearsonr(P.ravel(), other.ravel()).statistic, abs=1e-14)
        assert of.spearman(P, other) == pytest.approx(spearmanr(P.ravel(), other.ravel()).statistic, abs=1e-14)


@pytest.mark.parametrize("constant", [0.0, 0.1, 1e9 / 3, -7.7])
def test_a_constant_has_no_correlation_whatever_rounding_says(constant):
    assert np.isnan(of.pearson(np.full((12, 15), constant), P))
    assert np.isnan(of.spearman(P, np.full((12, 15), constant)))


def test_small_contrast_on_a_large_ground_is_contrast():
    assert of.pearson(P + 1e6, P) == pytest.approx(1, abs=1e-8)


def test_divergences_are_scipys():
    for base in (2, np.e, 10):
        expected = entropy(P.ravel(), Q.ravel(), base=base)
        assert of.kl(P, Q, eps=0, base=base) == pytest.approx(expected)
        assert of.kl(P, Q, base=base) == pytest.approx(expected)
        assert of.kl(P, Q, eps=0, base=base, guard="added") == pytest.approx(expected)
        assert of.jensen_shannon(P, Q, base=base) == pytest.approx(jensenshannon(P.ravel(), Q.ravel(), base=base) ** 2)
    together = entropy(P.ravel(), base=2) + entropy(P.ravel(), Q.ravel(), base=2)
    assert of.cross_entropy(P, Q) == pytest.approx(together)


def test_zeros():
    p, q = np.array([0.5, 0.5, 0]), np.array([1.0, 0, 0])
    assert of.kl(p, q, eps=0) == np.inf
    assert of.kl(q, p, eps=0) == pytest.approx(np.log(2))
    assert of.kl(p, q) == pytest.approx(0.5 * np.log(0.5) + 0.5 * np.log(0.5 / of.EPS))
    assert of.kl(p, q, eps=1e-3, guard="added") == pytest.approx(
        entropy(np.array([0.501, 0.501, 0.001]), np.array([1.001, 0.001, 0.001]))
    )


def test_the_misprint_of_the_seed_would_be_negative():
    p, r = of.shares(P), of.shares(Q)
    assert (p * np.log(r / p)).sum() < 0 < of.kl(P, Q)


def test_shares_and_stretches():
    assert of.shares(np.array([-3.0, 1.0])).tolist() == [0, 1]
    assert of.shared_mass(of.shares(P), of.shares(P)) == pytest.approx(1)
    assert of.shared_mass(of.shares(P), of.shares(5 * P)) == pytest.approx(1)
    assert of.stretched(COARSE).max() == 1


def test_histograms():
    values, others = RNG.random(500), RNG.random(700) ** 2
    least, most = min(values.min(), others.min()), max(values.max(), others.max())
    np.testing.assert_array_equal(of.counts(values, (least, most), 10), np.histogram(values, 10, (least, most))[0])
    h, g = (np.histogram(v, 10, (least, most))[0] for v in (values, others))
    assert of.histogram_kl(values, others) == pytest.approx(entropy(h, g))
    assert of.histogram_kl(np.ones(3), np.ones(4)) == 0
    assert of.histogram_kl(np.ones(3), np.zeros(4)) == pytest.approx(np.log(1e20), rel=1e-6)


def test_misuse():
    with pytest.raises(ValueError, match="guard='none'"):
        of.kl(P, Q, guard="none")
    with pytest.raises(ValueError, match="base above 1"):
        of.kl(P, Q, base=1)


@pytest.mark.parametrize(
    "change", [lambda v: v, np.round, lambda v: v - 2.0, np.zeros_like, lambda v: v * 1e-300, lambda v: v**20]
)
def test_common_mass_is_the_shared_mass_of_shares(change):
    rng = np.random.default_rng(4)
    a, b = change(3 * rng.random((150, 150))), rng.random((150, 150))
    for one, other in ((a, b), (b, a), (a, a)):
        found = of.common_mass((one, of.mass(one)), (other, of.mass(other)))
        assert found == pytest.approx(of.shared_mass(of.shares(one), of.shares(other)), abs=1e-13)


@pytest.mark.parametrize("size", [5, 64, 70, 90_000])
def test_common_mass_of_the_parts_that_hold_mass_is_that_of_all(size):
    rng = np.random.default_rng(size)
    one, other = rng.random(size), np.where(np.arange(size) // 50 % 3 == 0, rng.random(size), 0.0)
    maps = (one, of.mass(one)), (other, of.mass(other))
    expected = np.minimum(one / one.sum(), other / other.sum()).sum()
    assert of.common_mass(*maps) == pytest.approx(expected, abs=1e-14)
    assert of.common_mass(*maps, held=of.parts_held(other)) == pytest.approx(expected, abs=1e-14)


def test_log_shares_and_entropy_are_those_of_shares():
    for values in (P, P - 0.5, np.zeros((2, 3))):
        own = of.mass(values)
        np.testing.assert_array_equal(of.log_shares(values, own, 1e-3), np.log(of.shares(values) + 1e-3))
        assert of.negative_entropy(values, own) == pytest.approx(-entropy(of.shares(values).ravel()), abs=1e-14)
