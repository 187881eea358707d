"""The two-way bootstrap: it covers, it agrees with closed forms, and κ in its draws is Fleiss' κ."""

import numpy as np
import pytest

from beholder.stats import bootstrap, rater_agreement
from beholder.stats.proportion import wilson
from beholder.stats.two_way import draw, fleiss_draws, mean_error, p_value, share_interval, spread, whole


def crossed(rng, *, people=20, items=20, sd=(1.0, 1.0), noise=1.0):
    """Every person on every item."""
    person, item = (grid.ravel() for grid in np.meshgrid(np.arange(people), np.arange(items), indexing="ij"))
    u, v = (rng.normal(0, of, many) for of, many in zip(sd, (people, items), strict=True))
    return person, item, u[person] + v[item] + rng.normal(0, noise, len(person))


def test_sums_are_those_of_the_drawn_answers():
    rng = np.random.default_rng(0)
    person, item, x = crossed(rng, people=4, items=3)
    drawn = draw(person, item, draws=7, rng=rng)
    often = drawn.people[:, person] * drawn.items[:, item]
    assert drawn.sums(x)[:, 0] == pytest.approx(often @ x)
    assert drawn.by_person(x) == pytest.approx(
        np.stack([(drawn.items[:, item] * x)[:, person == p].sum(1) for p in range(4)], 1)
    )
    assert drawn.people.sum(axis=1) == pytest.approx(4)


def test_kinds_are_drawn_apart():
    person, item = np.arange(10), np.arange(10)
    drawn = draw(person, item, items=np.repeat([0, 1], [3, 7]), draws=20, rng=np.random.default_rng(0))
    assert (drawn.items[:, :3].sum(axis=1) == 3).all()


@pytest.mark.parametrize("sd", [(0.7, 0.7), (0.7, 0.0), (0.0, 0.0)], ids=["both", "people", "noise"])
def test_intervals_of_a_mean_cover_as_often_as_they_say_whatever_differs(sd):
    rng, held, plain, naive, runs = np.random.default_rng(3), 0, 0, 0, 200
    for _ in range(runs):
        person, item, x = crossed(rng, sd=sd, people=15, items=15)
        columns = np.stack([x, np.ones_like(x)], axis=1)

        def mean(drawn, columns=columns):
            total, many = drawn.sums(columns).T
            return total / many

        drawn = draw(person, item, draws=300, rng=rng)
        lo, hi = bootstrap.interval(spread(mean, x.mean(), drawn)[:, None])
        held += lo[0] <= 0 <= hi[0]
        lo, hi = bootstrap.interval(mean(drawn)[:, None])
        plain += lo[0] <= 0 <= hi[0]
        naive += abs(x.mean()) < 1.96 * x.std(ddof=1) / np.sqrt(len(x))
    assert 0.9 <= held / runs <= 0.99
    if sd == (0.7, 0.7):
        assert naive / runs < 0.7  # as if answers were independent
    if sd == (0.0, 0.0):
        assert plain / runs > 0.98  # the plain draws are too wide


def test_with_one_person_there_is_no_spread():
    one = draw(np.zeros(4, int), np.arange(4), draws=5, rng=np.random.default_rng(0))
    assert np.isnan(spread(lambda drawn: drawn.sums(np.arange(4.0))[:, 0], 6.0, one)).all()


def test_the_standard_error_is_that_of_a_crossed_design():
    rng = np.random.default_rng(4)
    found, means = [], []
    for _ in range(300):
        person, item, x = crossed(rng, sd=(0.7, 0.4), people=25, items=15)
        found.append(mean_error(x, person, item))
        means.append(x.mean())
    assert np.mean(found) == pytest.approx(np.std(means), rel=0.1)
    assert np.isnan(mean_error([1.0, 2.0], np.array([0, 0]), np.array([0, 1])))


def ragged(seed=12):
    """Twelve raters, twenty items, 45 % missing."""
    rng = np.random.default_rng(seed)
    x = np.where(rng.random((20, 12)) < 0.45, np.nan, rng.integers(0, 3, (20, 12)))
    item, person = np.nonzero(np.isfinite(x))
    return x, person, item, x[item, person]


def test_kappa_of_all_answers_is_fleiss():
    x, person, item, said = ragged()
    assert fleiss_draws(whole(person, item), said)[0] == pytest.approx(rater_agreement.fleiss(x))


def test_somebody_who_is_drawn_twice_does_not_agree_with_themselves():
    rng = np.random.default_rng(5)
    person, item, _ = crossed(rng, people=10, items=60)
    said = rng.integers(0, 2, len(person))  # nobody agrees beyond chance
    drawn = fleiss_draws(draw(person, item, draws=400, rng=rng), said)
    assert np.mean(drawn) == pytest.approx(fleiss_draws(whole(person, item), said)[0], abs=0.02)  # else 0.1 above it


def test_kappa_is_undefined_where_everybody_says_the_same():
    assert np.isnan(fleiss_draws(whole(np.array([0, 1]), np.array([0, 0])), [1, 1]))[0]


def test_shares_stay_within_0_and_1_and_say_something_where_all_agree():
    rng = np.random.default_rng(6)
    lo, hi = share_interval(0.95, rng.normal(0.95, 0.1, 2000), 4)
    assert 0 < lo < 0.95 < hi < 1
    assert share_interval(1.0, np.ones(100), 5) == pytest.approx(wilson(5, 5))  # each person counts once
    assert np.isnan(share_interval(0.5, np.full(100, np.nan), 2)).all()


def test_two_people_have_no_interval_and_three_have():
    rng = np.random.default_rng(7)
    for people, none in ((2, True), (3, False)):
        person, item, x = crossed(rng, people=people, items=12)
        drawn = draw(person, item, draws=50, rng=rng)
        found = spread(lambda of, x=x: of.sums(x)[:, 0], x.sum(), drawn)
        assert np.isnan(found).all() == none


def test_the_p_of_a_difference_is_even_where_there_is_none():
    """Two kinds of people who do not differ: p is below 0.05 in some 5 % of studies."""
    rng, found = np.random.default_rng(8), []
    for _ in range(200):
        person, item, x = crossed(rng, people=16, items=12, sd=(0.7, 0.5))
        mine = person < 8
        columns = np.stack([x * mine, mine, x * ~mine, ~mine], axis=1)

        def apart(of, columns=columns):
            one, many, other, rest = of.sums(columns).T
            return one / many - other / rest

        drawn = draw(person, item, people=(np.arange(16) < 8).astype(int), draws=300, rng=rng)
        value = float(apart(whole(person, item))[0])
        found.append(p_value(value, spread(apart, value, drawn, fewest=8), 8))
    assert np.mean(np.array(found) < 0.05) <= 0.09
    assert np.mean(np.array(found) < 0.5) == pytest.approx(0.5, abs=0.15)
