"""What holds for every judge."""

import math
from inspect import signature

import numpy as np
import pytest

from beholder.core.cite import bibtex, key_of
from beholder.core.scores import table
from beholder.errors import Misuse
from beholder.judges.bradley_terry import bradley_terry
from beholder.judges.families import families
from beholder.judges.mean_rank import mean_rank
from beholder.judges.mean_score import mean_score
from beholder.judges.nemenyi import nemenyi
from beholder.judges.pareto import pareto
from beholder.judges.rank_intervals import rank_intervals
from beholder.judges.significance import significance
from beholder.registry.find import names
from beholder.verdicts.notes import KINDS

ALL = [mean_score, mean_rank, pareto, families, significance, nemenyi, rank_intervals, bradley_terry]
CAUTIOUS = [significance, nemenyi]  # on few units they call nobody better
DRAWING = [judge for judge in ALL if "draws" in signature(judge).parameters]
JUDGES = pytest.mark.parametrize("judge", ALL)
BOLD = pytest.mark.parametrize("judge", [judge for judge in ALL if judge not in CAUTIOUS])
UNITS = "12345678"  # enough for a test to tell two models apart


def test_every_judge_is_here():
    assert {judge.__name__ for judge in ALL} == set(names("judges"))


@JUDGES
def test_the_source_is_in_the_library(judge, matrix):
    assert "no entry" not in bibtex([key_of(judge)])
    assert judge(matrix([[1, 2], [3, 4]])).cite == key_of(judge)
    assert judge(matrix([])).cite == key_of(judge)


@JUDGES
def test_a_model_that_failed_is_named_and_not_judged(judge, row):
    rows = [row(m, u, v) for m, v in (("a", 1.0), ("b", 2.0)) for u in UNITS]
    rows += [row("c", "1", 0.0), row("c", "2", math.nan, state="failed", reason="out of memory")]
    verdict = judge(table(rows))
    assert verdict.best == ("a",)
    assert set(verdict.standing.index) == {"a", "b"}
    assert verdict.left_out == {"c": "1 of 2 scores failed: out of memory"}
    assert verdict.says.endswith("; left out: c (1 of 2 scores failed: out of memory)")


@JUDGES
def test_nobody_is_judged_with_a_reason(judge, row):
    verdict = judge(table([row("a", "1", math.nan, state="failed", reason="no such file")]))
    assert verdict.says == "no model could be judged: a: 1 of 1 scores failed: no such file"
    assert (verdict.best, len(verdict.standing)) == ((), 0)


@JUDGES
def test_without_models_nobody_is_judged(judge, row):
    assert judge(table([])).says.startswith("no model could be judged: the table has no scores of models")
    assert judge(table([row("flat", "1", 3.0, role="blind")])).says.startswith("no model could be judged")


@pytest.mark.parametrize("judge", [judge for judge in ALL if judge is not bradley_terry])
def test_models_that_share_no_component_are_not_judged(judge, row):
    na = {"value": math.nan, "state": "na", "reason": "nobody looked"}
    rows = [row("a", "1", 1.0), row("a", "2", **na), row("b", "1", **na), row("b", "2", 1.0)]
    verdict = judge(table(rows))
    assert verdict.says == "no model could be judged: no component applies to all models: a, b"
    assert [*map(str, verdict.notes)] == ["2 of 2 components do not apply to every model and were left out"]
    assert verdict.best == ()


@JUDGES
def test_one_model_is_not_compared(judge, matrix):
    verdict = judge(matrix([[1, 2, 3]], ["only"]))
    assert verdict.best == ("only",)
    assert "only is the only model judged" in verdict.says
    assert "nothing to compare" in verdict.says


@JUDGES
def test_equal_models_are_both_best(judge, matrix):
    verdict = judge(matrix([[3] * 12, [1, 2] * 6, [1, 2] * 6], ["c", "a", "b"]))
    assert verdict.best == ("a", "b")
    assert list(verdict.standing.index) == ["a", "b", "c"]


@pytest.mark.parametrize("judge", [judge for judge in ALL if judge is not bradley_terry])
def test_what_was_not_compared_is_noted(judge, row):
    rows = [row("a", "1", 1.0), row("a", "2", 2.0), row("b", "1", 2.0)]
    verdict = judge(table([*rows, row("b", "2", math.nan, state="na", reason="empty")]))
    assert "1 of 2 components do not apply to every model and were left out" in map(str, verdict.notes)


@JUDGES
def test_better_higher_is_turned(judge, matrix):
    assert judge(matrix([[1, 2] * 4, [3, 4] * 4], better="higher")).best == ("m1",)


@JUDGES
def test_a_missing_column_is_refused(judge, matrix):
    with pytest.raises(Misuse, match="the table has no column 'criterion'"):
        judge(matrix([[1.0]]).drop(columns="criterion"))


@JUDGES
def test_the_users_models_and_ours_are_judged_alike(judge, matrix):
    scores = matrix([[1, 2] * 4, [3, 4] * 4])
    ours = scores.assign(role=["baseline" if model == "m1" else "model" for model in scores["model"]])
    first, second = judge(scores), judge(ours)
    assert first.standing.equals(second.standing)
    assert (first.says, first.notes) == (second.says, second.notes)


@JUDGES
def test_parts_of_measures_are_ignored(judge, row):
    rows = [row(m, u, v, lo=v - 1, hi=v + 1) for m, v in (("a", 2.0), ("b", 3.0)) for u in UNITS]
    parts = [row(m, u, v, part="left", better="neither") for m, v in (("a", 9.0), ("b", 0.0)) for u in UNITS]
    plain, found = judge(table(rows)), judge(table([*rows, *parts]))
    assert found.standing.equals(plain.standing)
    assert found.says == plain.says


@JUDGES
def test_variants_of_a_measure_are_measures_of_their_own(judge, row):
    values = {"a": (1.0, 2.0), "b": (3.0, 4.0)}

    def made(names):
        return table(
            row(m, u, v, measure=measure, settings=settings)
            for m, own in values.items()
            for v, (measure, settings) in zip(own, names, strict=True)
            for u in UNITS
        )

    variants, others = judge(made([("bad", "delta=1"), ("bad", "delta=2")])), judge(made([("x", ""), ("y", "")]))
    assert variants.standing.set_axis(others.standing.columns, axis="columns").equals(others.standing)
    says = variants.says.replace("bad(delta=1)", "x").replace("bad(delta=2)", "y")
    assert says == others.says


@JUDGES
def test_every_note_is_of_a_known_kind(judge, row):
    rows = [row(m, u, v) for m, v in (("a", 1.0), ("b", 1.0), ("c", 2.0)) for u in "123"]
    rows += [row(m, "*", 1.0, measure="once") for m in "abc"]
    rows += [row("a", "4", 1.0), *(row(m, "4", math.nan, state="na", reason="empty") for m in "bc")]
    notes = judge(table(rows)).notes
    assert notes
    assert {note.kind for note in notes} <= set(KINDS)
    assert not any("{about}" in str(note) for note in notes)


@JUDGES
def test_blind_models_and_people_are_not_judged(judge, row):
    rows = [row(m, u, v) for m, v in (("a", 2.0), ("b", 3.0)) for u in UNITS]
    rows += [row(m, u, 0.0, role=r) for m, r in (("us", "ceiling"), ("no", "blind")) for u in UNITS]
    verdict = judge(table(rows))
    assert verdict.best == ("a",)
    assert set(verdict.standing.index) == {"a", "b"}


@pytest.mark.parametrize("judge", DRAWING)
def test_the_same_seed_gives_the_same_verdict(judge, matrix):
    scores = matrix([[1, 5, 2, 8], [2, 3, 4, 4], [9, 1, 1, 9]])
    if judge is families:  # over means hardly a draw differs, unless they are near the edge
        scores = matrix(np.random.default_rng(0).normal(size=(3, 40)) + np.array([[0.0], [0.4], [0.8]]))
    more = {"over": "units"} if judge is pareto else {}
    first, again, other = (judge(scores, seed=seed, draws=23, **more).standing for seed in (3, 3, 4))
    assert first.equals(again)
    assert not first.equals(other)


@BOLD
def test_one_unit_has_no_interval(judge, matrix):
    standing = judge(matrix([[1], [2]])).standing
    assert standing.select_dtypes(float).isna().any().sum() >= 1
    assert judge(matrix([[1], [2]])).best == ("m0",)


@JUDGES
def test_infinite_values_are_compared(judge, matrix):
    inf = float("inf")
    verdict = judge(matrix([[30, 31, 32] * 3, [40, inf, 42] * 3], better="higher", measure="psnr"))
    assert verdict.best == ("m1",)


@pytest.mark.parametrize("judge", CAUTIOUS)
def test_on_one_unit_nobody_is_called_better(judge, matrix):
    verdict = judge(matrix([[1], [2]]))
    assert verdict.leading == ("m0", "m1")
    assert list(verdict.standing.index) == ["m0", "m1"]


@JUDGES
def test_very_many_models_have_a_verdict(judge, matrix):
    losses = np.random.default_rng(0).normal(size=(600, 6)) + np.arange(600)[:, None] / 10
    verdict = judge(matrix(losses), **({"draws": 20} if judge in DRAWING else {}))
    assert verdict.standing.shape[0] == 600
    assert "m0" in verdict.standing.index[:100]
    assert set(verdict.best) <= set(verdict.standing.index)
    assert len(verdict.says) < 1500


@JUDGES
def test_duplicates_share_a_verdict(judge, matrix):
    losses = np.random.default_rng(1).normal(size=(4, 9))
    standing = judge(matrix([*losses, losses[1]], ["a", "b", "c", "d", "b again"])).standing
    assert standing.iloc[:, 0]["b"] == pytest.approx(standing.iloc[:, 0]["b again"], rel=1e-12)


@JUDGES
def test_the_first_column_orders_the_standing(judge, matrix):
    standing = judge(matrix(np.random.default_rng(2).normal(size=(6, 20)) + np.arange(6)[:, None])).standing
    first = standing.iloc[:, 0]
    assert first.is_monotonic_increasing or (first.is_monotonic_decreasing and judge is bradley_terry)


@JUDGES
def test_a_verdict_carries_its_trust_line(judge, row):
    values = {"a": 1.0, "b": 9.0}
    rows = [row(m, u, v + int(u) / 100) for m, v in values.items() for u in UNITS]
    verdict = judge(table([*rows, *(row("flat", u, 5.0, role="blind") for u in UNITS)]))
    assert verdict.trust.startswith("a is best of 2 models")
    assert verdict.trust.endswith(" It beats every blind model. Judged on 8 units of toy.")
    assert str(verdict) == f"{verdict.trust}\n{verdict.says}"
    lost = judge(table([*rows, *(row("flat", u, 0.5, role="blind") for u in UNITS)]))
    assert lost.trust.startswith("No model is ahead of the blind model flat on bad.")


@JUDGES
def test_equal_models_on_few_units_are_not_told_apart(judge, matrix):
    """What was simulated: of five equal models on eight units `families` once called one best in 0.87 of tables."""
    rng = np.random.default_rng(7)
    found = [judge(matrix(rng.normal(size=(5, 8)))) for _ in range(40)]
    assert np.mean([len(verdict.leading) < 5 and not verdict.untested for verdict in found]) <= 0.15
