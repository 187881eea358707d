"""Pareto dominance over means, the default: nowhere worse, somewhere significantly better."""

import numpy as np

from beholder.core.scores import table
from beholder.judges.pareto import pareto

TEST = "by a paired t test, corrected for all pairs and means"
HOW = f"(to dominate: nowhere worse, somewhere significantly better {TEST})"
PLAIN = "(to dominate: nowhere worse, somewhere better; too few units to test it)"


def rows_of(row, values, **more):
    """Rows from model → criterion → losses on units."""
    return [
        row(model, f"u{at}", value, criterion=criterion, **more)
        for model, own in values.items()
        for criterion, losses in own.items()
        for at, value in enumerate(losses)
    ]


def test_one_best(row):
    rng = np.random.default_rng(0)
    hard = rng.uniform(5, 20, size=9)
    values = {
        name: {criterion: hard + more + rng.normal(0, 0.5, size=9) for criterion in ("nonocc", "all", "disc")}
        for name, more in (("block", 5), ("sgbm", 0))
    }
    found = pareto(table(rows_of(row, values, measure="bad_pixels")))
    assert (
        found.says == f"sgbm dominates block on the means of bad_pixels (nonocc, all, disc) over 9 units of toy {HOW}"
    )
    assert found.standing["in_best"].to_dict() == {"sgbm": 1.0, "block": 0.0}
    assert found.standing["in_best_of_halves"].to_dict() == {"sgbm": 1.0, "block": 0.0}
    assert "1 of 2 models undominated on 3 criteria (means)" in map(str, found.notes)


def test_a_better_mean_must_be_significant(row):
    first = np.array([1.0, 2, 3, 4, 5, 6, 7, 8])
    values = {
        "a": {"all": first, "disc": first},
        "b": {"all": first + np.tile([9, -8], 4), "disc": first},  # worse in the mean, by chance
        "c": {"all": first + 1, "disc": first - 1e-13},  # worse on every unit; equal but for rounding
        "d": {"all": first + 1, "disc": first - 0.01},  # better somewhere, however little
    }
    found = pareto(table(rows_of(row, values)))
    assert found.says == (
        f"3 of 4 models are undominated on the means of bad (all, disc) over 8 units of toy {HOW}: a, b, d; "
        "c is dominated by a, d"
    )
    assert found.standing["in_best"]["c"] == 0
    assert found.standing["in_best"]["a"] > 0.99


def test_many_criteria_still_tell_models_apart(matrix):
    rng = np.random.default_rng(1)
    losses = rng.normal(size=(120, 300)) + rng.normal(size=300) + np.repeat([0.0, 0.5, 1.0, 1.5], 30)[:, None]
    scores = matrix(losses)
    assert len(pareto(scores, over="units", draws=0).best) == 120
    found = pareto(scores, draws=50)
    assert len(found.best) < 31
    assert found.standing["in_best"].between(0, 1).all()
    assert found.standing["in_best"].loc[[f"m{at}" for at in range(60, 120)]].max() == 0


def test_datasets_are_apart(row):
    rows = [
        row(model, str(unit), value + 0.1 * unit, dataset=dataset)
        for dataset, own in {"one": {"a": 1, "b": 2}, "two": {"a": 20, "b": 10}}.items()
        for model, value in own.items()
        for unit in range(5)
    ]
    found = pareto(table(rows))
    assert found.best == ("a", "b")
    assert found.standing["in_best"].tolist() == [1, 1]  # each dataset is drawn for itself
    assert "2 of 2 models undominated on 2 criteria (means)" in map(str, found.notes)


def test_where_nothing_can_be_tested_plain_differences_count(matrix):
    found = pareto(matrix([[1, 2], [2, 1.5], [3, 3]], ["a", "b", "c"]))
    assert found.says == f"a dominates every other model on the means of bad over 2 units of toy {PLAIN}: b, c"
    assert found.untested == "2 units are too few to test the differences (3 are needed)"
    one = pareto(matrix([[1], [2]]))
    assert one.best == ("m0",)
    assert one.untested == "measures were taken once over all samples, so the differences cannot be tested"
    assert one.standing["in_best"].isna().all()


def test_what_was_measured_once_has_intervals_of_the_runner(row):
    values = {"a": (1.0, 0.5, 1.5), "b": (2.0, 1.4, 2.6), "c": (3.0, 2.7, 3.3)}
    rows = [row(m, "*", v, lo=lo, hi=hi) for m, (v, lo, hi) in values.items()]
    found = pareto(table(rows))
    assert found.standing["dominated_by"].to_dict() == {"a": "", "b": "", "c": "a, b"}  # a and b overlap
    assert "(to dominate: nowhere worse, somewhere better with intervals apart)" in found.says
    turned = [r._replace(value=-r.value, lo=-r.hi, hi=-r.lo, better="higher") for r in rows]
    assert pareto(table(turned)).standing["dominated_by"].to_dict() == {"a": "", "b": "", "c": "a, b"}
    bare = [r._replace(lo=np.nan, hi=np.nan) if r.model == "b" else r for r in rows]  # b is taken as exact
    assert pareto(table(bare)).standing["dominated_by"].to_dict() == {"a": "", "b": "a", "c": "a, b"}


def test_cells_on_few_units_beside_others_are_noted(row):
    rows = [row(m, u, v) for m, v in (("a", 1.0), ("b", 2.0)) for u in "123456"]
    rows += [row(m, "*", v, measure="spectrum") for m, v in (("a", 2.0), ("b", 1.0))]
    found = pareto(table(rows))
    assert found.best == ("a", "b")
    assert found.standing["in_best"].tolist() == [1.0, 1.0]
    text = "fewer than 3 units, so intervals must not overlap, and a value without one is exact: spectrum (all)"
    assert text in map(str, found.notes)


def test_relations_between_means(matrix):
    losses = np.array([[1.0, 2, 3], [1.4, 2.4, 3.4], [4, 5, 6]])
    for settings, by in (
        ({"relation": "strong"}, ["", "m0", "m0, m1"]),
        ({"relation": "margin", "tolerance": 1}, ["", "", "m0, m1"]),
        ({"relation": "tolerant", "tolerance": 0.5}, ["", "", "m0, m1"]),
        ({"relation": "eps_box", "tolerance": 2}, ["", "", "m0, m1"]),  # 2 and 2.4 are in one box
        ({"relation": "interval"}, ["", "", ""]),  # of 3 units, and so wide
    ):
        found = pareto(matrix(losses), **settings)
        assert found.standing["dominated_by"].to_dict() == dict(zip(["m0", "m1", "m2"], by, strict=True))
        assert found.standing["in_best"].between(0, 1).all()
        assert "on the means of bad over 3 units of toy" in found.says


def test_literal_intervals_dominate_far_less(matrix):
    rng = np.random.default_rng(3)
    losses = 3 * rng.normal(size=12) + rng.normal(0, 0.2, size=(4, 12)) + np.arange(4)[:, None] / 2
    scores = matrix(losses)
    assert pareto(scores).standing["layer"].tolist() == [1, 2, 3, 4]
    assert pareto(scores, relation="interval").standing["layer"].tolist() == [1, 1, 1, 1]


def test_infinite_values_count_as_very_bad(matrix):
    inf = float("inf")
    found = pareto(matrix([[1, 2, 3, 2, 1, 2], [inf] * 6, [1, 2, 3, 2, 1, inf]]))
    assert found.standing["layer"].to_dict()["m0"] == 1
    assert "m0" in found.standing["dominated_by"]["m1"]


def test_very_many_models_name_one_dominator_each(matrix, monkeypatch):
    import beholder.judges._layers as module

    losses = np.random.default_rng(3).normal(0, 0.1, size=(30, 8)) + np.arange(30)[:, None] % 7
    scores = matrix(losses)
    few = pareto(scores, draws=20)
    monkeypatch.setattr(module, "MANY", 10)
    many = pareto(scores, draws=20)
    assert many.standing[["layer", "in_best"]].equals(few.standing[["layer", "in_best"]])
    for model, by in many.standing["dominated_by"].items():
        assert by == few.standing["dominated_by"][model].split(", ")[0]
