import numpy as np
import pandas as pd
import pytest

from beholder.core.scores import Score, table
from beholder.core.verdict import Verdict
from beholder.errors import Misuse
from beholder.judges.mean_rank import mean_rank
from beholder.judges.mean_score import mean_score
from beholder.judges.pareto import pareto
from beholder.verdicts.agreement import agreement, positions


def verdict(method, best, column, index):
    return Verdict(method, tuple(best), pd.DataFrame({"x": column}, index=list(index)), "")


def scores(losses):
    return table(
        Score("b", 1, name, "model", "toy", f"u{u}", 0, "bad", "", "", "all", "lower", v, 0, 0, 1, "ok", "", "")
        for name, own in losses.items()
        for u, v in enumerate(own)
    )


def test_positions_share_what_is_equal_in_the_first_column():
    standing = verdict("m", "ab", [1.0, 1.0 + 1e-15, 2.0, 3.0, 3.0], "abcde")
    assert positions(standing, ["e", "a", "b", "c", "z"]).tolist() == pytest.approx([4, 1, 1, 3, np.nan], nan_ok=True)


def test_agreement_by_hand():
    first = verdict("layers", "ab", [1, 1, 2, 2], "abcd")
    second = verdict("mean", "a", [0.1, 0.2, 0.3, 0.4], "acbd")
    found = agreement([first, second])
    # Pairs: ab tied in the first; ac, ad, bd alike; bc opposed; cd tied in the first.
    assert found.tau.loc["layers", "mean"] == pytest.approx((3 - 1) / np.sqrt(4 * 6))
    assert found.jaccard.to_numpy().tolist() == [[1, 0.5], [0.5, 1]]
    assert found.positions.to_dict() == {
        "layers": {"a": 1, "b": 1, "c": 3, "d": 3},
        "mean": {"a": 1, "b": 3, "c": 2, "d": 4},
    }
    assert found.disagreements.to_numpy().tolist() == [["b", "c", "layers", "mean"]]
    assert found.says == (
        "the judges differ on the leading models (layers: a, b; mean: a); all of them name a; 1 pair of models stands "
        "in opposite order, such as b before c by layers, and after it by mean; Kendall's τ-b is 0.41"
    )


def test_agreement_is_said_too():
    one = verdict("x", "a", [1, 2, 3], "abc")
    found = agreement([one, one._replace(method="y"), one._replace(method="z")])
    assert found.says == (
        "all 3 judges name the same leading models: a; no two models stand in opposite order; "
        "the lowest Kendall's τ-b is 1.00 (x, y)"
    )
    assert found.disagreements.empty
    assert found.complete


def test_judges_that_share_no_best():
    found = agreement([verdict("x", "a", [1, 2], "ab"), verdict("y", "b", [1, 2], "ba")])
    assert "they share none; 1 pair" in found.says
    assert not found.complete
    assert found.tau.loc["x", "y"] == -1


def test_the_same_method_twice_is_numbered():
    one = verdict("Pareto dominance", "a", [1, 2], "ab")
    assert list(agreement([one, one]).tau.index) == ["Pareto dominance (1)", "Pareto dominance (2)"]


def test_models_that_one_judge_left_out():
    found = agreement([verdict("x", "a", [1, 2, 3], "abc"), verdict("y", "b", [1, 2], "ba")])
    assert found.tau.loc["x", "y"] == -1
    assert found.disagreements.to_numpy().tolist() == [["a", "b", "x", "y"]]


def test_a_judge_that_ties_all_has_no_tau():
    found = agreement([verdict("x", "ab", [1, 1], "ab"), verdict("y", "a", [1, 2], "ab")])
    assert np.isnan(found.tau.loc["x", "y"])
    assert found.says.endswith("no two models stand in opposite order")


def test_verdicts_on_nobody_can_be_compared():
    nobody = pareto(scores({}))
    found = agreement([nobody, nobody])
    assert found.jaccard.iloc[0, 1] == 1
    assert found.says.startswith("both judges name the same leading models: nobody")


def test_one_verdict_is_refused():
    with pytest.raises(Misuse, match="got 1 verdict; expected two or more"):
        agreement([verdict("x", "a", [1], "a")])


def test_judges_on_one_table():
    # b is the best by mean, a by ranks; c is dominated by both.
    made = scores({"a": (1, 1, 9), "b": (2, 2, 2), "c": (3, 3, 10)})
    found = agreement([pareto(made, over="units"), mean_rank(made), mean_score(made)])
    assert found.disagreements.to_numpy().tolist() == [["a", "b", "mean rank", "mean score"]]
    assert found.jaccard.loc["Pareto dominance", "mean rank"] == 0.5
    assert found.jaccard.loc["mean rank", "mean score"] == 0
    assert "they share none" in found.says


def test_a_disagreement_on_which_the_first_judge_is_silent():
    tied = verdict("x", "ab", [1, 1], "ab")
    found = agreement([tied, verdict("y", "b", [1, 2], "ba"), verdict("z", "a", [1, 2], "ab")])
    assert found.disagreements.to_numpy().tolist() == [["b", "a", "y", "z"]]
