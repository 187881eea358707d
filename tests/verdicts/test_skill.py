import math

import numpy as np
import pytest

from beholder.core.scores import table
from beholder.verdicts.skill import skill
from toys import on_units as rows

NAN = math.nan


BLIND = [*rows("blind", "flat", [10, 12, 14]), *rows("blind", "far", [20, 22, 24])]
PEOPLE = rows("ceiling", "others", [2, 4, 6])


def test_skill_by_hand():
    found = skill(table([*BLIND, *PEOPLE, *rows("model", "a", [4, 6, 8]), *rows("model", "b", [12, 14, 16])]))
    assert found.notes == ()
    lines = found.table.set_index("model")
    assert lines["blind"].tolist() == ["flat", "flat"]
    assert lines["ceiling"].tolist() == ["others", "others"]
    # Differences between the rows are the same on every unit, so every draw gives the same ratio.
    assert lines.loc["a", ["skill", "lo", "hi"]].tolist() == pytest.approx([0.75] * 3)
    assert lines.loc["b", ["skill", "lo", "hi"]].tolist() == pytest.approx([-0.25] * 3)
    assert lines["units"].tolist() == [3, 3]


def test_skill_where_more_is_better():
    made = [*rows("blind", "n", [0.1, 0.3]), *rows("ceiling", "c", [0.5, 0.7]), *rows("model", "m", [0.4, 0.6])]
    found = skill(table([row._replace(better="higher") for row in made])).table
    assert found["skill"].tolist() == pytest.approx([0.75])


def test_the_interval_of_skill_is_paired():
    rng = np.random.default_rng(0)
    blind, people, model = rng.normal([10, 4, 6], 1, size=(40, 3)).T
    made = [*rows("blind", "n", blind), *rows("ceiling", "c", people), *rows("model", "m", model)]
    (line,) = skill(table(made), draws=8000).table.itertuples()
    picks = rng.integers(0, 40, size=(8000, 40))
    n, c, m = (own[picks].mean(axis=1) for own in (blind, people, model))
    lo, hi = np.quantile((m - n) / (c - n), [0.025, 0.975])
    assert line.skill == pytest.approx((model.mean() - blind.mean()) / (people.mean() - blind.mean()))
    assert (line.lo, line.hi) == (pytest.approx(lo, abs=0.01), pytest.approx(hi, abs=0.01))


@pytest.mark.parametrize("people", [[9, 15, 13], [10, 12, 14], [20, 30, 40]])
def test_people_who_do_not_beat_the_blind_models_give_no_skill(people):
    found = skill(table([*BLIND, *rows("ceiling", "others", people), *rows("model", "a", [4, 6, 8])]))
    assert [*map(str, found.notes)] == ["people are not significantly better than the blind models on bad (disc)"]
    assert found.table[["skill", "lo", "hi"]].isna().all(axis=None)


def test_without_blind_model_or_ceiling_there_is_no_skill():
    model = rows("model", "a", [4, 6, 8])
    for others in (BLIND, PEOPLE, []):
        found = skill(table([*model, *others]))
        assert (len(found.table), found.notes) == (0, ())


@pytest.mark.parametrize("gap", [("model", "a"), ("blind", "flat"), ("ceiling", "others")])
def test_only_units_that_all_three_share_count(gap):
    made = [*BLIND, *PEOPLE, *rows("model", "a", [4, 6, 8]), *rows("model", "b", [2, 4, 6])]
    holed = [
        row._replace(value=NAN, state="na") if (row.role, row.model) == gap and row.unit == "u2" else row
        for row in made
    ]
    lines = skill(table(holed)).table.set_index("model")
    assert lines.loc["a", "units"] == 2
    assert lines.loc["b", "units"] == (3 if gap == ("model", "a") else 2)
    assert lines["skill"].to_dict() == pytest.approx({"a": 0.75, "b": 1.0})


def test_parts_have_no_skill():
    made = [row._replace(part="left") for row in [*BLIND, *PEOPLE, *rows("model", "a", [4, 6, 8])]]
    assert skill(table(made)).table.empty


@pytest.mark.parametrize(("blind", "expected"), [((9.0, 11.0), 0.75), ((5.0, 15.0), NAN), ((NAN, NAN), 0.75)])
def test_on_one_unit_the_intervals_of_the_runner_decide(blind, expected):
    made = [*rows("blind", "n", [10], *blind), *rows("ceiling", "c", [2], 1.0, 6.0), *rows("model", "m", [4], 3.0, 5.0)]
    found = skill(table(made))
    (line,) = found.table.itertuples()
    assert line.skill == pytest.approx(expected, nan_ok=True)
    assert math.isnan(line.lo)
    assert len(found.notes) == math.isnan(expected)
