import numpy as np
import pytest

from beholder.errors import Misuse
from beholder.judges.rank_intervals import rank_intervals


def test_intervals_are_those_of_a_plain_bootstrap(matrix):
    rng = np.random.default_rng(2)
    losses = rng.normal(size=(5, 15)) + np.array([[0], [0.2], [0.4], [0.8], [5]])
    standing = rank_intervals(matrix(losses), draws=4000).standing
    means = losses[:, rng.integers(0, 15, size=(4000, 15))].mean(axis=2)
    rank = 1 + (means[None] < means[:, None]).sum(axis=1)
    for model in range(5):
        assert standing.loc[f"m{model}", "first"] == pytest.approx((rank[model] == 1).mean(), abs=0.03)
        own = np.sort(rank[model])
        assert standing.loc[f"m{model}", ["lo", "hi"]].tolist() == [own[100], own[3899]]
    assert standing.loc["m4", ["rank", "lo", "hi"]].tolist() == [5, 5, 5]


def test_the_best_set_and_the_sentence(matrix):
    losses = np.random.default_rng(1).normal(0, 1, size=(3, 8)) + np.array([[0], [0.5], [9]])
    verdict = rank_intervals(matrix(losses, ["a", "b", "c"]))
    assert (verdict.best, verdict.tied) == (("a",), ("b",))
    assert verdict.says == (
        "no clear winner among 2 of 3 models: a leads the 3 models by place, 1 "
        "(1 to 2 in 95 % of resamples of the units), on bad over 8 units of toy, but is not significantly better than b"
    )


def test_the_level(matrix):
    losses = np.random.default_rng(0).normal(size=(6, 9))
    wide, narrow = (rank_intervals(matrix(losses), level=level).standing for level in (0.99, 0.5))
    assert ((wide["hi"] - wide["lo"]) >= (narrow["hi"] - narrow["lo"])).all()
    assert (wide["hi"] - wide["lo"]).sum() > (narrow["hi"] - narrow["lo"]).sum()
    with pytest.raises(Misuse, match="got level=95"):
        rank_intervals(matrix(losses), level=95)
