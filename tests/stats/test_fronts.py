import moocore
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from beholder.stats import bootstrap, fronts
from beholder.stats.dominance import dominance, layers, margin, on_common, ordinary, strong, tolerant
from beholder.stats.fronts import Contest, affordable, membership

LOSSES = arrays(float, st.tuples(st.integers(1, 9), st.integers(1, 5)), elements=st.integers(0, 3).map(float))


def drawn(units, draws=30, seed=0):
    return list(bootstrap.counts(int(np.max(units)) + 1, draws=draws, rng=np.random.default_rng(seed)))


def spread(losses, units):
    return np.arange(losses.shape[1]) % min(units, losses.shape[1])


@settings(max_examples=30, deadline=None)
@given(LOSSES, st.integers(1, 4), st.integers(0, 999))
def test_membership_is_that_of_moocore_draw_by_draw(losses, units, seed):
    of = spread(losses, units)
    total = np.zeros(len(losses))
    for block in drawn(of, seed=seed):
        for weights in block:
            repeated = np.repeat(losses, weights[of].astype(int), axis=1)
            total += moocore.is_nondominated(repeated, keep_weakly=True)
    assert membership(Contest(losses), of, drawn(of, seed=seed)) == pytest.approx(total / 30)


@pytest.mark.parametrize("name", ["strong", "margin", "tolerant", "common", "interval"])
@settings(max_examples=30, deadline=None)
@given(losses=LOSSES, units=st.integers(1, 4), data=st.data())
def test_membership_under_other_relations_draw_by_draw(name, losses, units, data):
    tolerance = np.arange(losses.shape[1]) % 2 + 0.5  # unlike by component: a draw must not mix them up
    if name == "common":
        losses = np.where(data.draw(arrays(bool, losses.shape)), np.nan, losses)
    relations = {"margin": margin, "tolerant": tolerant}
    of = spread(losses, units)
    total = np.zeros(len(losses))
    for block in drawn(of):
        for weights in block:
            here = weights[of] > 0
            relation = relations[name](tolerance[here]) if name in relations else {"strong": strong}.get(name, ordinary)
            relation = on_common(relation) if name == "common" else relation
            own = losses[:, here]
            total += layers(dominance(own, relation, own - 0.5 if name == "interval" else None)) == 1
    relation = relations[name](tolerance) if name in relations else {"strong": strong}.get(name, ordinary)
    relation = on_common(relation) if name == "common" else relation
    contest = Contest(losses, relation, losses - 0.5 if name == "interval" else None)
    assert membership(contest, of, drawn(of)) == pytest.approx(total / 30)


@pytest.mark.parametrize("relation", [ordinary, tolerant(np.ones(8))])
@pytest.mark.parametrize("room", [0, 60])
def test_large_tables_go_another_way_to_the_same_end(monkeypatch, room, relation):
    losses = np.random.default_rng(1).integers(0, 9, size=(7, 8)).astype(float)
    losses[6] = losses[0]
    contest, of = Contest(losses, relation), np.array([0, 0, 1, 1, 2, 2, 3, 3])
    direct = membership(contest, of, drawn(of, 50))
    monkeypatch.setattr(fronts, "ROOM", room)
    assert (membership(contest, of, drawn(of, 50)) == direct).all()
    assert direct[0] == direct[6]
    assert ((direct > 0) & (direct < 1)).any()


def test_draws_come_in_parts_of_bounded_size(monkeypatch):
    losses = np.random.default_rng(1).integers(0, 9, size=(5, 6)).astype(float)
    barred, gains = fronts._pairs(Contest(losses), np.arange(6), 6)
    present = np.random.default_rng(2).random((20, 6)) < 0.6
    whole = fronts._fronts(present, barred, gains)
    monkeypatch.setattr(fronts, "ROOM", 60)
    assert (fronts._fronts(present, barred, gains) == whole).all()


def test_a_circle_is_in_the_best_set_of_every_draw_that_has_it():
    circle = np.array([[0, 0.9, 1.8], [1.8, 0, 0.9], [0.9, 1.8, 0], [5, 5, 5]])
    contest = Contest(circle, tolerant(np.ones(3)))
    assert membership(contest, np.zeros(3, dtype=int), [np.ones((4, 1))]).tolist() == [1, 1, 1, 0]


def test_without_draws_there_is_no_share():
    assert np.isnan(membership(Contest(np.ones((2, 2))), np.array([0, 1]), [])).all()


def test_draws_are_saved_where_they_cost_too_much():
    wide = Contest(np.zeros((2000, 12)), strong)
    assert affordable(wide, 4, 1000) == 1000  # four units give 15 different draws
    assert affordable(wide, 20, 1000) == 20
    assert affordable(Contest(np.zeros((2000, 12))), 20, 1000) == 1000


@settings(deadline=None)
@given(LOSSES, st.data())
def test_a_front_by_some_components_knows_nothing_of_the_others(losses, data):
    here = data.draw(arrays(bool, losses.shape[1]))
    tolerance = np.arange(losses.shape[1]) % 2 + 0.5
    found = fronts.front(Contest(losses, tolerant(tolerance)), here)
    assert (found == (layers(dominance(losses[:, here], tolerant(tolerance[here]))) == 1)).all()
