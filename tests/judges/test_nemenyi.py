import numpy as np
import pytest
from scipy import stats

from beholder.core.scores import table
from beholder.errors import Misuse
from beholder.judges.nemenyi import nemenyi
from beholder.stats.friedman import critical_difference

# Four models on 14 data sets, with the mean ranks of the example in section 3.2 of Demšar 2006: 3.143, 2.000, 2.893,
# 1.964. The values are remembered, with a digit more where a tie would change a rank; the ranks are what is tested.
AUC = np.array(
    [
        [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975], [0.957, 0.978, 0.946, 0.970],
    ]
).T  # fmt: skip
NAMES = ["plain", "m", "cf", "m and cf"]


def test_the_example_of_the_source(matrix):
    verdict = nemenyi(matrix(AUC, NAMES, better="higher", measure="auc"))
    ranks = verdict.standing["mean_rank"]
    assert ranks.to_dict() == pytest.approx({"plain": 3.143, "m": 2.0, "cf": 2.893, "m and cf": 1.964}, abs=0.0005)
    # The example has χ² = 9.28, without the correction for ties; ours has it, as scipy's.
    plain = 12 * 14 / (4 * 5) * ((ranks**2).sum() - 4 * 5**2 / 4)
    assert plain == pytest.approx(9.28, abs=0.01)
    assert f"Friedman's χ² = {stats.friedmanchisquare(*AUC).statistic:.4g}" in str(verdict.notes[0])
    # CD is 1.25 there; with q at α = 0.10 it is 1.12, and then the first and the last differ.
    assert verdict.standing.attrs["critical_difference"] == pytest.approx(1.25, abs=0.005)
    assert verdict.standing["groups"].tolist() == ["A", "A", "A", "A"]
    looser = nemenyi(matrix(AUC, NAMES, better="higher", measure="auc"), alpha=0.1)
    assert looser.standing.attrs["critical_difference"] == pytest.approx(1.12, abs=0.005)
    assert looser.standing["groups"].to_dict() == {"m and cf": "A", "m": "A", "cf": "AB", "plain": "B"}
    assert looser.best == ("m and cf", "m", "cf")
    assert looser.says == (
        "m and cf leads the 4 models by mean rank, 1.964, on auc over 14 units of toy; "
        "within the critical difference 1.12 of it: m, cf"
    )


def test_friedman_is_that_of_scipy(matrix):
    losses = np.random.default_rng(0).normal(size=(4, 9)) + np.arange(4)[:, None]
    peer = stats.friedmanchisquare(*losses)
    assert f"χ² = {peer.statistic:.4g}, p = {peer.pvalue:.2g}, over 9 units" in str(nemenyi(matrix(losses)).notes[0])


def test_groups_overlap(matrix):
    losses = np.arange(6)[:, None] + np.zeros((6, 12))
    verdict = nemenyi(matrix(losses))
    width = critical_difference(6, 12)
    assert 2 < width < 3
    assert verdict.standing["groups"].tolist() == ["A", "AB", "ABC", "BCD", "CD", "D"]
    assert "no significant difference between m0, m1, m2" in map(str, verdict.notes)
    assert verdict.best == ("m0", "m1", "m2")


def test_very_many_groups_are_counted(matrix):
    verdict = nemenyi(matrix(np.arange(60)[:, None] + np.zeros((60, 40))))
    many = len(set("".join(verdict.standing["groups"]).replace("[", " [").split()))
    assert many > 12
    assert sum(note.startswith("no significant difference") for note in map(str, verdict.notes)) == 12
    assert any(note.endswith("more groups do not differ significantly") for note in map(str, verdict.notes))


def test_a_clear_lead(matrix):
    verdict = nemenyi(matrix(np.array([[0], [1]]) + np.zeros((2, 30)), ["a", "b"]))
    assert verdict.best == ("a",)
    assert verdict.says.endswith("every other model is further away than the critical difference 0.358")


def test_without_a_difference_nobody_is_best_alone(matrix):
    verdict = nemenyi(matrix([[1, 2, 1, 2, 1, 2], [2, 1, 2, 1, 2, 1]]))
    assert verdict.best == ("m0", "m1")
    assert (
        verdict.says == "Friedman's test finds no difference between these 2 models on bad over 6 units of toy (p = 1)"
    )


def test_ranks_further_off_than_the_critical_difference_need_friedman_too(matrix):
    # Two of ten models are a little off: their ranks differ by more than CD, and yet Friedman's p is 0.07.
    losses = np.random.default_rng(1).normal(size=(10, 20))
    losses[0] -= 0.6
    losses[9] += 0.6
    verdict = nemenyi(matrix(losses))
    ranks = verdict.standing["mean_rank"]
    assert ranks.max() - ranks.min() > critical_difference(10, 20)
    assert stats.friedmanchisquare(*losses).pvalue == pytest.approx(0.069, abs=0.001)
    assert len(verdict.best) == 10
    assert set(verdict.standing["groups"]) == {"A"}


def test_criteria_are_averaged_first(row):
    values = {"a": (1.0, 5.0), "b": (2.0, 3.0)}
    rows = [
        row(m, str(u), v, criterion=str(c)) for m, own in values.items() for u in range(3) for c, v in enumerate(own)
    ]
    assert nemenyi(table(rows)).standing["mean_rank"].to_dict() == {"b": 1.0, "a": 2.0}  # 2.5 against 3
    assert nemenyi(table(rows), by="mean_rank").standing["mean_rank"].to_dict() == {"a": 1.5, "b": 1.5}


def test_alpha_is_checked(matrix):
    with pytest.raises(Misuse, match="got alpha=5; expected a number between 0 and 1"):
        nemenyi(matrix([[1, 2]]), alpha=5)
