import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from beholder.stats.bradley_terry import from_pairs, strengths, unlinked, wins

COUNTS = arrays(float, st.integers(2, 6).map(lambda k: (k, k)), elements=st.integers(0, 9).map(float))


def by_iteration(won, rounds=20_000):
    """Hunter's MM iteration, one model after another, as in the paper: γ_i ← W_i / Σ_j n_ij / (γ_i + γ_j)."""
    k = len(won)
    strength = np.ones(k)
    for _ in range(rounds):
        before = strength.copy()
        for i in range(k):
            games = sum((won[i, j] + won[j, i]) / (strength[i] + strength[j]) for j in range(k) if j != i)
            strength[i] = won[i].sum() / games
        strength /= np.exp(np.log(strength).mean())
        if np.abs(strength / before - 1).max() < 1e-13:
            break
    return np.log(strength)


@settings(deadline=None)
@given(st.integers(1, 50), st.integers(1, 50))
def test_two_models_in_closed_form(a, b):
    theta = strengths(np.array([[0, a], [b, 0]], dtype=float))
    assert theta == pytest.approx([np.log(a / b) / 2, -np.log(a / b) / 2], abs=1e-9)


@settings(deadline=None, max_examples=25)
@given(COUNTS)
def test_strengths_are_those_of_the_mm_iteration(counts):
    won = (counts + 0.5) * (1 - np.eye(len(counts)))
    assert strengths(won) == pytest.approx(by_iteration(won), abs=1e-6)


def test_a_chain_of_comparisons():
    # a and c never met: the ratios multiply, 4 : 1 and 9 : 1.
    won = np.array([[0, 4, 0], [1, 0, 9], [0, 1, 0]], dtype=float)
    theta = strengths(won)
    assert np.exp(theta[0] - theta[2]) == pytest.approx(36)


def test_many_tables_at_once():
    rng = np.random.default_rng(0)
    won = rng.integers(1, 9, size=(5, 4, 4)) * (1.0 - np.eye(4))
    assert strengths(won) == pytest.approx(np.stack([strengths(own) for own in won]))


def test_very_unequal_counts_are_solved():
    won = np.array([[0, 10_000, 10_000], [0.5, 0, 10_000], [0.5, 0.5, 0]])
    theta = strengths(won)
    chance = 1 / (1 + np.exp(theta - theta[:, None]))
    assert ((won + won.T) * chance).sum(axis=1) - 0.0 == pytest.approx(won.sum(axis=1), rel=1e-6)


def test_infinite_strengths_are_nan():
    assert np.isnan(strengths(np.array([[0.0, 3.0], [0.0, 0.0]]))).all()


@settings(deadline=None)
@given(COUNTS)
def test_unlinked_sets(counts):
    won = np.where(counts > 6, counts, 0) * (1 - np.eye(len(counts)))
    reach = (won > 0) | np.eye(len(won), dtype=bool)
    for middle in range(len(won)):
        reach |= reach[:, [middle]] & reach[[middle]]
    apart = unlinked(won)
    assert (apart is None) == reach.all()
    if apart is not None:
        assert apart.any()
        assert not apart.all()
        assert not (won[~apart][:, apart] > 0).any()


def test_models_that_never_met():
    won = np.zeros((4, 4))
    won[0, 1] = won[1, 0] = won[2, 3] = won[3, 2] = 1
    assert unlinked(won + won.T, directed=False).sum() == 2
    assert unlinked(np.ones((3, 3)), directed=False) is None


@settings(deadline=None)
@given(arrays(float, (3, 4), elements=st.one_of(st.integers(0, 2).map(float), st.just(np.nan))))
def test_wins_by_the_definition(losses):
    found = wins(losses)
    for a in range(3):
        for b in range(3):
            pairs = [(x, y) for x, y in zip(losses[a], losses[b], strict=True) if not np.isnan([x, y]).any()]
            assert found[a, b] == (0 if a == b else sum((x < y) + (x == y) / 2 for x, y in pairs))


def test_single_comparisons_with_little_prior_are_the_counts_of_wins():
    rng = np.random.default_rng(4)
    first, second = rng.integers(0, 6, (2, 400))
    first, second = first[first != second], second[first != second]
    value = rng.choice([0.0, 0.5, 1.0], len(first))
    won = np.zeros((6, 6))
    np.add.at(won, (first, second), value)
    np.add.at(won, (second, first), 1 - value)
    found = from_pairs(first, second, value, 6, prior=1e-6).strengths
    assert found - found.mean() == pytest.approx(strengths(won), abs=1e-5)


def test_a_prior_keeps_strengths_finite_and_parts_are_told_apart():
    fit = from_pairs(np.array([0, 1, 3]), np.array([1, 2, 4]), np.ones(3), 6)
    assert fit.parts.tolist() == [0, 0, 0, 1, 1, 2]
    assert fit.strengths[0] > fit.strengths[1] > fit.strengths[2]
    assert fit.strengths[3] == pytest.approx(-fit.strengths[4])
    assert fit.strengths[5] == 0
    assert fit.errors[5] > fit.errors[1]  # it was never compared: all that is known is the prior


def test_reliability_rises_with_comparisons():
    rng = np.random.default_rng(0)
    truth = rng.normal(0, 1.5, 40)
    found = []
    for many in (100, 4000):
        first, second = rng.integers(0, 40, (2, many))
        chance = 1 / (1 + np.exp(truth[second] - truth[first]))
        fit = from_pairs(first, second, (rng.random(many) < chance).astype(float), 40)
        found.append(fit.reliability)
    assert found[0] < 0.9
    assert 0.97 < found[1] < 1
