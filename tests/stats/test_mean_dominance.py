import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from beholder.stats import bootstrap, mean_dominance
from beholder.stats.dominance import circles, layers
from beholder.stats.mean_dominance import Means, mean_membership, settled
from beholder.stats.mean_dominance import mean_dominance as dominance

SIZES = (2, 5, 9, 20)  # units of each cell


def made(seed, models=8, sizes=SIZES, spread=0.3, ends=True):
    rng = np.random.default_rng(seed)
    cells = [rng.normal(size=(models, n)) + 9 * rng.normal(size=n) + spread * np.arange(models)[:, None] for n in sizes]
    both = np.full((2, models, len(sizes)), np.nan)
    if ends:
        for at, own in enumerate(cells):
            if own.shape[1] < 3:
                both[:, :, at] = own.mean(axis=1) + rng.uniform(0, 1, size=models) * np.array([[-1], [1]])
                both[:, 0, at] = np.nan  # unknown
    return Means(cells, [np.arange(n) for n in sizes], both)


def lower(d, level):
    """The lower end of Student's interval, by SciPy."""
    if np.ptp(d) == 0:
        return d.mean()
    return stats.t.interval(level, len(d) - 1, d.mean(), d.std(ddof=1) / np.sqrt(len(d)))[0]


def by_definition(means, level=None):
    """Who dominates whom, pair by pair and cell by cell."""
    models = means.ends.shape[1]
    level = level or means.level
    found = np.zeros((models, models), dtype=bool)
    for a in range(models):
        for b in range(models):
            pairs = [(own[a], own[b]) for own in means.cells]
            gains = [
                lower(y - x, level) > 0
                if len(x) > 2
                else np.nan_to_num(lo[b], nan=y.mean()) > np.nan_to_num(hi[a], nan=x.mean())
                for (x, y), (lo, hi) in zip(pairs, means.ends.transpose(2, 0, 1), strict=True)
            ]
            found[a, b] = all(x.mean() <= y.mean() for x, y in pairs) and any(gains) and a != b
    return found


@pytest.mark.parametrize("spread", [0.1, 0.3, 1.0])
def test_dominance_by_the_definition(spread):
    found = [made(seed, spread=spread) for seed in range(20)]
    assert [dominance(own).tolist() for own in found] == [by_definition(own).tolist() for own in found]
    assert any(dominance(own).any() for own in found)


def test_large_tables_go_another_way_to_the_same_end(monkeypatch):
    means = made(1, models=30)
    weights = list(bootstrap.counts(20, draws=40, rng=np.random.default_rng(0)))
    whole, share = dominance(means), mean_membership(means, weights)
    for name, size in {"SMALL": 0, "ROOM": 900, "PAIRS": 70, "BLOCK": 50}.items():
        monkeypatch.setattr(mean_dominance, name, size)
    assert (dominance(means) == whole).all()
    assert (mean_membership(means, weights) == share).all()
    assert ((share > 0) & (share < 1)).any()


def test_differences_that_products_cannot_see_are_computed_anew():
    rng = np.random.default_rng(2)
    hard = 1e4 * rng.normal(size=(1, 12))
    own = np.concatenate(
        [hard + 1e-4 * rng.normal(size=(6, 12)) + 1e-4 * np.arange(6)[:, None], rng.normal(size=(2, 12))]
    )
    means = Means([own], [np.arange(12)], np.full((2, 8, 1), np.nan))
    assert (dominance(means) == by_definition(means)).all()
    assert dominance(means)[:6, :6].any()


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6), st.floats(0, 1), st.integers(2, 12))
def test_it_never_runs_in_a_circle(seed, spread, models):
    means = made(seed, models=models, sizes=(1, 3, 4), spread=spread)
    means.cells[0].round(0, out=means.cells[0])  # ties
    found = dominance(means)
    assert len(set(circles(found).tolist())) == models
    plain = means.settled
    nowhere_worse = (plain[:, None] <= plain).all(axis=2) & (plain[:, None] < plain).any(axis=2)
    assert (found <= nowhere_worse).all()  # part of the dominance between means
    assert (layers(found) == 1).any()


def test_it_is_not_transitive():
    # On the first criterion a is surely better than b, but c varies so much that nothing is sure of it; on the second
    # b is surely better than c, but a varies so much.
    b, wild = np.arange(8.0), 10 * np.array([1.0, -1, 1, -1, 1, -1, 1, -1])
    first, second = np.stack([b - 1, b, b + 0.1 + wild]), np.stack([b - 0.1 + wild, b, b + 1])
    means = Means([first, second], [np.arange(8)] * 2, np.full((2, 3, 2), np.nan))
    assert dominance(means).astype(int).tolist() == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]


def test_rounding_is_no_difference():
    x = np.array([0.1, 0.2, 0.3, 0.7])
    noisy = np.stack([x, (x * 3) / 3, x * (1 + 1e-13), x + 1.0])
    means = Means([noisy], [np.arange(4)], np.full((2, 4, 1), np.nan))
    assert dominance(means).astype(int).tolist() == [[0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0]]
    chain = np.array([[1.0], [1.0 + 0.6e-9], [1.0 + 1.2e-9], [2.0]])  # the ends of a chain are equal, too
    assert settled(chain, np.ones((4, 1))).ravel().tolist() == [1, 1, 1, 2]


def test_membership_draw_by_draw():
    means = made(3, models=6, sizes=(7, 7), spread=1.5)
    (weights,) = bootstrap.counts(7, draws=25, rng=np.random.default_rng(1))
    total = np.zeros(6)
    for own in weights.astype(int):
        drawn = [np.repeat(cell, own, axis=1).mean(axis=1) for cell in means.cells]
        beaten = np.zeros(6, dtype=bool)
        for a in range(6):
            for b in range(6):
                pairs = [cell[b] - cell[a] for cell in means.cells]
                reach = [d.mean() - lower(d, means.level) for d in pairs]
                ahead = [mean[b] - mean[a] for mean in drawn]
                gain = any(far > max(need, 0) for far, need in zip(ahead, reach, strict=True))
                beaten[b] |= a != b and min(ahead) >= 0 and gain
        total += ~beaten
    assert mean_membership(means, [weights]) == pytest.approx(total / 25)
    assert ((total > 0) & (total < 25)).any()


def test_a_cell_that_a_draw_lacks_says_nothing_in_it():
    cells = [np.array([[1.0], [2.0]]), np.array([[2.0], [1.0]])]
    means = Means(cells, [np.array([0]), np.array([1])], np.full((2, 2, 2), np.nan))
    assert mean_membership(means, [np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])]).tolist() == [2 / 3, 2 / 3]
    assert np.isnan(mean_membership(means, [])).all()


@pytest.mark.parametrize("cells", [1, 40, 400])
def test_many_models_and_components(cells):
    rng = np.random.default_rng(0)
    losses = rng.normal(size=(600, 400)) + np.sort(rng.gamma(2, size=600))[:, None]
    own = np.split(losses, cells, axis=1)
    units = [np.arange(some.shape[1]) for some in own]
    means = Means(own, units, np.full((2, 600, cells), np.nan))
    found = dominance(means)
    some = rng.choice(600, size=12, replace=False)
    few = Means([cell[some] for cell in own], units, means.ends[:, some])
    assert (found[np.ix_(some, some)] == by_definition(few, means.level)).all()
    draws = bootstrap.counts(len(units[0]), draws=20, rng=rng)
    assert (mean_membership(means, draws) > 0).any()
