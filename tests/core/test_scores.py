import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beholder.core import scores as table_of
from beholder.core.scores import COLUMNS, Score, common, components, is_part, read, summary, table, write
from beholder.errors import Misuse

NAN = math.nan


def score(model="a", unit="1", value=1.0, **more):
    fields = {
        "benchmark": "toy/dense", "version": 1, "model": model, "role": "model", "dataset": "toy", "unit": unit,
        "repeat": 0, "measure": "bad", "criterion": "all", "better": "lower", "value": value, "lo": NAN, "hi": NAN,
        "n": 1, "state": "ok", "reason": "", "provenance": "",
    }  # fmt: skip
    return Score(**{**fields, **more})


def failed(model, unit, **more):
    return score(model, unit, NAN, state="failed", reason="it broke", **more)


def absent(model, unit, **more):
    return score(model, unit, NAN, state="na", reason="no people here", **more)


texts = st.text(st.characters(codec="utf-8"), max_size=12)
numbers = st.floats(width=64)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("scores")


@given(rows=st.lists(st.tuples(texts, texts, numbers, texts, st.integers(0, 2**40)), max_size=6))
def test_what_is_written_is_read_back_and_written_the_same(folder, rows):
    frame = table(score(m, u, v, reason=r, n=n) for m, u, v, r, n in rows)
    write(frame, folder / "one.csv")
    again = read(folder / "one.csv")
    write(again, folder / "two.csv")
    assert again.equals(frame)
    assert (again.dtypes == frame.dtypes).all()
    assert (folder / "one.csv").read_bytes() == (folder / "two.csv").read_bytes()


def test_the_file_is_plain(tmp_path):
    write(table([score(value=0.1), absent("a", "2", repeat=3)]), tmp_path / "scores.csv")
    assert (tmp_path / "scores.csv").read_bytes().decode().split("\n") == [
        ",".join(COLUMNS),
        "toy/dense,1,a,model,toy,1,0,bad,all,lower,0.1,nan,nan,1,ok,,",
        "toy/dense,1,a,model,toy,2,3,bad,all,lower,nan,nan,nan,1,na,no people here,",
        "",
    ]
    assert [file.name for file in tmp_path.iterdir()] == ["scores.csv"]


def test_bytes_that_are_no_text_do_not_lose_the_table(tmp_path):
    write(table([score(reason="caf\udce9")]), tmp_path / "scores.csv")
    assert read(tmp_path / "scores.csv")["reason"].tolist() == [r"caf\udce9"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("model,value\na,1\n", "has no column 'benchmark'"),
        (",".join(COLUMNS) + "\nb,1,a,model,toy,1,0,bad,all,less,1,nan,nan,1,ok,,\n", "row 1: got better 'less'"),
        (",".join(COLUMNS) + "\nb,1,a,model,toy,1,0,bad,all,lower,1,nan,nan,1,fine,,\n", "row 1: got state 'fine'"),
    ],
)
def test_a_strange_file_is_refused_with_a_sentence(tmp_path, text, said):
    (tmp_path / "scores.csv").write_text(text)
    with pytest.raises(Misuse, match=said):
        read(tmp_path / "scores.csv")


def test_a_missing_file_is_refused_with_a_sentence(tmp_path):
    with pytest.raises(Misuse, match=r"does not exist; expected the scores\.csv of a run"):
        read(tmp_path / "scores.csv")


def test_parts_are_told_from_settings():
    assert is_part("dynamic.tau")
    assert is_part("dynamic(k=1).tau")
    assert not is_part("bad_pixels(delta=0.5)")


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
    assert [(k, u) for k, _, _, u in found.values.columns] == [("hit", "y"), ("hit", "x"), ("bad", "y"), ("bad", "x")]
    assert found.losses.tolist() == [[-11, -11, 1, 1], [-12, -12, 2, 2]]
    assert (found.dropped, found.expected, found.note, found.left_out) == (0, 4, (), {})


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
    assert found.note == ("1 of 2 components do not apply to every model and were left out",)


def test_what_applies_to_nobody_is_counted():
    found = components(table([score("a", "1"), absent("a", "2"), score("b", "1"), absent("b", "2")]))
    assert (found.values.shape, found.dropped) == ((2, 1), 1)


def test_what_does_not_apply_to_a_model_that_is_left_out_stays():
    rows = [score("a", "1"), score("a", "2"), absent("b", "1"), failed("b", "2")]
    assert components(table(rows)).values.shape == (1, 2)


def test_a_model_to_which_nothing_applies_is_left_out():
    found = components(table([score("a", "1"), absent("b", "1")]))
    assert found.left_out == {"b": "nothing applies: no people here"}
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
        score("a", value=9, measure="bad.left"),
        score("flat", role="null"),
        score("us", role="ceiling"),
    ]
    found = components(table(rows))
    assert list(found.values.index) == ["a"]
    assert found.values.shape == (1, 1)
    assert list(components(table(rows), roles=("null", "ceiling")).values.index) == ["flat", "us"]


@pytest.mark.parametrize("rows", [[], [score("flat", role="null")], [failed("a", "1")]])
def test_nobody_may_remain(rows):
    found = components(table(rows))
    assert found.values.size == 0
    assert found.losses.size == 0
    assert found.note == ()


def test_row_numbers_of_joined_tables_do_not_matter():
    import pandas as pd

    parts = [table([score("a", "1"), score("a", "2", 5.0)]), table([score("b", "1"), failed("b", "2")])]
    joined, plain = pd.concat(parts), pd.concat(parts, ignore_index=True)
    assert components(joined).left_out == {"b": "1 of 2 scores failed: it broke"}
    assert components(joined).values.equals(components(plain).values)
    assert summary(joined).equals(summary(plain))
    assert common(joined)["model"].tolist() == ["a", "b"]


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


def test_a_table_without_a_column_is_refused():
    frame = table([score()])
    for needed in (components, common, summary):
        with pytest.raises(Misuse, match="the table has no column 'state'"):
            needed(frame.drop(columns="state"))


def test_common_units_are_those_that_every_model_answered():
    rows = [score("a", u) for u in "123"] + [score("b", "1"), failed("b", "2"), absent("b", "3")]
    rows += [score("flat", u, role="null") for u in "123"]
    held = common(table(rows))
    assert set(held["unit"]) == {"1", "3"}
    assert set(held["model"]) == {"a", "b", "flat"}
    assert components(held).left_out == {}


def test_units_that_a_model_was_not_asked_are_not_common():
    rows = [score("a", "1"), score("a", "2"), score("b", "2"), score("a", "2", dataset="other")]
    assert [tuple(row) for row in common(table(rows))[["model", "dataset", "unit"]].itertuples(index=False)] == [
        ("a", "toy", "2"),
        ("b", "toy", "2"),
    ]


def test_a_model_that_never_ran_leaves_the_common_units_alone():
    rows = [score("a", "1"), score("a", "2"), failed("b", "1"), failed("b", "2")]
    held = common(table(rows))
    assert len(held) == 4
    assert list(components(held).left_out) == ["b"]


def test_summary_counts_by_hand():
    rows = [
        score("a", "1", 1.0, provenance="seed"),
        score("a", "1", 3.0, repeat=1, state="low", provenance="memory"),
        score("a", "2", 6.0),
        absent("a", "3"),
        failed("a", "4"),
    ]
    (line,) = summary(table(rows)).itertuples()
    assert line.value == 4.0  # units 1 and 2, of which the first is the mean of two repeats
    assert (line.held, line.expected, line.na, line.low, line.repeats) == (3, 5, 1, 1, 2)
    assert line.provenance == "memory"
    assert (line.lo, line.hi) == (2.0, 6.0)


def test_summary_has_a_line_a_model_role_and_cell_in_order():
    rows = [
        score(m, u, measure=k, role=r)
        for u in "12"
        for m, r in (("z", "model"), ("a", "null"), ("a", "person"))
        for k in ("y", "x.part")
    ]
    lines = summary(table(rows))
    assert [tuple(line) for line in lines[["measure", "model", "role"]].itertuples(index=False)] == [
        (k, m, r) for k in ("y", "x.part") for m, r in (("z", "model"), ("a", "null"), ("a", "person"))
    ]


def test_summary_keeps_the_interval_of_the_runner_where_there_is_one_unit():
    rows = [score("a", "*", 5.0, lo=4.0, hi=7.0), score("b", "*", 6.0)]
    lines = summary(table(rows)).set_index("model")
    assert lines.loc["a", ["lo", "hi"]].tolist() == [4.0, 7.0]
    assert lines.loc["b", ["lo", "hi"]].isna().all()


def test_summary_of_a_model_without_value_is_nan():
    lines = summary(table([failed("a", "1"), failed("a", "2"), score("b", "1"), score("b", "2")])).set_index("model")
    assert lines.loc["a", ["value", "lo", "hi"]].isna().all()
    assert lines.loc["a", "held"] == 0
    assert summary(table([failed("a", "1")])).loc[0, ["value", "lo", "hi"]].isna().all()


def test_summary_of_nothing_is_empty():
    assert list(summary(table([])).columns) == table_of.SUMMARY


def test_intervals_do_not_depend_on_what_else_is_in_the_table(monkeypatch):
    rng = np.random.default_rng(0)
    rows = [score(m, str(u), rng.random(), measure=k) for m in "ab" for k in "xy" for u in range(20)]
    whole = summary(table(rows)).set_index(["model", "measure"])
    alone = summary(table([row for row in rows if row.model == "b" and row.measure == "y"])).set_index(
        ["model", "measure"]
    )
    assert whole.loc[("b", "y"), "lo"] == pytest.approx(alone.loc[("b", "y"), "lo"])
    assert whole.loc[("b", "y"), "hi"] == pytest.approx(alone.loc[("b", "y"), "hi"])


def test_summary_agrees_with_scipy():
    from scipy.stats import bootstrap

    values = np.random.default_rng(8).exponential(size=50)
    (line,) = summary(table(score("a", str(u), v) for u, v in enumerate(values)), draws=10_000).itertuples()
    peer = bootstrap((values,), np.mean, n_resamples=10_000, method="percentile", rng=np.random.default_rng(1))
    spread = values.std() / np.sqrt(50)
    assert line.value == pytest.approx(values.mean())
    assert line.lo == pytest.approx(peer.confidence_interval.low, abs=0.12 * spread)
    assert line.hi == pytest.approx(peer.confidence_interval.high, abs=0.12 * spread)


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
    assert found.note == ()


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
