import math

import numpy as np
import pytest

from beholder.core.scores import table
from beholder.errors import Misuse
from beholder.judges.mean_score import mean_score


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
    with pytest.raises(Misuse, match=r"better higher \(hit\) and better lower \(bad\).*judge by mean_rank"):
        mean_score(table(rows))


def test_the_interval_is_that_of_scipy(row):
    from scipy.stats import bootstrap

    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(2, 30))
    rows = [row("a", str(u), v, measure=k) for k, own in (("x", x), ("y", y)) for u, v in enumerate(own)]
    standing = mean_score(table(rows), draws=10_000).standing
    for own, names in (((x + y) / 2, ["lo", "hi"]), (y, ["y (all) lo", "y (all) hi"])):
        peer = bootstrap((own,), np.mean, n_resamples=10_000, method="percentile", rng=rng).confidence_interval
        spread = own.std() / np.sqrt(30)
        assert standing.loc["a", names].tolist() == pytest.approx(list(peer), abs=0.12 * spread)


def test_a_constant_lead_is_certain_and_a_changing_one_is_not(matrix):
    noise = np.random.default_rng(0).normal(0, 50, size=20)
    verdict = mean_score(matrix([noise, noise + 0.1, noise + 1 + np.tile([60, -60], 10)], ["a", "b", "c"]))
    # b is behind a by the same amount everywhere: the pairing tells them apart although their intervals overlap.
    assert verdict.standing.loc["a", "hi"] > verdict.standing.loc["b", "lo"]
    assert verdict.says.endswith("not to be told from a (the interval of the paired difference holds 0): c")


def test_who_cannot_be_told_from_the_best_is_named(matrix):
    verdict = mean_score(matrix([[1, 9, 1, 9], [2, 9, 1, 9], [8, 2, 9, 2], [50, 60, 50, 60]], ["a", "b", "c", "d"]))
    assert verdict.says == (
        "a has the best mean score of 4 models, 5 [1, 9], on bad over 4 units of toy; not to be told from a "
        "(the interval of the paired difference holds 0): b, c"
    )


def test_where_more_is_better_a_clear_lead_is_clear(matrix):
    verdict = mean_score(matrix([[7, 8, 9], [1, 2, 3], [9, 7, 7]], ["a", "b", "c"], better="higher"))
    assert verdict.best == ("a",)
    assert verdict.says.endswith("holds 0): c")


def test_a_measure_of_the_whole_dataset_keeps_the_interval_of_the_runner(row):
    rows = [row("a", "*", 5.0, lo=4.0, hi=7.0), row("b", "*", 6.0, lo=5.5, hi=6.5)]
    verdict = mean_score(table(rows))
    assert verdict.standing[["score", "lo", "hi"]].to_numpy().tolist() == [[5, 4, 7], [6, 5.5, 6.5]]
    assert verdict.says == "a has the best mean score of 2 models, 5 [4, 7], on bad over the whole of toy"


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
    assert 50 <= line["lo"] < line["score"] < line["hi"] <= 51.5
    assert [*map(str, verdict.notes)] == [
        "the interval of the mean score leaves out the spread of what was measured once: pooled (all)",
    ]


def test_of_what_was_measured_once_overlapping_intervals_are_noted(row):
    spans = {"a": (9.0, 8.0, 10.0), "b": (7.5, 6.0, 8.5), "c": (3.0, 2.0, 4.0)}
    rows = [row(m, "all", v, lo=lo, hi=hi, better="higher") for m, (v, lo, hi) in spans.items()]
    assert str(mean_score(table(rows)).notes[-1]) == "the interval of a overlaps with that of b"


def test_without_any_interval_the_mean_has_none(row):
    rows = [row("a", "*", 1.0, measure=m, lo=math.nan, hi=math.nan) for m in "xy"]
    (line,) = mean_score(table(rows)).standing.to_dict("records")
    assert np.isnan([line["lo"], line["hi"]]).all()


def test_datasets_are_drawn_together(row):
    rows = [row("a", "1", v, dataset=dataset) for dataset, v in (("x", 0.0), ("y", 1.0))]
    standing = mean_score(table(rows)).standing
    assert standing.loc["a", ["lo", "hi"]].tolist() == [0.0, 1.0]


def test_scores_equal_but_for_rounding_share_the_first_place(matrix):
    verdict = mean_score(matrix([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]))
    assert verdict.best == ("m0", "m1")
