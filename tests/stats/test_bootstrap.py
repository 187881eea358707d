import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beholder.stats import bootstrap


def drawn_counts(n, draws, strata=None, seed=0):
    return np.concatenate(list(bootstrap.counts(n, draws=draws, rng=np.random.default_rng(seed), strata=strata)))


def test_every_draw_holds_as_many_units_as_there_are():
    assert (drawn_counts(7, 50).sum(axis=1) == 7).all()


def test_counts_have_the_mean_and_the_variance_of_a_multinomial():
    counts = drawn_counts(10, 20_000)
    # Each count is binomial(10, 1/10): mean 1, variance 0.9; standard errors are 0.0067 and 0.011.
    assert counts.mean(axis=0) == pytest.approx(np.ones(10), abs=0.04)
    assert counts.var(axis=0) == pytest.approx(np.full(10, 0.9), abs=0.06)


def test_blocks_add_up_to_the_draws(monkeypatch):
    monkeypatch.setattr(bootstrap, "BLOCK", 20)
    blocks = list(bootstrap.counts(8, draws=5, rng=np.random.default_rng(0)))
    assert [len(block) for block in blocks] == [2, 2, 1]


def test_strata_are_drawn_apart():
    counts = drawn_counts(6, 200, strata=np.array([0, 1, 0, 1, 2, 0]))
    assert (counts[:, [0, 2, 5]].sum(axis=1) == 3).all()
    assert (counts[:, [1, 3]].sum(axis=1) == 2).all()
    assert (counts[:, 4] == 1).all()
    assert counts[:, 0].std() > 0


def test_strata_join_units_through_shared_cells():
    # Units 0 and 1 share cell 0, 1 and 2 share cell 1, unit 3 has a cell of its own, and 4 and 5 another.
    units = np.array([0, 1, 1, 2, 3, 4, 5])
    cells = np.array([0, 0, 1, 1, 2, 3, 3])
    assert bootstrap.strata(units, cells).tolist() == [0, 0, 0, 1, 2, 2]


def test_interval_agrees_with_scipy():
    from scipy.stats import bootstrap as peer

    values = np.random.default_rng(5).gamma(2.0, size=40)
    ours = bootstrap.interval(bootstrap.means(values[:, None], draws=20_000, rng=np.random.default_rng(1)))
    theirs = peer(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(2)
    ).confidence_interval
    spread = values.std() / np.sqrt(40)
    # The standard error of a 2.5 % quantile of 20,000 nearly normal draws is 0.019 spreads.
    assert ours[0][0] == pytest.approx(theirs.low, abs=0.1 * spread)
    assert ours[1][0] == pytest.approx(theirs.high, abs=0.1 * spread)
    assert theirs.high - theirs.low > 3 * spread


def test_columns_are_paired():
    values = np.random.default_rng(3).normal(size=(12, 1))
    drawn = bootstrap.means(np.hstack([values, values + 2]), draws=100, rng=np.random.default_rng(0))
    assert drawn[:, 1] - drawn[:, 0] == pytest.approx(np.full(100, 2.0))


def test_means_of_draws_by_hand(monkeypatch):
    weights = np.array([[2.0, 0.0, 1.0], [0.0, 3.0, 0.0]])
    monkeypatch.setattr(bootstrap, "counts", lambda n, **_: iter([weights]))
    values = np.array([[1.0, 5.0], [4.0, np.nan], [10.0, np.inf]])
    drawn = bootstrap.means(values, draws=2, rng=np.random.default_rng(0))
    assert drawn[:, 0].tolist() == [4.0, 4.0]
    assert drawn[0, 1] == np.inf
    assert np.isnan(drawn[1, 1])


@settings(deadline=None)
@given(st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_means_lie_between_the_extremes(n, seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, 3))
    drawn = bootstrap.means(values, draws=20, rng=rng)
    assert (drawn >= values.min(axis=0) - 1e-12).all()
    assert (drawn <= values.max(axis=0) + 1e-12).all()


def test_same_generator_same_draws():
    values = np.arange(6.0)[:, None]
    once, again = (bootstrap.means(values, draws=10, rng=np.random.default_rng(4)) for _ in range(2))
    other = bootstrap.means(values, draws=10, rng=np.random.default_rng(5))
    assert (once == again).all()
    assert (once != other).any()


def test_interval_leaves_out_nan_and_meets_infinity():
    line = np.linspace(0, 100, 101)
    gaps = np.concatenate([line, np.full(99, np.nan)])
    full = np.concatenate([line, np.full(99, 50.0)])
    high = np.concatenate([line, np.full(99, np.inf)])
    nothing = np.full(200, np.nan)
    lo, hi = bootstrap.interval(np.stack([gaps, full, nothing], axis=1), level=0.9)
    assert (lo[0], hi[0]) == (pytest.approx(5), pytest.approx(95))
    assert lo[1] == pytest.approx(9.95)
    assert np.isnan([lo[2], hi[2]]).all()
    lo, hi = bootstrap.interval(high[:, None])
    assert lo[0] == 5  # the nearest of 200 draws to the 2.5 % quantile, at 4.975
    assert hi[0] == np.inf


def test_without_draws_there_is_no_interval():
    drawn = bootstrap.means(np.arange(4.0)[:, None], draws=0, rng=np.random.default_rng(0))
    lo, hi = bootstrap.interval(drawn)
    assert drawn.shape == (0, 1)
    assert np.isnan([lo[0], hi[0]]).all()


def test_halves_are_equally_likely_and_keep_single_units():
    strata = np.array([0, 0, 0, 0, 1])
    chosen = np.concatenate(list(bootstrap.halves(5, draws=6000, rng=np.random.default_rng(0), strata=strata)))
    assert set(np.unique(chosen)) == {0, 1}
    assert (chosen[:, :4].sum(axis=1) == 2).all()
    assert (chosen[:, 4] == 1).all()
    kinds, often = np.unique(chosen[:, :4], axis=0, return_counts=True)
    assert len(kinds) == 6
    assert often == pytest.approx(np.full(6, 1000), abs=120)


def test_few_units_push_the_ends_outwards():
    drawn = np.random.default_rng(0).normal(size=(20_000, 1))
    plain, many, few = (np.diff(bootstrap.interval(drawn, units=n), axis=0).item() for n in (None, 10_000, 5))
    assert many == pytest.approx(plain, rel=0.01)
    assert few == pytest.approx(plain * 2.776 / 1.96 * np.sqrt(5 / 4), rel=0.05)  # t of four degrees of freedom
    assert np.isnan(bootstrap.interval(drawn, units=2)).all()
