import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import bootstrap

from beholder.attention.maps.fixation_maps import pixels
from beholder.attention.measures.auc import auc, sauc
from beholder.attention.measures.maps import cc
from beholder.attention.measures.nss import nss, z_scores
from beholder.attention.people.picture_intervals import bootstrap_interval, mean_interval
from beholder.attention.readouts import Surface
from beholder.attention.types import Controls, Lookers, scanpath
from beholder.core.measure import NotApplicable, fix
from beholder.errors import Misuse

RNG = np.random.default_rng(0)
OTHERS = Controls(RNG.uniform(0, 40, (80, 2)), np.array(["a", "b"] * 40), np.zeros(80), np.array(["p"] * 80))
GROUP = Lookers(
    {who: scanpath(RNG.uniform(0, 60, 8), RNG.uniform(0, 40, 8), onset_ms=np.zeros(8)) for who in "abcdef"},
    (40, 60),
    3.0,
    OTHERS,
)
FOUND = Surface(RNG.random((40, 60)))


def test_fixations_are_drawn_as_scipy_draws_them():
    found = bootstrap_interval(nss, (FOUND, GROUP), over="fixations", draws=2000, rng=np.random.default_rng(1))
    z = z_scores(FOUND, GROUP, pixels(GROUP.points, GROUP.shape))
    theirs = bootstrap((z,), np.mean, n_resamples=2000, method="percentile", rng=np.random.default_rng(2))
    assert found.value == pytest.approx(z.mean())
    assert found.n == 48
    assert (found.lo, found.hi) == pytest.approx(tuple(theirs.confidence_interval), abs=0.03)


@pytest.mark.parametrize("over", ["controls", "fixations", "observers"])
def test_the_interval_holds_the_value_and_repeats(over):
    one, two = (
        bootstrap_interval(sauc, (FOUND, GROUP), over=over, draws=200, rng=np.random.default_rng(5)) for _ in range(2)
    )
    assert one == two
    assert one.lo < one.value < one.hi
    wide = bootstrap_interval(sauc, (FOUND, GROUP), over=over, draws=200, level=0.5, rng=np.random.default_rng(5))
    assert wide.hi - wide.lo < one.hi - one.lo


def test_an_observer_drawn_twice_counts_twice_and_keeps_the_name():
    found = bootstrap_interval(
        fix(sauc, match="observer"), (FOUND, GROUP), over="observers", draws=50, rng=np.random.default_rng(0)
    )
    assert found.n == 6
    assert found.lo < found.hi
    alone = replace(GROUP, paths={"a": GROUP.paths["a"]})
    only = bootstrap_interval(auc, (FOUND, alone), over="observers", draws=20, rng=np.random.default_rng(0))
    assert math.isnan(only.lo)  # of one observer nothing is known


def test_maps_are_made_anew_in_each_draw_and_not_kept():
    surface = Surface(FOUND.values)
    found = bootstrap_interval(cc, (surface, GROUP), draws=100, rng=np.random.default_rng(0))
    assert found.lo < found.hi
    assert len(surface._made) < 10


def test_pictures():
    values = RNG.normal(1, 0.2, 40)
    found = mean_interval([*values, math.nan])
    theirs = bootstrap((values,), np.mean, n_resamples=2000, method="percentile", rng=np.random.default_rng(2))
    assert found.n == 40
    assert (found.lo, found.hi) == pytest.approx(tuple(theirs.confidence_interval), abs=0.01)
    assert math.isnan(mean_interval([1.0]).lo)
    with pytest.raises(ValueError, match="all NaN"):
        mean_interval([math.nan])


def test_misuse():
    with pytest.raises(Misuse, match="got over='pictures'"):
        bootstrap_interval(nss, (FOUND, GROUP), over="pictures", rng=RNG)
    with pytest.raises(NotApplicable, match="no controls"):
        bootstrap_interval(sauc, (FOUND, replace(GROUP, controls=None)), over="controls", rng=RNG)
    with pytest.raises(Misuse, match="draws=0"):
        bootstrap_interval(nss, (FOUND, GROUP), draws=0, rng=RNG)
