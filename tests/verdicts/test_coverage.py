import math

import numpy as np
import pytest

from beholder.core.scores import table
from beholder.stats.bootstrap import interval, means
from beholder.stats.small_samples import mean_interval
from beholder.verdicts.coverage import POOLED, SKEWED, note_coverage
from toys import score


@pytest.mark.parametrize("n", SKEWED)
def test_the_shares_of_skewed_scores_are_what_comes_out(n):
    lo, hi = mean_interval(np.random.default_rng(n).lognormal(size=(n, 8000)))
    assert ((lo <= math.exp(0.5)) & (math.exp(0.5) <= hi)).mean() == pytest.approx(SKEWED[n], abs=0.012)


@pytest.mark.parametrize("n", POOLED)
def test_the_shares_of_pools_are_what_comes_out(n):
    rng = np.random.default_rng(n)
    drawn = [means(rng.normal(size=(n, 1)), draws=400, rng=rng) for _ in range(1500)]
    ends = [interval(one, units=n) for one in drawn]
    assert np.mean([lo[0] <= 0 <= hi[0] for lo, hi in ends]) == pytest.approx(POOLED[n], abs=0.04)


def test_skewed_scores_are_named_and_others_are_not():
    values = {"wild": np.exp(np.linspace(-2, 2, 12) * 1.5), "tame": np.linspace(0, 1, 12)}
    rows = [score(m, str(u), v, measure=k) for k, own in values.items() for m in "ab" for u, v in enumerate(own)]
    (note,) = note_coverage(table(rows))
    assert str(note).startswith("scores on wild (all) are strongly skewed: with 12 units, as few as 91 % of such")


def test_a_pool_of_few_samples_is_named():
    rows = [score(m, "*", 1.0, lo=0.5, hi=2.0, n=4) for m in "ab"]
    (note,) = note_coverage(table(rows))
    assert str(note) == "only 4 samples are pooled: about 87 % of such 95 % intervals hold the true value of bad (all)"
