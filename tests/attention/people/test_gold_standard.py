"""The gold standard: a density of the others, its bandwidth and weights by cross-validation."""

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter
from scipy.optimize import minimize

from beholder.attention.datasets.simulated import simulated
from beholder.attention.measures.auc import sauc
from beholder.attention.people.ceiling import observers, shrink
from beholder.attention.people.gold_standard import fit_mixture, gold_standard
from beholder.attention.readouts import control_gaussian, surface
from beholder.attention.types import Controls, Lookers, scanpath
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse

SHAPE = (40, 60)


def lookers(spread, seed=0, controls=None):
    """Six observers who look at one place, each so many px away from it."""
    rng = np.random.default_rng(seed)
    paths = {f"o{n}": scanpath(*np.clip(rng.normal([[30], [20]], spread, (2, 8)), 0, [[59], [39]])) for n in range(6)}
    return Lookers(paths, SHAPE, 4.0, controls)


def elsewhere(seed=1):
    """Where people look on other pictures: anywhere."""
    rng = np.random.default_rng(seed)
    points = np.floor(rng.uniform(0, SHAPE[::-1], (300, 2)))
    return Controls(points, np.repeat("a", 300), np.zeros(300), np.repeat("p", 300))


def test_the_kernel_density_is_that_of_scipy():
    found = lookers(6.0)
    counts = np.zeros(SHAPE)
    x, y = found.points.T.astype(int)
    np.add.at(counts, (y, x), 1)
    chosen = fit_mixture(found, bandwidth=1.0)
    smooth = gaussian_filter(counts, 4.0, mode="reflect") / len(x)
    expected = chosen.weights[0] * smooth + chosen.weights[2] / smooth.size
    assert chosen.weights[1] == 0
    np.testing.assert_allclose(np.exp(gold_standard(found, bandwidth=1.0).log), expected, rtol=1e-9)


def test_a_density_adds_up_to_one_and_says_of_whom_it_is():
    found = gold_standard(lookers(6.0, controls=elsewhere()).without("o3"))
    assert np.exp(found.log).sum() == pytest.approx(1, abs=1e-9)
    assert found.by == ("o0", "o1", "o2", "o4", "o5")


def test_who_is_left_out_does_not_enter():
    one = lookers(6.0, controls=elsewhere())
    other = Lookers(one.paths | {"o0": scanpath([1, 2, 3], [1, 1, 1])}, SHAPE, 4.0, one.controls)
    np.testing.assert_array_equal(gold_standard(one.without("o0")).log, gold_standard(other.without("o0")).log)


def test_the_bandwidth_follows_how_far_people_are_apart():
    assert fit_mixture(lookers(1.0)).bandwidth < fit_mixture(lookers(12.0)).bandwidth


def test_the_weights_are_the_likeliest():
    found = lookers(5.0, controls=elsewhere())
    best = fit_mixture(found, bandwidth=1.0)
    points = found.points.astype(int)
    owner = np.repeat(np.arange(6), 8)
    parts = np.zeros((3, 48))
    for k, (x, y) in enumerate(points):
        counts = np.zeros(SHAPE)
        np.add.at(counts, tuple(points[owner != owner[k]].T[::-1]), 1)
        parts[0, k] = gaussian_filter(counts, 4.0, mode="reflect")[y, x] / counts.sum()
    parts[1] = np.exp(control_gaussian(found.controls, SHAPE))[points[:, 1], points[:, 0]]
    parts[2] = 1 / (SHAPE[0] * SHAPE[1])

    def loss(free):
        weights = np.exp(free) / np.exp(free).sum()
        return -np.log2(weights @ parts).mean()

    reached = minimize(loss, np.zeros(3)).fun
    assert best.bits == pytest.approx(-reached, abs=0.0146)  # ours keeps 1 % anywhere: at most log₂ 0.99
    assert -np.log2(np.array(best.weights) @ parts).mean() == pytest.approx(-best.bits)


def test_one_observer_alone_has_fixed_weights():
    alone = lookers(6.0, controls=elsewhere()).only("o1")
    assert fit_mixture(alone).weights == (0.7, 0.25, 0.05)
    assert np.exp(gold_standard(alone).log).sum() == pytest.approx(1, abs=1e-9)


def test_faults():
    with pytest.raises(NotApplicable, match="nobody fixated"):
        gold_standard(Lookers({"a": scanpath([], [])}, SHAPE))
    with pytest.raises(Misuse, match="more than 0 degrees"):
        fit_mixture(lookers(5.0), bandwidth=0)


@pytest.mark.parametrize("id", ["grass", "noise"])
def test_where_nothing_is_to_be_seen_people_are_at_chance_and_not_below(id):
    """With a kernel density of the controls in the mixture the shuffled AUC was 0.41 on both pictures."""
    here = shrink(simulated().load(id).reference)
    gold = {who: surface(gold_standard(here.without(who)), None) for who in observers(here)}
    for prior, off in (("removed", 0.01), ("kept", 0.03)):
        each = [sauc(found, here.only(who), prior=prior).value for who, found in gold.items()]
        assert np.mean(each) == pytest.approx(0.5, abs=off)
