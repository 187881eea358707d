import math

import numpy as np
import pytest

from beholder.core.scores import table
from beholder.errors import Misuse
from beholder.judges.mean_score import mean_score
from beholder.stats.small_samples import mean_interval


def test_the_mean_over_cells_of_the_means_over_units(row):
    rows = [row("a", u, v, measure="x") for u, v in (("1", 10), ("2", 20), ("3", 60))]
    rows += [row("a", "1", 2, measure="y"), row("a", "2", 4, measure="y")]
    rows += [row("b", u, 5, measure="x") for u in "123"] + [row("b", u, 5, measure="y") for u in "12"]
    both = [*rows, *(row(m, "3", math.nan, measure="y", state="na", reason="still") for m in "ab")]
    standing = mean_score(table(both)).standing
    assert standing.loc["a", ["score", "x (all)", "y (all)"]].tolist() == [16.5, 30.0, 3.0]
    assert standing.loc["b", "score"] == 5.0
    assert list(standing.index) == ["b", "a"]


def test_one_cell_is_not_said_twice(matrix):
    assert list(mean_score(matrix([[1, 2], [3, 4]])).standing.columns) == ["score", "lo", "hi"]


def test_directions_must_agree(row):
    rows = [row(m, "1", 1.0, measure=k, better=b) for m in "ab" for k, b in (("hit", "higher"), ("bad", "lower"))]
    with pytest.raises(Misuse, match=r"higher is better \(hit\) and where lower is \(bad\).*judge by mean_rank"):
        mean_score(table(rows))


def test_the_interval_is_over_units_whose_cells_belong_together(row):
    x, y = np.random.default_rng(2).exponential(size=(2, 30))
    rows = [row("a", str(u), v, measure=k) for k, own in (("x", x), ("y", y)) for u, v in enumerate(own)]
    standing = mean_score(table(rows)).standing
    for own, names in (((x + y) / 2, ["lo", "hi"]), (y, ["y (all) lo", "y (all) hi"])):
        assert standing.loc["a", names].tolist() == pytest.approx(mean_interval(own[:, None])[:, 0].tolist())


def test_a_constant_lead_is_certain_and_a_changing_one_is_not(matrix):
    noise = np.random.default_rng(0).normal(0, 50, size=20)
    verdict = mean_score(matrix([noise, noise + 0.1, noise + 1 + np.tile([60, -60], 10)], ["a", "b", "c"]))
    # b is behind a by the same amount everywhere: the pairing tells them apart although their intervals overlap.
    assert verdict.standing.loc["a", "hi"] > verdict.standing.loc["b", "lo"]
    assert verdict.tied == ("c",)
    assert verdict.says.startswith("no clear winner among 2 of 3 models: a leads the 3 models by mean score")
    assert verdict.says.endswith("but is not significantly better than c")


def test_a_clear_winner_is_said_to_be_one(matrix):
    values = np.random.default_rng(0).normal(0, 1, size=(3, 9)) + np.array([[9], [0], [0]])
    verdict = mean_score(matrix(values, ["a", "b", "c"], better="higher"))
    assert (verdict.best, verdict.tied) == (("a",), ())
    assert verdict.says.endswith("on bad over 9 units of toy; all others are significantly worse")


def test_on_few_units_nothing_is_tested(matrix):
    verdict = mean_score(matrix([[1, 9, 1, 9], [50, 60, 50, 60]], ["a", "d"]))
    assert (verdict.best, verdict.tied) == (("a",), ())
    assert verdict.says.endswith("over 4 units of toy; 4 units are too few to test the differences (6 are needed)")


def test_a_measure_of_the_whole_dataset_keeps_the_interval_of_the_runner(row):
    rows = [row("a", "*", 5.0, lo=4.0, hi=7.0), row("b", "*", 6.0, lo=5.5, hi=6.5)]
    verdict = mean_score(table(rows))
    assert verdict.standing[["score", "lo", "hi"]].to_numpy().tolist() == [[5, 4, 7], [6, 5.5, 6.5]]
    assert verdict.says == (
        "a leads the 2 models by mean score, 5 [4, 7], on bad over all of toy; "
        "measures were taken once over all samples, so the differences cannot be tested"
    )


def test_what_was_measured_once_joins_the_interval_of_the_mean(row):
    rows = [row("a", str(u), float(u), measure="x") for u in range(4)]
    verdict = mean_score(table([*rows, row("a", "*", 100.0, measure="pooled", lo=90.0, hi=120.0)]))
    (line,) = verdict.standing.to_dict("records")
    assert line["score"] == (1.5 + 100) / 2
    below, above = 1.5 - line["x (all) lo"], line["x (all) hi"] - 1.5
    assert line["lo"] == pytest.approx(line["score"] - np.hypot(below, 10) / 2)
    assert line["hi"] == pytest.approx(line["score"] + np.hypot(above, 20) / 2)
    assert (line["pooled (all) lo"], line["pooled (all) hi"]) == (90, 120)
    assert verdict.notes == ()


def test_the_joined_interval_covers_the_mean_of_two_measured_once_as_often_as_it_says(row):
    """Two independent normal estimates of 0, each with its own 95 % interval: their mean's holds 0 in 95 %."""
    sd = {"x": 1.0, "y": 3.0}
    drawn = np.random.default_rng(4).normal(0, list(sd.values()), size=(400, 2))
    rows = [
        row(f"m{at}", "*", value, measure=name, lo=value - 1.96 * sd[name], hi=value + 1.96 * sd[name])
        for at, both in enumerate(drawn)
        for name, value in zip(sd, both, strict=True)
    ]
    standing = mean_score(table(rows)).standing
    assert 0.92 <= ((standing["lo"] <= 0) & (standing["hi"] >= 0)).mean() <= 0.98


def test_what_was_measured_once_and_has_no_interval_is_noted(row):
    rows = [row("a", str(u), float(u), measure="x") for u in range(4)]
    verdict = mean_score(table([*rows, row("a", "*", 100.0, measure="pooled", lo=math.nan, hi=math.nan)]))
    (line,) = verdict.standing.to_dict("records")
    assert line["hi"] - line["lo"] == pytest.approx((line["x (all) hi"] - line["x (all) lo"]) / 2)
    assert [*map(str, verdict.notes)] == [
        "the interval of the mean score ignores the uncertainty of what was measured once: pooled (all)",
    ]


def test_of_what_was_measured_once_overlapping_intervals_are_noted(row):
    spans = {"a": (9.0, 8.0, 10.0), "b": (7.5, 6.0, 8.5), "c": (3.0, 2.0, 4.0)}
    rows = [row(m, "all", v, lo=lo, hi=hi, better="higher") for m, (v, lo, hi) in spans.items()]
    assert str(mean_score(table(rows)).notes[-1]) == "the interval of a overlaps with that of b"


def test_without_any_interval_the_mean_has_none(row):
    rows = [row("a", "*", 1.0, measure=m, lo=math.nan, hi=math.nan) for m in "xy"]
    (line,) = mean_score(table(rows)).standing.to_dict("records")
    assert np.isnan([line["lo"], line["hi"]]).all()


def test_units_of_all_datasets_are_units(row):
    values = {"x": (0.0, 2.0), "y": (1.0, 4.0)}
    rows = [row("a", str(u), v, dataset=dataset) for dataset, own in values.items() for u, v in enumerate(own)]
    found = mean_score(table(rows)).standing.loc["a", ["lo", "hi"]].tolist()
    assert found == pytest.approx(mean_interval(np.array([[0.0], [2.0], [1.0], [4.0]]))[:, 0].tolist())


def test_scores_equal_but_for_rounding_share_the_first_place(matrix):
    verdict = mean_score(matrix([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]))
    assert verdict.best == ("m0", "m1")
