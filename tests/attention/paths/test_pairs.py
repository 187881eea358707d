import numpy as np
import pytest

from attention_walks import SCREEN, A, B, person
from beholder.attention.measures.string_edit import string_edit
from beholder.attention.measures.time_delay import stde
from beholder.attention.paths.pairs import (
    compare_with_each,
    group_separation,
    leave_one_out,
    medoid,
    over_people,
    pair_table,
    read_scanpaths,
)
from beholder.attention.types import Lookers, Picture, scanpath
from beholder.core.measure import NotApplicable, Result

HERE = Picture(np.zeros((10, 20), np.uint8))


def gap(simulated, human):
    """How much further right the model starts; not defined for those who start at 7."""
    if human.x[0] == 7:
        raise NotApplicable("seven is not compared")
    return Result(float(simulated.x[0] - human.x[0]), {"human": float(human.x[0])})


def at(*starts):
    return Lookers({f"{x}": scanpath([x], [0]) for x in starts}, (10, 20))


@pytest.mark.parametrize(
    ("over", "better", "value"), [("mean", "higher", 5), ("best", "higher", 9), ("best", "lower", 1)]
)
def test_the_mean_and_the_best(over, better, value):
    found = over_people(scanpath([9], [0]), at(0, 4, 8), gap, over=over, better=better)
    assert found.value == value
    assert found.parts["human"] == 9 - value


def test_the_medoid_is_the_most_typical_person():
    def near(a, b):
        return Result(abs(a.x[0] - b.x[0]))

    people = at(0, 4, 5)
    assert medoid(people.paths, near, better="lower") == "4"
    assert over_people(scanpath([9], [0]), people, near, over="medoid", better="lower").value == 5
    assert over_people(scanpath([9], [0]), at(3), near, over="medoid", better="lower").value == 6
    nobody_compares = at(7, 7.0)
    assert medoid(nobody_compares.paths, gap) == "7"


def test_several_scanpaths_of_a_model_are_averaged():
    found = over_people([scanpath([9], [0]), scanpath([5], [0])], at(1), gap)
    assert (found.value, found.parts["n"]) == (6, 2)


def test_pairs_that_cannot_be_compared_are_counted_and_said():
    found = over_people(scanpath([9], [0]), at(1, 7), gap)
    assert (found.value, found.parts["n"], found.parts["undefined"]) == (8, 1, 1)
    assert found.reason == "1 of 2 pairs could not be compared: seven is not compared"
    with pytest.raises(NotApplicable, match="seven"):
        over_people(scanpath([9], [0]), at(7), gap)
    results, refused = compare_with_each(
        scanpath([9], [0]), at(1).paths.values(), lambda a, b: Result(np.nan, reason="odd")
    )
    assert (results, refused) == ([], ["odd"])


def test_what_is_said_of_pairs_is_kept():
    def odd(simulated, human):
        return Result(1.0, reason="it is odd" if human.x[0] == 4 else "")

    found = over_people(scanpath([9], [0]), at(1, 4, 7), odd)
    assert (found.state, found.reason) == ("ok", "1 of 3 pairs: it is odd")


def test_fixations_outside_are_dropped_and_counted():
    found = over_people(scanpath([-1, 9, np.nan], [0, 0, 0]), at(1), gap)
    assert (found.value, found.parts["dropped"]) == (8, 2)


def test_nobody_is_not_applicable():
    with pytest.raises(NotApplicable, match="nobody fixated"):
        over_people(A, Lookers({"a": scanpath([], [])}, SCREEN), gap)


def test_people_left_out_one_by_one():
    found = leave_one_out(at(0, 4, 7), gap)
    assert found["4"] == 4
    assert found["7"] == (7 + 3) / 2
    assert np.isnan(leave_one_out(at(3), gap)["3"])


def test_groups_that_look_elsewhere_are_told_apart():
    rng = np.random.default_rng(0)
    left, right = rng.uniform(0, 9, (2, 6)) + np.array([[0], [11]])
    starts = [*left, *right]
    paths = {f"{n}": scanpath([x], [0]) for n, x in enumerate(starts)}
    table = pair_table(paths, lambda a, b: Result(abs(a.x[0] - b.x[0])))
    apart = group_separation(table, ["l"] * 6 + ["r"] * 6, rng=rng, better="lower")
    mixed = group_separation(table, ["l", "r"] * 6, rng=rng, better="lower")
    assert apart.difference == pytest.approx(apart.between - apart.within)
    assert apart.p < 0.01
    assert mixed.p > 0.1
    again = [group_separation(table, ["l", "r"] * 6, rng=np.random.default_rng(3)).p for _ in range(2)]
    assert again[0] == again[1]


def test_labels_at_random_are_hardly_ever_told_apart():
    rng = np.random.default_rng(1)
    seen = []
    for _ in range(60):
        table = rng.random((8, 8))
        np.fill_diagonal(table, np.nan)
        seen.append(group_separation(table, list("xxxxyyyy"), rng=rng, permutations=99).p)
    assert np.mean(np.array(seen) <= 0.1) < 0.25
    assert 0.35 < np.mean(seen) < 0.65


def test_one_group_alone_is_refused():
    with pytest.raises(ValueError, match="expected two groups"):
        group_separation(np.ones((3, 3)), ["x"] * 3, rng=np.random.default_rng(0))
    with pytest.raises(ValueError, match="one group per row"):
        group_separation(np.ones((3, 3)), ["x"] * 2, rng=np.random.default_rng(0))


def test_what_a_model_may_answer():
    assert read_scanpaths(A, HERE) is A
    assert len(read_scanpaths([A, B], HERE)) == 2
    path = read_scanpaths(np.array([[1, 2, 300], [3, 4, 250]]), HERE)
    assert (path.x.tolist(), path.duration_ms.tolist()) == ([1, 3], [300, 250])
    for wrong in ([], [3], "abc", {"x": 1}):
        with pytest.raises(TypeError, match="expected"):
            read_scanpaths(wrong, HERE)
    with pytest.raises(ValueError, match=r"shape \(5,\)"):
        read_scanpaths(np.arange(5), HERE)


def test_all_measures_take_several_scanpaths():
    lookers = person(B, SCREEN)
    one, other = (string_edit(path, lookers).value for path in (A, B))
    assert string_edit((A, B), lookers).value == (one + other) / 2
    assert stde([A], lookers).value == stde(A, lookers).value
