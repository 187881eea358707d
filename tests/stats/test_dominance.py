import moocore
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from beholder.stats import dominance as module
from beholder.stats.dominance import (
    boxes,
    circles,
    dominance,
    layers,
    margin,
    on_common,
    ordinary,
    strong,
    tolerant,
    undominated,
)

# Few levels and few columns, so that ties, equal rows and dominance are all common.
LOSSES = arrays(float, st.tuples(st.integers(1, 12), st.integers(1, 5)), elements=st.integers(0, 3).map(float))
GAPPY = arrays(
    float,
    st.tuples(st.integers(1, 9), st.integers(1, 5)),
    elements=st.one_of(st.integers(0, 3).map(float), st.just(np.nan)),
)
ANY = arrays(bool, st.integers(1, 9).map(lambda n: (n, n)))
# A circle under a tolerance of 1: a ≺ b ≺ c ≺ a.
CIRCLE = np.array([[0, 0.9, 1.8], [1.8, 0, 0.9], [0.9, 1.8, 0]])


@settings(deadline=None)
@given(LOSSES)
def test_layers_are_those_of_moocore(losses):
    assert (layers(dominance(losses)) == moocore.pareto_rank(losses) + 1).all()


@settings(deadline=None)
@given(LOSSES)
def test_the_first_layer_is_that_of_paretoset(losses):
    peer = pytest.importorskip("paretoset")
    mask = peer.paretoset(losses, distinct=False, use_numba=False)
    assert ((layers(dominance(losses)) == 1) == mask).all()


def by_definition(losses, may, gain, some=any):
    return [
        [all(may(x, y) for x, y in zip(a, b, strict=True)) and some(gain(x, y) for x, y in zip(a, b, strict=True))
         for b in losses.tolist()]
        for a in losses.tolist()
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("relation", "may", "gain"),
    [
        (lambda t: ordinary, lambda a, b: a <= b, lambda a, b: a < b),
        (lambda t: strong, lambda a, b: a < b, lambda a, b: a < b),
        (margin, lambda a, b: a <= b - 1, lambda a, b: a != b),
        (tolerant, lambda a, b: a <= b + 1, lambda a, b: a < b - 1),
    ],
    ids=["pareto", "strong", "margin", "tolerant"],
)
@given(losses=LOSSES)
def test_dominance_by_the_definition(relation, may, gain, losses):
    tolerance = np.ones(losses.shape[1])
    assert dominance(losses, relation(tolerance)).tolist() == by_definition(losses, may, gain)


@settings(deadline=None)
@given(LOSSES)
def test_margin_and_tolerance_of_nothing_are_ordinary(losses):
    zero = np.zeros(losses.shape[1])
    for relation in (margin(zero), tolerant(zero)):
        assert (dominance(losses, relation) == dominance(losses)).all()
    assert (boxes(losses, zero) == losses).all()


@settings(deadline=None)
@given(LOSSES, st.floats(0.5, 2))
def test_intervals_that_touch_do_not_bar(losses, width):
    found = dominance(losses + width, ordinary, losses)
    assert found.tolist() == by_definition(losses, lambda a, b: a + width <= b, lambda a, b: a + width < b)
    assert (layers(found) == 1).sum() >= (layers(dominance(losses)) == 1).sum()


def test_differences_equal_to_the_tolerance_but_for_rounding():
    pair = np.array([[0.2], [0.3]])  # 0.3 − 0.2 is less than 0.1 in floating point
    assert pair[1, 0] - pair[0, 0] < 0.1
    assert dominance(pair, margin(np.array([0.1])))[0, 1]
    assert not dominance(pair, tolerant(np.array([0.1]))).any()
    assert boxes(np.array([[0.3]]), np.array([0.1])).tolist() == [[3.0]]  # 0.3 / 0.1 is less than 3


@settings(deadline=None)
@given(GAPPY)
def test_common_components_by_the_definition(losses):
    found = dominance(losses, on_common(ordinary))
    for a, first in enumerate(losses):
        for b, second in enumerate(losses):
            both = ~np.isnan(first) & ~np.isnan(second)
            expected = (first[both] <= second[both]).all() and (first[both] < second[both]).any()
            assert found[a, b] == expected


@settings(deadline=None)
@given(LOSSES)
def test_laws_of_the_best_set(losses):
    found = dominance(losses)
    best = layers(found) == 1
    assert best.any()
    assert found[best][:, ~best].any(axis=0).all()  # each excluded one is dominated by some member
    assert not found[:, best].any()
    more = layers(dominance(np.hstack([losses, np.arange(len(losses))[:, None]]))) == 1
    alone = [not any((losses == own).all(axis=1)[np.arange(len(losses)) != at]) for at, own in enumerate(losses)]
    assert (more | ~best | ~np.array(alone)).all()  # a further criterion keeps members, up to ties


@settings(deadline=None)
@given(LOSSES)
def test_margins_enlarge_the_best_set_and_every_relation_has_one(losses):
    tolerance = np.ones(losses.shape[1])
    best = layers(dominance(losses)) == 1
    assert (layers(dominance(losses, margin(tolerance))) == 1)[best].all()
    assert (layers(dominance(losses, strong)) == 1)[best].all()
    assert (layers(dominance(losses, tolerant(tolerance))) == 1).any()


def test_a_circle_is_one():
    relation = tolerant(np.ones(3))
    found = dominance(CIRCLE, relation)
    assert found.sum(axis=0).tolist() == [1, 1, 1]  # everybody is dominated
    assert layers(found).tolist() == [1, 1, 1]
    assert len(set(circles(found).tolist())) == 1
    below = dominance(np.vstack([CIRCLE + 5, CIRCLE, [[9, 9, 9]]]), relation)
    assert layers(below).tolist() == [2, 2, 2, 1, 1, 1, 3]
    assert np.bincount(circles(below)).tolist().count(3) == 2


@settings(deadline=None)
@given(ANY)
def test_layers_of_any_relation_by_reachability(dominates):
    dominates = dominates & ~np.eye(len(dominates), dtype=bool)
    reach = dominates | np.eye(len(dominates), dtype=bool)
    for middle in range(len(reach)):  # Warshall's closure
        reach |= reach[:, [middle]] & reach[[middle]]
    one = reach & reach.T
    assert (one == (circles(dominates)[:, None] == circles(dominates))).all()
    above = reach & ~reach.T
    longest = np.ones(len(reach), dtype=int)  # the layer is one more than the longest chain above
    for _ in range(len(reach)):
        longest = np.array(
            [1 + max((longest[a] for a in np.flatnonzero(above[:, b])), default=0) for b in range(len(reach))]
        )
    assert layers(dominates).tolist() == longest.tolist()


@pytest.mark.parametrize("name", ["ordinary", "strong", "margin", "tolerant", "common", "interval"])
@settings(max_examples=30, deadline=None)
@given(losses=LOSSES, data=st.data())
def test_large_tables_are_compared_pair_by_pair_alike(name, losses, data):
    tolerance = np.arange(losses.shape[1]) % 2 + 0.5
    relations = {"strong": strong, "margin": margin(tolerance), "tolerant": tolerant(tolerance)}
    relation = relations.get(name, ordinary)
    if name == "common":
        losses = np.where(data.draw(arrays(bool, losses.shape)), np.nan, losses)
        relation = on_common(ordinary)
    rivals = losses - 0.5 if name == "interval" else None
    columns = data.draw(arrays(bool, losses.shape[1]))
    small = dominance(losses, relation, rivals), dominance(losses, relation, rivals, columns)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SMALL", 0)
        large = dominance(losses, relation, rivals), dominance(losses, relation, rivals, columns)
    assert all((one == other).all() for one, other in zip(small, large, strict=True))


@settings(deadline=None)
@given(LOSSES)
def test_the_undominated_are_those_of_moocore(losses):
    assert (undominated(losses) == moocore.is_nondominated(losses, keep_weakly=True)).all()


def test_six_hundred_models_on_four_hundred_components():
    rng = np.random.default_rng(0)
    losses = rng.normal(size=(600, 400)) + np.sort(rng.gamma(2, size=600))[:, None] * 3
    found = dominance(losses)
    for a in rng.choice(600, size=20):
        assert (found[a] == ((losses[a] <= losses).all(axis=1) & (losses[a] < losses).any(axis=1))).all()
    assert (undominated(losses) == ~found.any(axis=0)).all()
    assert found.any()
    assert layers(found).max() > 1
