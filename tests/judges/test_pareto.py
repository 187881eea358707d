import csv
import os
from pathlib import Path

import moocore
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import beholder.judges.pareto as module
from beholder.judges.pareto import dominance, layers, membership, pareto
from beholder.spine.judging import Layout
from beholder.spine.scores import Score, table
from beholder.stats import bootstrap

# Few levels and few columns, so that ties, equal rows and dominance are all common.
LOSSES = arrays(float, st.tuples(st.integers(1, 12), st.integers(1, 5)), elements=st.integers(0, 3).map(float))


def laid(units, cells=None):
    units = np.asarray(units)
    cells = np.zeros_like(units) if cells is None else np.asarray(cells)
    return Layout(units, cells, ("x",), bootstrap.strata(units, cells))


@given(LOSSES)
def test_layers_are_those_of_moocore(losses):
    assert (layers(dominance(losses)) == moocore.pareto_rank(losses) + 1).all()


@settings(deadline=None)
@given(LOSSES)
def test_the_first_layer_is_that_of_paretoset(losses):
    peer = pytest.importorskip("paretoset")
    mask = peer.paretoset(losses, distinct=False, use_numba=False)
    assert ((layers(dominance(losses)) == 1) == mask).all()


@given(LOSSES)
def test_dominance_by_the_definition(losses):
    found = dominance(losses)
    for a, first in enumerate(losses.tolist()):
        for b, second in enumerate(losses.tolist()):
            pairs = list(zip(first, second, strict=True))
            assert found[a, b] == (all(x <= y for x, y in pairs) and any(x < y for x, y in pairs))


@given(LOSSES)
def test_laws_of_the_best_set(losses):
    found = dominance(losses)
    best = layers(found) == 1
    assert best.any()
    assert found[best][:, ~best].any(axis=0).all()  # each excluded one is dominated by some member
    assert not found[:, best].any()
    more = layers(dominance(np.hstack([losses, np.arange(len(losses))[:, None]]))) == 1
    alone = [not any((losses == own).all(axis=1)[np.arange(len(losses)) != at]) for at, own in enumerate(losses)]
    assert (more | ~best | ~np.array(alone)).all()  # a further criterion keeps members, up to ties


def test_a_relation_is_one_function(matrix):
    def strong(a, b):
        return a < b, a < b

    losses = np.array([[1.0, 2.0], [1.0, 3.0], [2.0, 4.0]])
    assert layers(dominance(losses)).tolist() == [1, 2, 3]
    assert layers(dominance(losses, strong)).tolist() == [1, 1, 2]
    inside = membership(losses, laid([0, 0]), draws=5, rng=np.random.default_rng(0), relation=strong)
    assert inside.tolist() == [1, 1, 0]


def test_a_cycle_is_refused():
    with pytest.raises(ValueError, match="3 models dominate one another"):
        layers(np.roll(np.eye(3, dtype=bool), 1, axis=1))


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
        "none of these 2 of 5 models is dominated on bad (all, disc) over 2 units of toy: a, b; "
        "each other one is dominated by at least one of them (c by a; d by a, b; e by a, b)"
    )
    assert verdict.notes == ("2 of 5 models undominated on 4 criteria (components)",)


def test_a_single_best_dominates_all_others(matrix):
    verdict = pareto(matrix([[5, 5], [1, 1], [1, 2]], ["c", "a", "b"]))
    assert verdict.says == "a dominates each other one of these 3 models on bad over 2 units of toy: b, c"


def test_membership_by_hand(matrix):
    # With units {u0, u1}: a is undominated if u0 is drawn or it ties; b dominates a when only u1 is drawn.
    scores = matrix([[1, 2], [2, 1], [3, 3]], ["a", "b", "c"])
    inside = pareto(scores, draws=40_000).standing["in_best"]
    # Two draws of two: both units in half of the samples, each alone in a quarter.
    assert inside["a"] == pytest.approx(0.75, abs=0.01)
    assert inside["b"] == pytest.approx(0.75, abs=0.01)
    assert inside["c"] == 0


@settings(max_examples=30, deadline=None)
@given(LOSSES, st.integers(1, 4), st.integers(0, 999))
def test_membership_by_brute_force(losses, units, seed):
    of = np.arange(losses.shape[1]) % min(units, losses.shape[1])
    fast = membership(losses, laid(of), draws=30, rng=np.random.default_rng(seed))
    total = np.zeros(len(losses))
    for block in bootstrap.counts(of.max() + 1, draws=30, rng=np.random.default_rng(seed)):
        for weights in block:
            repeated = np.repeat(losses, weights[of].astype(int), axis=1)
            total += moocore.is_nondominated(repeated, keep_weakly=True)
    assert fast == pytest.approx(total / 30)


@pytest.mark.parametrize("room", [0, 60])
def test_large_tables_go_another_way_to_the_same_end(monkeypatch, room):
    losses = np.random.default_rng(1).integers(0, 9, size=(7, 8)).astype(float)
    losses[6] = losses[0]
    lay = laid([0, 0, 1, 1, 2, 2, 3, 3])
    direct = membership(losses, lay, draws=50, rng=np.random.default_rng(0))
    monkeypatch.setattr(module, "ROOM", room)
    assert (membership(losses, lay, draws=50, rng=np.random.default_rng(0)) == direct).all()
    assert direct[0] == direct[6] > 0
    assert ((direct > 0) & (direct < 1)).any()


def test_draws_come_in_parts_of_bounded_size(monkeypatch):
    losses = np.random.default_rng(1).integers(0, 9, size=(5, 6)).astype(float)
    barred, gains = module._pairs(losses, laid(range(6)), module.ordinary)
    present = np.random.default_rng(2).random((20, 6)) < 0.6
    whole = module._fronts(present, barred, gains)
    monkeypatch.setattr(module, "ROOM", 60)
    assert (module._fronts(present, barred, gains) == whole).all()


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
    assert crowd.says == "none of these 3 models is dominated on bad over 3 units of toy: m0, m1, m2"
    assert crowd.notes == (
        "3 of 3 models undominated on 3 criteria (components): with so many criteria for so few models dominance "
        "separates little; read it beside mean_rank",
    )
    assert "separates" not in pareto(matrix([[1, 2], [2, 1]])).notes[0]
    assert "separates" not in pareto(matrix([[1, 2], [2, 1], [3, 3], [4, 4]])).notes[0]


def test_one_criterion_orders(matrix):
    verdict = pareto(matrix([[3], [1], [2]]))
    assert verdict.standing["layer"].to_dict() == {"m1": 1, "m2": 2, "m0": 3}
    assert verdict.standing["in_best"].isna().all()


def test_pooled_measures_are_in_every_draw(row):
    rows = [row(m, u, v) for m, v in (("a", 1.0), ("b", 2.0)) for u in "123"]
    rows += [row(m, "*", v, measure="spectrum") for m, v in (("a", 2.0), ("b", 1.0))]
    assert pareto(table(rows)).standing["in_best"].tolist() == [1.0, 1.0]


def verified():
    data = Path(os.environ.get("BEHOLDER_DATA", Path(__file__).parents[3] / "shared" / "data"))
    path = data.parent / "specs" / "middlebury_v2.csv"
    if not path.is_file():
        pytest.skip("the collected rows of Middlebury's table are not here")
    with path.open(newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["verified"] == "yes"]


@pytest.mark.data
def test_the_verified_rows_of_middlebury():
    lines = verified()
    names = [name for name in lines[0] if name.partition("_")[2] in ("nonocc", "all", "disc")]
    rows = [
        Score("b", 1, line["algorithm"], "model", "v2", cell.partition("_")[0], 0, "bad", cell.partition("_")[2],
              "lower", float(line[cell]), 0, 0, 1, "ok", "", "")
        for line in lines
        for cell in names
    ]  # fmt: skip
    verdict = pareto(table(rows))
    assert len(lines) == 32
    assert set(verdict.best) == {"ADCensus", "AdaptingBP", "CoopRegion", "DoubleBP"}
    assert np.bincount(verdict.standing["layer"])[1:].tolist() == [4, 14, 6, 5, 3]
