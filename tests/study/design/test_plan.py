"""Power: the source's number by the formula, the level where there is nothing, and more people or items help."""

from functools import partial

import numpy as np
import pytest

import study_exports
from beholder.errors import Misuse
from beholder.stats import rater_agreement
from beholder.study.design.curve import _curve, needed
from beholder.study.design.file import Study
from beholder.study.design.plan import SIZES, items_of_kappa, participants_for, plan
from beholder.study.design.simulation import SOURCE_KAPPA, Crowd, Design, assign, design_of, say
from beholder.study.operations.observers import Population


def study(**changes):
    return Study.model_validate(study_exports.study(**changes))


def test_to_detect_53_percent_at_an_sd_of_a_tenth_takes_87_participants():
    assert round(participants_for(0.03, 0.10)) == 87
    means = np.random.default_rng(0).normal(0.53, 0.10, (20_000, 87)).mean(axis=1)
    assert np.mean(np.abs(means - 0.5) > 1.96 * 0.10 / np.sqrt(87)) == pytest.approx(0.8, abs=0.01)


def test_assignment_is_even_and_shows_nothing_twice():
    assigned = assign(Design(60, 60, 10, 10), 35, np.random.default_rng(0))
    assert all(len(set(row)) == 20 and (row < 60).sum() == 10 for row in assigned)
    seen = np.bincount(assigned.ravel(), minlength=120)
    assert np.ptp(seen) <= 1


def test_without_a_difference_one_study_in_twenty_finds_one():
    found = plan(study(), dprimes=(0.0,), kappas=(0.0,), sizes=(20, 60), runs=800)
    power = {row.what: row.power for row in found.rows}
    assert all(share <= 0.08 for share in power["d′"].values())
    assert all(share <= 0.08 for share in power["κ"].values())
    assert power["no d′"][60] > power["no d′"][20]


def test_more_people_help_and_more_items_help_where_items_differ():
    few = [item for item in study_exports.study()["items"] if int(item["group"][1:]) < 10]
    wide, narrow = (
        plan(study(**changes), dprimes=(0.3,), kappas=(), sizes=(20, 80), runs=300, crowd=Crowd(items=0.6)).rows[0]
        for changes in ({}, {"items": few})
    )
    assert wide.power[80] > wide.power[20] + 0.1
    assert wide.power[80] > narrow.power[80] + 0.2
    assert design_of(study(items=few)) == Design(10, 10, 10, 10)


def test_the_items_of_a_kappa_make_that_kappa():
    crowd = Crowd(dprime=0.0, items=items_of_kappa(0.15, Crowd()))
    design, rng = Design(200, 0, 200, 0), np.random.default_rng(1)
    assigned = assign(design, 60, rng)
    said = say(design, crowd, assigned, runs=1, rng=rng)[0]
    table = np.empty((200, 60))
    np.put_along_axis(table.T, assigned, said.astype(float), axis=1)
    assert rater_agreement.fleiss(table) == pytest.approx(0.15, abs=0.03)


def test_the_default_is_the_kappa_of_the_source_and_is_the_same_in_simulate():
    assert round(items_of_kappa(SOURCE_KAPPA, Crowd()), 2) == Crowd().items == Population().item_sd == 0.58
    assert Crowd().bias == Population().person_sd


def test_the_first_lines_name_what_the_numbers_hang_on():
    lines = plan(study(), dprimes=(0.5,), kappas=(), sizes=(10, 40), runs=20).text().splitlines()
    assert lines[0] == ("Assumes that items differ as in Zanca et al. (κ 0.15): by an sd of 0.58; --item-sd sets it.")
    assert "people differ in bias by an sd of 0.3; --person-sd sets it" in lines[1]
    assert lines[2].startswith("20 scored trials per participant, 120 items (60 + 60)")
    other = plan(study(), dprimes=(0.5,), kappas=(), sizes=(10, 40), runs=20, crowd=Crowd(items=0.4))
    assert "agree by κ 0.08: by an sd of 0.4" in other.text()


def test_the_sizes_that_are_asked_for_do_not_change_the_number():
    """Straight lines between them found 50 to 74 of one design."""
    grids = ((10, 100), (15, 60, 100), (25, 100), (10, 20, 35, 50, 75, 100))
    found = [plan(study(), dprimes=(0.3,), kappas=(), sizes=sizes).rows[0] for sizes in grids]
    assert [tuple(row.power) for row in found] == list(grids)
    needs = [row.needed for row in found]
    assert max(needs) < 1.1 * min(needs), needs


def test_a_curve_is_found_again():
    rng = np.random.default_rng(0)
    for test, parts in (("two sides", (0.03, 0.6, 0)), ("one side", (0.02, 0.3, 0.6)), ("equivalence", (0.02, 0.6, 0))):
        truth = partial(_curve, np.array(parts), least=10.0, items=120, test=test)
        sizes = np.array(SIZES, float)
        power = dict(zip(SIZES, rng.binomial(2000, truth(sizes=sizes)) / 2000, strict=True))
        exact = next(n for n in range(10, 300) if truth(sizes=np.array([float(n)]))[0] >= 0.8)
        assert needed(power, runs=2000, items=120, test=test, enough=0.8) == pytest.approx(exact, rel=0.08)


def test_what_is_found_where_there_is_nothing_is_called_false():
    found = plan(study(), dprimes=(0.0,), kappas=(), sizes=(20, 40), runs=50)
    assert "this is the false-positive rate, which should be 5 %" in found.text()
    assert "To find d′ 0" not in found.text()
    assert [row.nothing for row in found.rows] == [True, False]


def test_choices_are_planned_by_preference():
    made = study_exports.study(trial="two_alternative", right={})
    found = plan(Study.model_validate(made), shares=(0.5, 0.65), sizes=(20, 60), runs=300)
    assert [row.what for row in found.rows] == ["preference", "preference", "no preference"]
    assert found.rows[0].power[60] < 0.09
    assert found.rows[1].power[60] > 0.8
    assert "To find a preference of 0.65" in found.text()


def test_the_table_and_the_sentences_tell_the_number():
    found = plan(study(), dprimes=(0.5,), kappas=(), sizes=(10, 40), runs=200)
    assert found.table()[0]["participants"] == 10
    need = found.rows[0].needed
    assert f"To find d′ 0.5 (59.9 % right) in 4 of 5 studies: about {need:.0f} participants (40 were" in found.text()
    with pytest.raises(Misuse, match="expected two or more of each"):
        plan(study(), sizes=(1,))


def test_controls_are_not_counted():
    """Classes without a right answer are not scored: they add neither trials nor items."""
    base = study_exports.study()
    controls = [
        {"id": f"back{at}", "class": "human_reversed", "group": f"g{at}", "track": "b.json"} for at in range(60)
    ]
    per_class = {"human": 8, "synthetic": 8, "human_reversed": 4}
    trials = base["trials"] | {"count": 20, "per_class": per_class}
    with_controls = study(items=[*base["items"], *controls], trials=trials)
    assert design_of(with_controls) == Design(60, 60, 8, 8)
    found = plan(with_controls, dprimes=(0.3,), kappas=(), sizes=(20, 40), runs=50)
    assert "16 scored trials per participant, 120 items (60 + 60)" in found.text()
    assert "counted: human_reversed." in found.text()
