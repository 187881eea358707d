"""Drawing: the least exposed of each class, one version of each picture, no long runs."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from beholder.errors import Misuse
from beholder.study.design.drawing import Drawn, draw, faults, longest_run, right_answer
from beholder.study.design.file import Study

ANSWERS = [{"value": "first", "label": "1"}, {"value": "second", "label": "2"}]


def study(items, *, trial="yes_no", right=None, **trials):
    return Study.model_validate(
        {
            "name": "a",
            "title": "t",
            "trial": trial,
            "questions": [{"text": "q", "answers": ANSWERS}],
            "right": right or {},
            "instructions": "i",
            "consent": {"version": "1", "text": "t", "contact": "c"},
            "items": items,
            "trials": {"practice": 0, "checks": 0, "repeats": 0, **trials},
        }
    )


def pictures(groups, versions=("h", "s")):
    """Every picture in every version; the first letter of a version is its class."""
    return [{"id": f"{v}{g}", "class": v[0], "group": str(g), "system": v} for g in range(groups) for v in versions]


def expose(exposure, drawn):
    for one in drawn:
        if one.use == "trial":
            exposure.update(name for name in (one.item, one.other) if name)


def spread(asked, exposure):
    by_class = {kind: [exposure[i.id] for i in asked.items if i.kind == kind] for kind in asked.classes}
    return max(max(seen) - min(seen) for seen in by_class.values())


@pytest.mark.parametrize(
    ("items", "count"),
    [
        pytest.param(pictures(60), 20, id="as in Zanca et al. 2020"),
        pytest.param(pictures(20), 20, id="everybody sees every picture"),
        pytest.param(pictures(22), 20, id="hardly more pictures than trials"),
        pytest.param(pictures(37, ("h", "s1", "s2", "s3")), 20, id="three models"),
        pytest.param([{"id": f"{k}{g}", "class": k} for g in range(13) for k in "hs"], 20, id="no groups"),
        pytest.param(pictures(30, "abc"), 7, id="three classes"),
    ],
)
def test_exposure_differs_by_one_at_most_and_every_draw_takes_the_least_exposed(items, count):
    asked, exposure, rng = study(items, count=count), Counter(), np.random.default_rng(1)
    for _ in range(60):
        drawn = draw(asked, exposure, rng)
        assert faults(asked, exposure, drawn) == []
        assert Counter(one.kind for one in drawn) == asked.per_class
        expose(exposure, drawn)
        assert spread(asked, exposure) <= 1


def test_the_sum_of_exposures_is_the_least_that_any_choice_has():
    asked, rng = study(pictures(6), count=4), np.random.default_rng(2)
    for _ in range(20):
        exposure = {item.id: int(rng.integers(0, 4)) for item in asked.items}
        seen = {kind: [exposure[f"{kind}{at}"] for at in range(6)] for kind in "hs"}
        cost = {kind: [one - min(seen[kind]) for one in seen[kind]] for kind in "hs"}
        least = min(
            sum(cost["h"][g] ** 2 for g in one) + sum(cost["s"][g] ** 2 for g in other)
            for one in combinations(range(6), 2)
            for other in combinations(set(range(6)) - set(one), 2)
        )
        drawn = draw(asked, exposure, rng)
        assert sum(cost[one.kind][int(one.item[1:])] ** 2 for one in drawn) == least


def test_a_draw_that_passes_over_somebody_is_told():
    asked = study(pictures(6), count=2)
    drawn = [Drawn("trial", "h0", "h"), Drawn("trial", "s1", "s")]
    assert faults(asked, {}, drawn) == []
    assert "h2 was seen 0 times and was passed over" in faults(asked, {"h0": 1}, drawn)
    assert "two trials belong to one group" in faults(asked, {}, [drawn[0], Drawn("trial", "s0", "s")])


def test_ties_are_broken_at_random_and_the_same_chance_draws_the_same():
    asked = study(pictures(10), count=2)
    firsts = {frozenset(one.item for one in draw(asked, {}, np.random.default_rng(seed))) for seed in range(40)}
    assert len(firsts) > 20
    assert draw(asked, {}, np.random.default_rng(3)) == draw(asked, {}, np.random.default_rng(3))


@pytest.mark.parametrize("longest", [1, 2, 4])
def test_no_run_is_longer_than_allowed_repeats_included(longest):
    extra = [{"id": f"c{at}", "class": "check", "use": "check", "expected": "first"} for at in range(2)]
    asked = study([*pictures(30), *extra], count=20, longest_run=longest, repeats=1 if longest > 1 else 0, checks=2)
    for seed in range(40):
        drawn = draw(asked, {}, np.random.default_rng(seed))
        judged = [one for one in drawn if one.use != "check"]
        assert longest_run(one.kind for one in judged) <= longest
        assert drawn[0].use == "trial"


def test_practice_comes_first_and_a_repeat_some_trials_after_its_clip():
    extra = [{"id": f"p{at}", "class": "h", "use": "practice"} for at in range(3)]
    asked = study([*pictures(30), *extra], count=20, practice=2, repeats=2)
    for seed in range(30):
        drawn = draw(asked, {}, np.random.default_rng(seed))
        assert [one.use for one in drawn[:2]] == ["practice"] * 2
        assert "practice" not in [one.use for one in drawn[2:]]
        for at, one in enumerate(drawn):
            if one.use == "repeat":
                first = next(place for place, other in enumerate(drawn) if other.item == one.item)
                assert at > first
        assert sum(one.use == "repeat" for one in drawn) == 2


def test_pairs_are_of_one_group_and_two_classes_evenly_exposed_and_turned():
    asked = study(pictures(11), count=6, trial="two_alternative", right={"h": "x"})
    exposure, rng = Counter(), np.random.default_rng(4)
    for _ in range(30):
        drawn = draw(asked, exposure, rng)
        assert all(one.item[1:] == one.other[1:] and {one.item[0], one.other[0]} == {"h", "s"} for one in drawn)
        assert sum(one.kind == "h|s" for one in drawn) == 3
        expose(exposure, drawn)
        assert spread(asked, exposure) <= 1


def test_pairs_of_models_where_there_is_one_class():
    asked = study(pictures(8, ("s1", "s2", "s3")), count=4, trial="two_alternative")
    drawn = draw(asked, {}, np.random.default_rng(5))
    assert all(one.item != one.other and one.kind == "s|s" for one in drawn)
    assert {right_answer(asked, one) for one in drawn} == {""}


def test_what_is_right():
    check = {"id": "c", "class": "k", "use": "check", "expected": "second"}
    asked = study([*pictures(4), check], count=2, right={"h": "first", "s": "second"})
    assert right_answer(asked, Drawn("trial", "h0", "h")) == "first"
    assert right_answer(asked, Drawn("repeat", "s0", "s")) == "second"
    assert right_answer(asked, Drawn("check", "c", "k")) == "second"
    pairs = study(pictures(4), count=2, trial="two_alternative", right={"h": "yes"})
    assert right_answer(pairs, Drawn("trial", "s0", "s|h", "h0")) == "second"


def test_too_few_groups_are_refused_with_a_sentence():
    with pytest.raises(Misuse, match="got items of 15 groups; expected enough for 20 trials"):
        draw(study(pictures(15), count=20), {}, np.random.default_rng(0))
    pairs = study([*pictures(1), {"id": "x", "class": "h", "group": "9"}], count=2, trial="two_alternative")
    with pytest.raises(Misuse, match="got 1 groups with a pair to show; expected 2"):
        draw(pairs, {}, np.random.default_rng(0))
