"""Pareto dominance over units, as the source has it; over means: test_pareto_over_means.py."""

import csv
import math
import os
from functools import partial
from pathlib import Path

import moocore
import numpy as np
import pytest

import beholder.judges._layers as module
from beholder.core.scores import Score, table
from beholder.errors import Misuse
from beholder.judges.pareto import pareto as judge

pareto = partial(judge, over="units")
SMALL = "only {} units: a dataset this small can favour a model by chance or by tuning"


def test_a_table_by_hand(row):
    values = {  # two units × two criteria
        "d": (5, 5, 5, 5),
        "a": (1, 2, 3, 4),
        "b": (4, 3, 2, 1),
        "c": (1, 2, 3, 5),
        "e": (5, 5, 5, 5),
    }
    rows = [
        row(m, u, v, criterion=c)
        for m, own in values.items()
        for (u, c), v in zip([("1", "all"), ("1", "disc"), ("2", "all"), ("2", "disc")], own, strict=True)
    ]
    verdict = pareto(table(rows))
    assert verdict.best == ("a", "b")
    assert list(verdict.standing.index) == ["a", "b", "c", "d", "e"]
    assert verdict.standing["layer"].tolist() == [1, 1, 2, 3, 3]
    assert verdict.standing["dominated_by"].tolist() == ["", "", "a", "a, b, c", "a, b, c"]
    assert verdict.says == (
        "2 of 5 models are undominated on bad (all, disc) over 2 units of toy: a, b; "
        "c is dominated by a; d by a, b; e by a, b"
    )
    assert [*map(str, verdict.notes)] == ["2 of 5 models undominated on 4 criteria (components)", SMALL.format(2)]


def test_a_single_best_dominates_all_others(matrix):
    verdict = pareto(matrix([[5, 5], [1, 1], [1, 2]], ["c", "a", "b"]))
    assert verdict.says == "a dominates every other model on bad over 2 units of toy: b, c"


def test_membership_by_hand(matrix):
    # With units {u0, u1}: a is undominated if u0 is drawn or it ties; b dominates a when only u1 is drawn.
    scores = matrix([[1, 2], [2, 1], [3, 3]], ["a", "b", "c"])
    inside = pareto(scores, draws=40_000).standing["in_best"]
    # Two draws of two: both units in half of the samples, each alone in a quarter.
    assert inside["a"] == pytest.approx(0.75, abs=0.01)
    assert inside["b"] == pytest.approx(0.75, abs=0.01)
    assert inside["c"] == 0


def test_many_models_are_sorted_by_moocore_alike(monkeypatch, matrix):
    scores = matrix(np.random.default_rng(3).integers(0, 6, size=(30, 4)))
    few = pareto(scores, draws=20)
    monkeypatch.setattr(module, "MANY", 10)
    many = pareto(scores, draws=20)
    assert many.best == few.best
    assert many.standing[["layer", "in_best"]].equals(few.standing[["layer", "in_best"]])
    for model, by in many.standing["dominated_by"].items():
        assert (by == "") == (model in few.best)
        assert by == "" or (by in few.best and by in few.standing.loc[model, "dominated_by"].split(", "))


def test_the_warning_of_many_criteria(matrix):
    crowd = pareto(matrix([[1, 2, 3], [2, 3, 1], [3, 1, 2]]))
    assert crowd.says == "all 3 models are undominated on bad over 3 units of toy: m0, m1, m2"
    assert [*map(str, crowd.notes)] == [
        "3 of 3 models undominated on 3 criteria (components): dominance separates few of them, "
        "so read it beside mean_rank",
        SMALL.format(3),
    ]
    assert "separates" not in str(pareto(matrix([[1, 2], [2, 1]])).notes[0])
    assert "separates" not in str(pareto(matrix([[1, 2], [2, 1], [3, 3], [4, 4]])).notes[0])


def test_one_criterion_orders(matrix):
    verdict = pareto(matrix([[3], [1], [2]]))
    assert verdict.standing["layer"].to_dict() == {"m1": 1, "m2": 2, "m0": 3}
    assert verdict.standing["in_best"].isna().all()


def test_pooled_measures_are_in_every_draw(row):
    rows = [row(m, u, v) for m, v in (("a", 1.0), ("b", 2.0)) for u in "123"]
    rows += [row(m, "*", v, measure="spectrum") for m, v in (("a", 2.0), ("b", 1.0))]
    assert pareto(table(rows)).standing["in_best"].tolist() == [1.0, 1.0]


@pytest.mark.parametrize("relation", ["pareto", "strong", "interval"])
def test_halves_are_random_halves_of_the_units(matrix, relation):
    losses = np.random.default_rng(5).integers(0, 6, size=(6, 7)).astype(float)
    scores = matrix(losses, lo=0.0, hi=0.0)
    if relation == "interval":  # of no width: the ordinary relation
        scores["lo"] = scores["hi"] = scores["value"]
    shares = pareto(scores, relation=relation, draws=300).standing["in_best_of_halves"]
    halves = [rows for rows in np.ndindex(*(2,) * 7) if sum(rows) == 4]  # every half, of which the judge draws some
    expected = np.zeros(6)
    for chosen in np.array(halves, dtype=bool):
        own = losses[:, chosen]
        beats = (own[:, None] < own).all(axis=2) if relation == "strong" else None
        expected += moocore.is_nondominated(own, keep_weakly=True) if beats is None else ~beats.any(axis=0)
    assert shares.sort_index().tolist() == pytest.approx((expected / len(halves)).tolist(), abs=0.12)
    assert expected.std() > 0


def test_a_small_dataset_is_noted(matrix):
    assert SMALL.format(4) in map(str, pareto(matrix(np.ones((2, 4)))).notes)
    assert "only 1 unit: a dataset this small" in str(pareto(matrix(np.ones((2, 1)))).notes[-1])
    assert not any(note.kind == "small" for note in pareto(matrix(np.ones((2, 5)))).notes)


VALUES = [[1.0, 1.0, 1.0], [1.0, 1.4, 1.0], [1.4, 0.9, 2.0], [3.0, 3.0, 3.0]]


@pytest.mark.parametrize(
    ("settings", "layer", "by", "how"),
    [
        ({}, [1, 2, 1, 3], ["", "m0", "", "m0, m2, m1"], ""),
        ({"relation": "strong"}, [1, 1, 1, 2], ["", "", "", "m0, m1, m2"], " strongly"),
        ({"relation": "margin", "tolerance": 1}, [1, 1, 1, 2], ["", "", "", "m0, m1, m2"], " by a margin of 1"),
        ({"relation": "tolerant", "tolerance": 0.5}, [1, 1, 2, 3], ["", "", "m0, m1", "m0, m1, m2"],
         " with a tolerance of 0.5"),
        ({"relation": "eps_box", "tolerance": {"bad": 2}}, [1, 1, 2, 3], ["", "", "m0, m1", "m0, m1, m2"],
         " in boxes of 2 (bad)"),
    ],
)  # fmt: skip
def test_relations_by_hand(matrix, settings, layer, by, how):
    verdict = pareto(matrix(VALUES), **settings)
    standing = verdict.standing.sort_index()
    assert standing["layer"].tolist() == layer
    assert [set(names.split(", ")) for names in standing["dominated_by"]] == [set(names.split(", ")) for names in by]
    assert f"undominated{how} on bad over 3 units" in verdict.says


def test_a_circle_is_never_empty(matrix):
    circle = [[0, 0.9, 1.8], [1.8, 0, 0.9], [0.9, 1.8, 0], [5, 5, 5]]
    verdict = pareto(matrix(circle, ["a", "b", "c", "d"]), relation="tolerant", tolerance=1)
    assert verdict.best == ("a", "b", "c")
    assert verdict.standing["layer"].tolist() == [1, 1, 1, 2]
    assert verdict.says == (
        "3 of 4 models are undominated with a tolerance of 1 but within a circle on bad over 3 units of "
        "toy: a, b, c; d is dominated by a, b, c"
    )
    circle = "a, b, c dominate one another in a circle, so they cannot be ordered and share a layer"
    assert circle in map(str, verdict.notes)


def test_where_a_relation_is_not_transitive_the_sentence_claims_less(matrix):
    # a ≺ b ≺ c with a tolerance of 1, but not a ≺ c, which is better than a by 1.5 on the first unit.
    verdict = pareto(matrix([[3.0, 0.0], [2.25, 2.0], [1.5, 4.0]], ["a", "b", "c"]), relation="tolerant", tolerance=1)
    assert verdict.standing["dominated_by"].to_dict() == {"a": "", "b": "a", "c": "b"}
    assert verdict.says == (
        "1 of 3 models is undominated with a tolerance of 1 on bad over 2 units of toy: a; b is dominated by a; c by b"
    )


def test_tolerances_are_of_measures(row):
    values = {"a": (10.0, 1.0), "b": (10.4, 0.0)}
    rows = [row(m, "1", v, measure=k) for m, own in values.items() for v, k in zip(own, ("x", "y"), strict=True)]
    found = pareto(table(rows), relation="tolerant", tolerance={"x": 0.5, "y": 0.1})
    assert found.best == ("b",)
    assert pareto(table(rows), relation="tolerant", tolerance={"x": 0.3, "y": 0.1}).best == ("a", "b")
    with pytest.raises(Misuse, match="got no tolerance for the measure 'y'"):
        pareto(table(rows), relation="tolerant", tolerance={"x": 0.5})


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"relation": "weak"}, "got relation='weak'; expected one of pareto, strong, margin"),
        ({"over": "scenes"}, "got over='scenes'; expected 'means' or 'units'"),
        ({"over": "means", "missing": "common"}, "means need complete models"),
        ({"missing": "drop"}, "got missing='drop'; expected 'refuse'"),
        ({"relation": "margin"}, "relation='margin' needs a tolerance"),
        ({"tolerance": 1}, "got a tolerance with relation='pareto', which has none"),
        ({"relation": "margin", "tolerance": -1}, "got a tolerance of -1; expected 0 or more"),
        ({"relation": "interval", "missing": "common"}, "intervals need complete models"),
    ],
)
def test_misuse_is_refused(matrix, settings, said):
    with pytest.raises(Misuse, match=said):
        pareto(matrix([[1, 2]]), **settings)


def test_printed_decimals(matrix):
    scores = matrix([[0.874, 2.0], [0.868, 2.5]], ["CoopRegion", "GlobalGCP"])
    assert pareto(scores).best == ("CoopRegion", "GlobalGCP")
    assert pareto(scores, decimals=2).best == ("CoopRegion",)


def test_intervals_of_the_rows(row):
    rows = [row("a", "1", 1.0, lo=0.5, hi=1.5), row("b", "1", 2.0, lo=1.5, hi=2.5), row("c", "1", 2.4, lo=1.6, hi=3.0)]
    found = pareto(table(rows), relation="interval")
    assert found.standing["dominated_by"].to_dict() == {"a": "", "b": "", "c": "a"}
    assert "dominated by intervals on" in found.says
    turned = [r._replace(value=-r.value, lo=-r.hi, hi=-r.lo, better="higher") for r in rows]
    assert pareto(table(turned), relation="interval").standing["dominated_by"].to_dict() == {"a": "", "b": "", "c": "a"}


def test_intervals_over_repeats(row):
    rng = np.random.default_rng(0)
    drawn = {m: [rng.normal(mean, 1, size=30) for _ in "12"] for m, mean in (("a", 0), ("b", 0.2), ("c", 3))}
    rows = [
        row(m, str(u), v, repeat=k)
        for m, own in drawn.items()
        for u, some in enumerate(own)
        for k, v in enumerate(some)
    ]
    rows += [row("d", str(u), 9.0) for u in range(2)]  # not stochastic, so exact
    found = pareto(table(rows), relation="interval")
    assert found.best == ("a", "b")
    assert found.standing["layer"].to_dict() == {"a": 1, "b": 1, "c": 2, "d": 3}
    assert found.standing["in_best"].to_dict() == {"a": 1.0, "b": 1.0, "c": 0.0, "d": 0.0}


def test_intervals_over_units(matrix):
    noise = np.random.default_rng(0).normal(0, 1, size=(3, 40))
    scores = matrix(noise + np.array([[0], [0.1], [5]]), ["a", "b", "c"])
    found = pareto(scores, relation="interval")
    assert found.best == ("a", "b")
    assert found.standing["in_best"].isna().all()
    assert "intervals are those of means over units, for 1 measures × criteria" in map(str, found.notes)
    assert "2 of 3 models undominated on 1 criterion" in " ".join(map(str, found.notes))


def test_without_any_interval_values_are_exact(matrix):
    found = pareto(matrix([[1], [2]]), relation="interval")
    assert found.best == ("m0",)
    assert "without an interval, so taken as exact: bad (all)" in map(str, found.notes)


def holed(row):
    failed = {"value": math.nan, "state": "failed", "reason": "broke"}
    rows = [row(m, str(u), v) for m, own in {"a": (1, 2, 5), "b": (2, 3, 4)}.items() for u, v in enumerate(own)]
    return table([*rows, row("c", "0", 3.0), row("c", "1", **failed), row("d", "1", 1.0), row("d", "2", 6.0)])


def test_missing_values_are_refused_by_default(row):
    found = pareto(holed(row))
    assert found.best == ("a", "b")
    assert set(found.left_out) == {"c", "d"}


def test_missing_values_on_common_components(row):
    found = pareto(holed(row), missing="common")
    assert found.left_out == {}
    assert found.standing["dominated_by"].to_dict() == {"a": "", "b": "", "d": "", "c": "a, b"}
    assert "undominated on what both have on bad over 3 units of toy: a, b, d; c is dominated by" in found.says
    assert (
        "some models lack values: any two are compared on the values that both have, which is not transitive: "
        "c (2 of 3), d (1 of 3)" in map(str, found.notes)
    )


def test_missing_values_as_the_worst(row):
    found = pareto(holed(row), missing="worst")  # c = (3, 3, 6), d = (3, 1, 6)
    assert found.standing["dominated_by"].to_dict() == {"a": "", "b": "", "d": "", "c": "a, b, d"}
    worst = "missing values count as the worst value of their component: c (2 of 3), d (1 of 3)"
    assert worst in map(str, found.notes)


def test_a_circle_through_gaps(row):
    values = {"a": (1, None, 2), "b": (2, 1, None), "c": (None, 2, 1)}
    rows = [row(m, str(u), v) for m, own in values.items() for u, v in enumerate(own) if v is not None]
    found = pareto(table(rows), missing="common")
    assert found.best == ("a", "b", "c")
    assert found.standing["dominated_by"].to_dict() == {"a": "c", "b": "a", "c": "b"}
    assert "dominated on what both have but within a circle" in found.says
    (only,) = (note for note in map(str, found.notes) if "circle" in note)
    assert only.startswith("a, b, c dominate one another")


@pytest.mark.parametrize("relation", ["pareto", "strong"])
def test_two_thousand_models(matrix, relation):
    losses = np.random.default_rng(0).integers(0, 1000, size=(2000, 4)).astype(float)
    found = pareto(matrix(losses), relation=relation, draws=50)
    if relation == "pareto":
        names = [f"m{at}" for at in np.flatnonzero(moocore.is_nondominated(losses, keep_weakly=True))]
        assert sorted(found.best) == sorted(names)
    assert len(found.standing) == 2000
    assert found.standing["in_best"].between(0, 1).all()


def rows_of_middlebury():
    data = Path(os.environ.get("BEHOLDER_DATA", Path(__file__).parents[3] / "shared" / "data"))
    path = data.parent / "specs" / "middlebury_v2.csv"
    if not path.is_file():
        pytest.skip("the collected rows of Middlebury's table are not here")
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def as_scores(lines):
    cells = [name for name in lines[0] if name.partition("_")[2] in ("nonocc", "all", "disc")]
    return table(
        Score("b", 1, line["algorithm"], "model", "v2", cell.partition("_")[0], 0, "bad", "", "",
              cell.partition("_")[2], "lower", float(line[cell]), 0, 0, 1, "ok", "", "")
        for line in lines
        for cell in cells
        if line[cell]
    )  # fmt: skip


@pytest.mark.data
def test_the_verified_rows_of_middlebury():
    lines = [line for line in rows_of_middlebury() if line["verified"] == "yes"]
    verdict = pareto(as_scores(lines))
    assert len(lines) == 32
    assert set(verdict.best) == {"ADCensus", "AdaptingBP", "CoopRegion", "DoubleBP"}
    assert np.bincount(verdict.standing["layer"])[1:].tolist() == [4, 14, 6, 5, 3]


@pytest.mark.data
@pytest.mark.parametrize(
    ("relation", "sizes"), [("margin", [17, 21, 33, 47]), ("tolerant", [12, 11, 7, 7]), ("eps_box", [13, 12, 12, 8])]
)
def test_the_effect_of_the_tolerance_on_middlebury(relation, sizes):
    # The sizes were computed apart from this code when the rows were collected: 92 complete rows, twelve values.
    scores = as_scores(rows_of_middlebury())
    assert len(pareto(scores, draws=0).best) == 14
    found = [pareto(scores, relation=relation, tolerance=size, draws=0) for size in (0.05, 0.1, 0.25, 0.5)]
    assert [len(verdict.best) for verdict in found] == sizes
    assert not any("circle" in note for verdict in found for note in map(str, verdict.notes))


@pytest.mark.data
def test_published_rows_with_gaps_are_compared_on_what_they_have():
    # ObjectStereo lacks its Teddy values, and cannot be dominated: it has the least Cones (nonocc).
    found = pareto(as_scores(rows_of_middlebury()), missing="common", draws=0)
    assert "ObjectStereo" in found.best
    assert any("ObjectStereo (3 of 12)" in note for note in map(str, found.notes))


def test_more_models_and_components_than_moocore_takes(matrix):
    rng = np.random.default_rng(4)
    losses = rng.normal(size=(130, 300)) + 10.0 * np.repeat(np.arange(13), 10)[:, None]
    found = pareto(matrix(losses), draws=5)
    assert len(found.best) == 10
    assert found.standing["in_best"].between(0, 1).all()
    assert found.standing["in_best"].loc[[f"m{at}" for at in range(10)]].min() > 0
