"""What holds for every judge."""

import math

import pytest

from beholder.judges.mean_rank import mean_rank
from beholder.judges.mean_score import mean_score
from beholder.judges.pareto import pareto
from beholder.spine.cite import bibtex, key_of
from beholder.spine.misuse import Misuse
from beholder.spine.scores import table

JUDGES = pytest.mark.parametrize("judge", [mean_score, mean_rank, pareto])


@JUDGES
def test_the_source_is_in_the_library(judge, matrix):
    assert "no entry" not in bibtex([key_of(judge)])
    assert judge(matrix([[1, 2], [3, 4]])).cite == key_of(judge)
    assert judge(matrix([])).cite == key_of(judge)


@JUDGES
def test_a_model_that_failed_is_named_and_not_judged(judge, row):
    rows = [row(m, u, v) for m, v in (("a", 1.0), ("b", 2.0)) for u in "12"]
    rows += [row("c", "1", 0.0), row("c", "2", math.nan, state="failed", reason="out of memory")]
    verdict = judge(table(rows))
    assert verdict.best == ("a",)
    assert set(verdict.standing.index) == {"a", "b"}
    assert verdict.left_out == {"c": "1 of 2 scores failed: out of memory"}
    assert verdict.says.endswith("; left out: c (1 of 2 scores failed: out of memory)")


@JUDGES
def test_nobody_is_judged_with_a_reason(judge, row):
    verdict = judge(table([row("a", "1", math.nan, state="failed", reason="no such file")]))
    assert verdict.says == "nobody could be judged: a: 1 of 1 scores failed: no such file"
    assert (verdict.best, len(verdict.standing)) == ((), 0)


@JUDGES
def test_without_models_nobody_is_judged(judge, row):
    assert judge(table([])).says == "nobody could be judged: the table has no row of a model"
    assert judge(table([row("flat", "1", 3.0, role="null")])).says.startswith("nobody could be judged")


@JUDGES
def test_models_that_share_no_component_are_not_judged(judge, row):
    na = {"value": math.nan, "state": "na", "reason": "nobody looked"}
    rows = [row("a", "1", 1.0), row("a", "2", **na), row("b", "1", **na), row("b", "2", 1.0)]
    verdict = judge(table(rows))
    assert verdict.says == "nobody could be judged: no component applies to all of them: a, b"
    assert verdict.notes == ("2 of 2 components do not apply to every model and were left out",)
    assert verdict.best == ()


@JUDGES
def test_one_model_is_not_compared(judge, matrix):
    verdict = judge(matrix([[1, 2, 3]], ["only"]))
    assert verdict.best == ("only",)
    assert "only is the only model judged" in verdict.says
    assert "nothing to compare" in verdict.says


@JUDGES
def test_equal_models_are_both_best(judge, matrix):
    verdict = judge(matrix([[3, 3], [1, 2], [1, 2]], ["c", "a", "b"]))
    assert verdict.best == ("a", "b")
    assert list(verdict.standing.index) == ["a", "b", "c"]


@JUDGES
def test_what_was_not_compared_is_noted(judge, row):
    rows = [row("a", "1", 1.0), row("a", "2", 2.0), row("b", "1", 2.0)]
    verdict = judge(table([*rows, row("b", "2", math.nan, state="na", reason="empty")]))
    assert "1 of 2 components do not apply to every model and were left out" in verdict.notes


@JUDGES
def test_better_higher_is_turned(judge, matrix):
    assert judge(matrix([[1, 2], [3, 4]], better="higher")).best == ("m1",)


@JUDGES
def test_a_missing_column_is_refused(judge, matrix):
    with pytest.raises(Misuse, match="the table has no column 'criterion'"):
        judge(matrix([[1.0]]).drop(columns="criterion"))


@JUDGES
def test_nulls_and_people_are_not_judged(judge, row):
    rows = [
        row("a", "1", 2.0),
        row("b", "1", 3.0),
        row("us", "1", 0.0, role="ceiling"),
        row("no", "1", 0.0, role="null"),
    ]
    verdict = judge(table(rows))
    assert verdict.best == ("a",)
    assert set(verdict.standing.index) == {"a", "b"}


@JUDGES
def test_the_same_seed_gives_the_same_verdict(judge, matrix):
    scores = matrix([[1, 5, 2, 8], [2, 3, 4, 4], [9, 1, 1, 9]])
    first, again, other = (judge(scores, seed=seed, draws=23).standing for seed in (3, 3, 4))
    assert first.equals(again)
    assert not first.equals(other)


@JUDGES
def test_one_unit_has_no_interval(judge, matrix):
    standing = judge(matrix([[1], [2]])).standing
    assert standing.select_dtypes(float).isna().any().sum() >= 1
    assert judge(matrix([[1], [2]])).best == ("m0",)


@JUDGES
def test_infinite_values_are_compared(judge, matrix):
    verdict = judge(matrix([[30, 31, 32], [40, float("inf"), 42]], better="higher", measure="psnr"))
    assert verdict.best == ("m1",)
