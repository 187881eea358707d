import math

import pytest

from beholder.core.scores import table
from beholder.verdicts.against_blind import against_blind, note_blind
from toys import on_units as rows

NAN = math.nan


BLIND = [*rows("blind", "flat", [10, 12, 14]), *rows("blind", "far", [20, 22, 24])]


def outcomes(*made, **how):
    found = against_blind(table([row for some in made for row in some]), **how)
    return dict(zip(found["model"], found["outcome"], strict=True))


def test_outcomes_by_hand():
    made = [
        rows("model", "block", [1, 11, 21]),  # ahead by 9, 1 and −7
        rows("model", "good", [1, 2, 3]),
        rows("baseline", "level", [10, 12, 14 + 1e-12]),
        rows("model", "bad", [13, 13, 13]),
        rows("ceiling", "people", [1, 1, 1]),
    ]
    found = outcomes(BLIND, *made)
    assert found == {"block": "hardly", "good": "better", "level": "equal", "bad": "behind"}
    (note,) = note_blind(against_blind(table([row for some in (BLIND, *made) for row in some])))
    assert str(note) == "no better than a blind model on at least one measure: level, bad"


def test_the_best_blind_model_is_the_yardstick_where_more_is_better():
    made = [*rows("blind", "n", [1, 1, 1]), *rows("blind", "best", [2, 2, 2]), *rows("model", "m", [1.5, 1.5, 1.4])]
    found = against_blind(table([row._replace(better="higher") for row in made]))
    assert found[["blind", "outcome", "units"]].to_numpy().tolist() == [["best", "worse", 3]]


def test_without_blind_models_there_is_nothing_to_say():
    lost = [row._replace(value=NAN, state="failed") for row in rows("blind", "flat", [1, 1])]
    assert outcomes(lost, rows("model", "a", [2, 2])) == {}


def test_both_are_compared_where_both_have_a_value():
    model = rows("model", "m", [12, 22, 1])
    model[2] = model[2]._replace(value=NAN, state="na")
    assert outcomes(rows("blind", "flat", [10, 20, 90]), model) == {"m": "behind"}


@pytest.mark.parametrize("where", ["bad", "disc"])
def test_a_blind_model_that_is_right_by_construction_is_no_yardstick(where):
    found = against_blind(table([*BLIND, *rows("model", "m", [15, 16, 17])]), right={"flat": [where]})
    assert found[["blind", "outcome"]].to_numpy().tolist() == [["far", "better"]]


@pytest.mark.parametrize(("lo", "hi", "said"), [(1.0, 12.0, "hardly"), (1.0, 9.0, "better"), (NAN, NAN, "hardly")])
def test_on_one_unit_the_interval_of_the_runner_decides(lo, hi, said):
    assert outcomes(rows("blind", "flat", [10]), rows("model", "m", [5], lo, hi)) == {"m": said}


def test_a_difference_of_zeros_and_ones_is_no_share():
    wins = [1.0] + [0.0] * 8
    higher = {"better": "higher"}
    assert outcomes(rows("blind", "b", [0.0] * 9, **higher), rows("model", "m", wins, **higher)) == {"m": "hardly"}
