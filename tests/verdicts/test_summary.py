import math

import numpy as np
import pandas as pd
import pytest

from beholder.core.scores import table
from beholder.errors import Misuse
from beholder.stats.proportion import wilson
from beholder.verdicts.summary import SUMMARY, summary
from toys import absent, failed, score

NAN = math.nan


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
    assert math.isnan(line.lo)  # two units have no interval


def test_summary_has_one_line_per_model_role_and_cell_in_order():
    rows = [
        score(m, u, measure=k, part="part" * (k == "x"), role=r)
        for u in "12"
        for m, r in (("z", "model"), ("a", "blind"), ("a", "person"))
        for k in ("y", "x")
    ]
    lines = summary(table(rows))
    assert [tuple(line) for line in lines[["measure", "part", "model", "role"]].itertuples(index=False)] == [
        (*k, m, r) for k in (("y", ""), ("x", "part")) for m, r in (("z", "model"), ("a", "blind"), ("a", "person"))
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
    assert list(summary(table([])).columns) == SUMMARY


def test_intervals_do_not_depend_on_what_else_is_in_the_table():
    rng = np.random.default_rng(0)
    rows = [score(m, str(u), rng.random(), measure=k) for m in "ab" for k in "xy" for u in range(20)]
    whole = summary(table(rows)).set_index(["model", "measure"])
    alone = summary(table([row for row in rows if row.model == "b" and row.measure == "y"])).set_index(
        ["model", "measure"]
    )
    assert whole.loc[("b", "y"), "lo"] == pytest.approx(alone.loc[("b", "y"), "lo"])
    assert whole.loc[("b", "y"), "hi"] == pytest.approx(alone.loc[("b", "y"), "hi"])


def test_without_skewness_the_interval_is_students():
    from scipy.stats import t

    values = np.random.default_rng(8).normal(size=25)
    values = np.concatenate([values, -values])
    (line,) = summary(table(score("a", str(u), v) for u, v in enumerate(values))).itertuples()
    assert line.value == pytest.approx(values.mean())
    assert [line.lo, line.hi] == pytest.approx(t.interval(0.95, 49, values.mean(), values.std(ddof=1) / np.sqrt(50)))


def test_variants_and_parts_have_lines_of_their_own():
    rows = [
        score("a", u, v, settings=s, part=p)
        for u, v in (("1", 1.0), ("2", 3.0))
        for s in ("", "k=1")
        for p in ("", "left")
    ]
    lines = summary(table(rows))
    assert lines[["settings", "part"]].to_numpy().tolist() == [["", ""], ["", "left"], ["k=1", ""], ["k=1", "left"]]
    assert lines["value"].tolist() == [2.0] * 4


def test_row_numbers_of_joined_tables_do_not_matter():
    several = [table([score("a", "1"), score("a", "2", 5.0)]), table([score("b", "1"), failed("b", "2")])]
    assert summary(pd.concat(several)).equals(summary(pd.concat(several, ignore_index=True)))


def test_a_table_without_a_column_is_refused():
    with pytest.raises(Misuse, match="the table has no column 'state'"):
        summary(table([score()]).drop(columns="state"))


def test_a_map_that_scores_nothing_everywhere_is_no_share():
    """NSS of a uniform map is 0 on every picture; where another map has 1.7, that 0 is no count of successes."""
    rows = [score("uniform", str(u), 0.0) for u in range(12)] + [score("good", str(u), 1.5 + u / 50) for u in range(12)]
    lines = summary(table(rows)).set_index("model")
    assert lines.loc["uniform", ["lo", "hi"]].tolist() == [0, 0]
    coins = [score(m, str(u), float(u % 3 == 0 and m == "b")) for m in "ab" for u in range(12)]
    assert summary(table(coins)).set_index("model").loc["a", "hi"] == pytest.approx(wilson(0, 12)[1])
