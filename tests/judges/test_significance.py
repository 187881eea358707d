import numpy as np
import pytest
from scipy import stats

from beholder.core.scores import table
from beholder.errors import Misuse
from beholder.judges.significance import clusters, corrected, significance

RNG = np.random.default_rng(4)
LOSSES = RNG.normal(size=(5, 20)) + np.array([[0], [0.2], [1.5], [1.6], [4]])


def test_clusters_by_hand(matrix):
    verdict = significance(matrix(LOSSES, ["a", "b", "c", "d", "e"]))
    # By scipy, pair by pair, and Holm by hand: the leaders are a, c and e.
    names = list("abcde")
    pairs = [(i, j) for i in range(5) for j in range(i + 1, 5)]
    raw = {pair: stats.wilcoxon(LOSSES[pair[0]] - LOSSES[pair[1]], method="exact").pvalue for pair in pairs}
    held, most = {}, 0.0
    for at, pair in enumerate(sorted(pairs, key=raw.get)):
        most = max(most, min(1.0, raw[pair] * (10 - at)))
        held[pair] = most
    mean = dict(zip(names, LOSSES.mean(axis=1), strict=True))
    assert list(verdict.standing.index) == sorted(names, key=mean.get) == names
    assert held[0, 1] > 0.05 > held[0, 2]
    assert held[2, 3] > 0.05 > held[2, 4]
    assert verdict.standing["cluster"].tolist() == [1, 1, 2, 2, 3]
    assert verdict.standing["p"].tolist() == pytest.approx(
        [np.nan, held[0, 1], held[0, 2], held[2, 3], held[2, 4]], nan_ok=True
    )
    assert verdict.standing["mean"].to_dict() == pytest.approx(mean)
    assert (verdict.best, verdict.tied) == (("a",), ("b",))
    assert verdict.says == (
        "a leads by mean on bad over 20 units of toy, but is not significantly better than b; 3 clusters of 5 models "
        "(Wilcoxon's signed-rank test over 20 units, Holm over 10 pairs, α = 0.05)"
    )


@pytest.mark.parametrize(("against", "expected"), [("leader", [1, 1, 1]), ("members", [1, 1, 2])])
def test_against_the_leader_or_every_member(against, expected):
    p = np.array([[1, 0.5, 0.5], [0.5, 1, 0.01], [0.5, 0.01, 1]])
    assert clusters(p, np.arange(3), 0.05, against)[0].tolist() == expected


def test_the_sign_test():
    d = LOSSES[0] - LOSSES[1]
    found = corrected(LOSSES[:2], "sign", np.random.default_rng(0))[0, 1]
    assert found == pytest.approx(stats.binomtest(int((d > 0).sum()), 20).pvalue)


def test_the_permutation_test_against_all_signs():
    d = LOSSES[1, :14] - LOSSES[2, :14]
    sums = np.array(np.meshgrid(*[[-1, 1]] * 14)).reshape(14, -1).T @ d
    found = corrected(LOSSES[1:3, :14], "permutation", np.random.default_rng(0))[0, 1]
    assert found == pytest.approx((np.abs(sums) >= abs(d.sum()) - 1e-12).mean(), abs=0.005)
    assert found < 0.05


def test_criteria_of_a_unit_are_one_block(row):
    # The same values under three criteria are no more evidence than under one.
    rows = [row(m, str(u), v, criterion=c) for m, own in zip("ab", LOSSES[:2] + np.array([[0], [0.5]]), strict=True)
            for u, v in enumerate(own[:8]) for c in ("all", "disc", "flat")]  # fmt: skip
    three, one = significance(table(rows)), significance(table([r for r in rows if r.criterion == "all"]))
    assert three.standing["p"].iloc[1] == pytest.approx(one.standing["p"].iloc[1])
    assert "over 8 units" in three.says


def test_intervals_of_ranks_stay_among_the_models(row):
    rows = [row(m, str(u), v) for m, own in {"a": (0, 0, 2), "b": (1, 1, 0)}.items() for u, v in enumerate(own)]
    verdict = significance(table(rows), by="mean_rank")
    assert verdict.standing[["lo", "hi"]].to_numpy().tolist() == [[1, 2], [1, 2]]
    assert "1 cluster of 2 models" in verdict.says


def test_several_measures_are_compared_by_ranks(row):
    values = {"a": (0.9, 1.0), "b": (0.5, 2.0)}
    rows = [
        row(m, str(u), v + u, measure=k, better=b)
        for m, own in values.items()
        for u in range(8)
        for v, k, b in zip(own, ("hit", "bad"), ("higher", "lower"), strict=True)
    ]
    verdict = significance(table(rows))
    assert verdict.standing["mean_rank"].to_dict() == {"a": 1.0, "b": 2.0}
    assert verdict.best == ("a",)
    assert "a leads by mean rank on" in verdict.says
    with pytest.raises(Misuse, match="use by='mean_rank'"):
        significance(table(rows), by="mean")


def test_with_few_units_nothing_is_significant_and_that_is_said(matrix):
    verdict = significance(matrix([[1, 1, 1, 1], [9, 9, 9, 9]]))
    assert verdict.leading == ("m0", "m1")
    assert "no difference can be significant on 4 units with 1 pair: p is at least 0.12" in map(str, verdict.notes)
    assert not any("no difference" in note for note in map(str, significance(matrix([[1] * 6, [9] * 6])).notes))


def test_what_is_measured_once_is_not_tested(row):
    rows = [row(m, str(u), v) for m, v in (("a", 1.0), ("b", 2.0)) for u in range(8)]
    rows += [row(m, "*", v, measure="spectrum") for m, v in (("a", 200.0), ("b", 1.0))]
    verdict = significance(table(rows))
    assert verdict.best == ("a",)
    assert "measured once over the whole dataset, and so not tested: spectrum (all)" in map(str, verdict.notes)
    assert "over 8 units, Holm" in verdict.says


def test_rounding_does_not_break_ties(row):
    rows = [
        row(m, str(u), v, criterion=str(c))
        for m, own in (("a", (0.1, 0.2, 0.3)), ("b", (0.3, 0.2, 0.1)))
        for u in range(8)
        for c, v in enumerate(own)
    ]
    assert significance(table(rows)).standing["p"].iloc[1] == 1


@pytest.mark.parametrize("wrong", [{"test": "t"}, {"against": "all"}, {"by": "median"}])
def test_words_are_checked(matrix, wrong):
    with pytest.raises(Misuse, match=f"got .*{next(iter(wrong.values()))!r}.*expected"):
        significance(matrix([[1, 2]]), **wrong)


def test_very_many_models_go_by_the_normal_test(matrix):
    losses = np.random.default_rng(0).normal(size=(210, 12))
    verdict = significance(matrix(losses))
    assert len(verdict.standing) == 210
    assert "with this many pairs, p-values come from the normal approximation" in map(str, verdict.notes)
