import math

import numpy as np
import pandas as pd
import pytest

from beholder.core.scores import table
from beholder.errors import Misuse
from beholder.verdicts.components import components, on_common_units
from toys import absent, failed, score

NAN = math.nan


def test_components_are_units_by_measures_by_criteria_signed():
    found = components(
        table(
            score(m, u, v + 10 * (k == "hit"), measure=k, better=b)
            for m, v in (("b", 1), ("a", 2))
            for k, b in (("hit", "higher"), ("bad", "lower"))
            for u in ("y", "x")
        )
    )
    assert list(found.values.index) == ["b", "a"]
    assert [(k, u) for k, _, _, _, u in found.values.columns] == [
        ("hit", "y"),
        ("hit", "x"),
        ("bad", "y"),
        ("bad", "x"),
    ]
    assert found.losses.tolist() == [[-11, -11, 1, 1], [-12, -12, 2, 2]]
    assert (found.dropped, found.expected, found.notes, found.left_out) == (0, 4, (), {})


def test_a_failed_model_is_left_out_by_name():
    found = components(table([score("a", "1"), score("a", "2"), score("b", "1"), failed("b", "2")]))
    assert list(found.values.index) == ["a"]
    assert found.left_out == {"b": "1 of 2 scores failed: it broke"}
    assert found.values.shape == (1, 2)


def test_a_partial_score_leaves_its_model_out():
    lost = score("b", "*", 3.0, state="partial", reason="2 of 9 samples failed")
    found = components(table([score("a", "*"), lost]))
    assert found.left_out == {"b": "1 of 1 scores partial: 2 of 9 samples failed"}


def test_what_does_not_apply_to_some_is_compared_for_none_and_counted():
    found = components(table([score("a", "1", 5), score("a", "2", 6), score("b", "1", 7), absent("b", "2")]))
    assert found.values.to_numpy().tolist() == [[5], [7]]
    assert (found.dropped, found.expected) == (1, 2)
    assert [*map(str, found.notes)] == ["1 of 2 components do not apply to every model and were left out"]


def test_what_applies_to_nobody_is_counted():
    found = components(table([score("a", "1"), absent("a", "2"), score("b", "1"), absent("b", "2")]))
    assert (found.values.shape, found.dropped) == ((2, 1), 1)


def test_what_does_not_apply_to_a_model_that_is_left_out_stays():
    rows = [score("a", "1"), score("a", "2"), absent("b", "1"), failed("b", "2")]
    assert components(table(rows)).values.shape == (1, 2)


def test_a_model_to_which_nothing_applies_is_left_out():
    found = components(table([score("a", "1"), absent("b", "1")]))
    assert found.left_out == {"b": "no measure applies: no people here"}
    assert (found.values.shape, found.dropped) == ((1, 1), 0)


def test_a_model_that_lacks_rows_is_left_out():
    found = components(table([score("a", "1"), score("a", "2"), score("b", "1")]))
    assert found.left_out == {"b": "measured on only 1 of 2 components"}


def test_repeats_are_averaged_and_those_that_do_not_apply_ignored():
    rows = [score("a", "1", v, repeat=k) for k, v in enumerate((1.0, 2.0, 6.0))] + [absent("a", "1", repeat=3)]
    assert components(table([*rows, score("b", "1", 3.0)])).values.to_numpy().tolist() == [[3.0], [3.0]]


def test_parts_and_other_roles_are_ignored():
    rows = [
        score("a"),
        score("a", value=9, part="left"),
        score("flat", role="blind"),
        score("us", role="ceiling"),
    ]
    found = components(table(rows))
    assert list(found.values.index) == ["a"]
    assert found.values.shape == (1, 1)
    assert list(components(table(rows), roles=("blind", "ceiling")).values.index) == ["flat", "us"]


@pytest.mark.parametrize("rows", [[], [score("flat", role="blind")], [failed("a", "1")]])
def test_nobody_may_remain(rows):
    found = components(table(rows))
    assert found.values.size == 0
    assert found.losses.size == 0
    assert found.notes == ()


def test_row_numbers_of_joined_tables_do_not_matter():
    several = [table([score("a", "1"), score("a", "2", 5.0)]), table([score("b", "1"), failed("b", "2")])]
    joined, plain = pd.concat(several), pd.concat(several, ignore_index=True)
    assert components(joined).left_out == {"b": "1 of 2 scores failed: it broke"}
    assert components(joined).values.equals(components(plain).values)
    assert on_common_units(joined)["model"].tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (score("b", version=2), "benchmark 'toy/dense' with version 1 and 2"),
        (score("b", better="higher"), "measure 'bad' with better lower and higher"),
        (score("a", value=2.0), "two values of model 'a' on bad \\(all\\) at 1 of toy"),
    ],
)
def test_contradictions_are_refused(other, said):
    with pytest.raises(Misuse, match=said):
        components(table([score("a"), other]))


def test_the_same_row_twice_is_harmless():
    assert components(table([score("a"), score("a")])).values.shape == (1, 1)


def test_variants_of_a_measure_may_be_better_in_other_directions():
    rows = [score("a"), score("a", settings="turned=True", better="higher")]
    assert components(table(rows)).sign.tolist() == [1, -1]


def test_a_table_without_a_column_is_refused():
    for needed in (components, on_common_units):
        with pytest.raises(Misuse, match="the table has no column 'state'"):
            needed(table([score()]).drop(columns="state"))


def test_common_units_are_those_that_every_model_answered():
    rows = [score("a", u) for u in "123"] + [score("b", "1"), failed("b", "2"), absent("b", "3")]
    rows += [score("flat", u, role="blind") for u in "123"]
    held = on_common_units(table(rows))
    assert set(held["unit"]) == {"1", "3"}
    assert set(held["model"]) == {"a", "b", "flat"}
    assert components(held).left_out == {}


def test_units_that_a_model_was_not_asked_are_not_on_common_units():
    rows = [score("a", "1"), score("a", "2"), score("b", "2"), score("a", "2", dataset="other")]
    assert [
        tuple(row) for row in on_common_units(table(rows))[["model", "dataset", "unit"]].itertuples(index=False)
    ] == [
        ("a", "toy", "2"),
        ("b", "toy", "2"),
    ]


def test_a_model_that_never_ran_leaves_the_common_units_alone():
    rows = [score("a", "1"), score("a", "2"), failed("b", "1"), failed("b", "2")]
    held = on_common_units(table(rows))
    assert len(held) == 4
    assert list(components(held).left_out) == ["b"]


def holed():
    rows = [score(m, u, v) for m, own in (("a", (1, 2, 3)), ("b", (4, 5, 6))) for u, v in zip("123", own, strict=True)]
    return [*rows, score("c", "1", 7), failed("c", "2"), score("d", "3", 9), absent("d", "1")]


def test_models_that_were_not_asked_everything_may_stay():
    found = components(table(holed()), missing="unasked")
    assert found.left_out == {"c": "1 of 2 scores failed: it broke"}
    assert found.values.loc["d"].isna().tolist() == [True, True, False]
    assert found.gaps == {"d": 2}


def test_models_that_failed_may_stay_with_gaps():
    found = components(table(holed()), missing="common")
    assert found.left_out == {}
    assert np.array_equal(
        found.values.to_numpy(), [[1, 2, 3], [4, 5, 6], [7, np.nan, np.nan], [np.nan, np.nan, 9]], equal_nan=True
    )
    assert found.gaps == {"c": 2, "d": 2}
    assert found.notes == ()


@pytest.mark.parametrize(("better", "second"), [("lower", 5), ("higher", 2)])
def test_what_failed_may_have_the_worst_value(better, second):
    rows = [row._replace(better=better) for row in holed()]
    found = components(table(rows), missing="worst")
    # Unit 1 does not apply to d, and is compared for none: that is no failure.
    assert list(found.values.columns.get_level_values("unit")) == ["2", "3"]
    assert found.values.loc["c"].tolist() == [second, 9 if better == "lower" else 3]
    assert found.values.loc["d"].tolist() == [second, 9]
    assert found.gaps == {"c": 2, "d": 1}
    assert (found.dropped, found.values.notna().all(axis=None)) == (1, True)


def test_a_partial_score_is_a_gap_where_gaps_may_be():
    lost = score("b", "*", 3.0, state="partial", reason="2 of 9 samples failed")
    rows = [score("a", "*"), lost, score("a", "1"), score("b", "1")]
    assert components(table(rows), missing="common").gaps == {"b": 1}


@pytest.mark.parametrize("missing", ["unasked", "common", "worst"])
def test_a_model_without_any_value_is_left_out_always(missing):
    found = components(table([score("a", "1"), failed("b", "1")]), missing=missing)
    assert found.left_out == {"b": "1 of 1 scores failed: it broke"}
    assert components(table([]), missing=missing).values.size == 0
