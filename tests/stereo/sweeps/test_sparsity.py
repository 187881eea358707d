import itertools

import numpy as np
import pytest

import beholder as bh
from beholder.core.sample import Sample
from beholder.core.scores import labels
from beholder.errors import Misuse
from beholder.registry.spec import parse
from beholder.stats.dominance import dominance
from beholder.stereo.sweeps.sparsity import (
    Point,
    boundary,
    curves,
    error_at,
    rates,
    shortfall,
    sparsity_curves,
    sparsity_of_answers,
    staircase,
    swept,
)
from beholder.stereo.types import Pair, Truth, disparity_map


@pytest.fixture
def cloud():
    rng = np.random.default_rng(0)
    return [Point(*map(float, pair)) for pair in rng.random((60, 2)).round(1)]  # with ties


def test_rates_are_shares_of_known_and_of_estimated_pixels():
    found = np.array([5, 6, 9, np.nan, 3, np.nan], np.float32)
    true = np.array([5, 5, 5, 5, np.nan, np.nan], np.float32)
    assert rates(found, true) == (1 / 4, pytest.approx(1 / 3))
    assert rates(found, true, delta=0.5).error == pytest.approx(2 / 3)
    assert rates(np.full(4, np.nan, np.float32), true[:4]) == (1, 1)


def test_the_staircase_is_the_front(cloud):
    values = np.array(cloud)
    undominated = ~dominance(values).any(axis=0)
    assert {*staircase(cloud)} == {cloud[n] for n in np.flatnonzero(undominated)}
    kept = staircase(cloud)
    assert kept == sorted(kept)
    assert all(a.error > b.error for a, b in itertools.pairwise(kept))


def test_the_boundary_is_below_every_curve(cloud):
    several = [cloud[:20], cloud[20:40], cloud[40:]]
    best = boundary(several)
    for s in np.linspace(0, 1, 41):
        assert error_at(best, s) == min(error_at(curve, s) for curve in several)
    assert all(shortfall(curve, best) >= 0 for curve in several)
    assert shortfall(best, best) == 0


def test_the_area_is_the_integral(cloud):
    own, best = cloud[:10], boundary([cloud])
    fine = (np.arange(100_000) + 0.5) / 100_000
    gaps = [[error_at(points, s) for s in fine[::50]] for points in (own, best)]
    assert shortfall(own, best) == pytest.approx(np.mean(np.subtract(*gaps)), abs=1e-3)


def test_who_cannot_be_dense_pays():
    best = [Point(0.0, 0.1)]
    assert shortfall([Point(0.5, 0.1)], best) == pytest.approx(0.5 * 0.9)
    assert shortfall([], best) == pytest.approx(0.9)


def test_answers_become_the_curves_of_their_algorithms():
    inside = np.array([[True, True, True, False]])
    truth = Truth(np.array([[1, 1, 1, 1]], np.float32), {"nonocc": inside})
    sample = Sample("a", Pair(np.zeros((1, 4)), np.zeros((1, 4)), 16), truth)
    answers = {
        "sgbm(uniqueness=0)": np.array([[1.0, 5.0, 1.0, 7.0]], np.float32),
        "sgbm(uniqueness=9)": np.array([[1.0, np.nan, 1.0, 7.0]], np.float32),
        "mine": np.array([[5.0, 5.0, np.nan, 7.0]], np.float32),
    }
    found = curves(sample, answers)
    assert found["sgbm"] == [(0, pytest.approx(1 / 3)), (pytest.approx(1 / 3), 0)]
    assert found["mine"] == [(pytest.approx(1 / 3), 1)]
    assert sparsity_of_answers(sample, answers).axes


def test_the_benchmark_is_judged_over_both_rates():
    bench = bh.load("stereo/sparsity", dataset="random_dots(count=2,size=64)", algorithms=("block",))
    scores = bh.run(bench, jobs=0)
    verdict = bench.judge(scores)
    assert set(labels(scores)) == {"bad_pixels(invalid=exclude)", "density"}
    assert len(verdict.standing) == 8
    assert {parse(name)[0] for name in verdict.standing.index} == {"block"}
    with pytest.raises(Misuse, match="no known setting that makes it sparser"):
        bh.load("stereo/sparsity", algorithms=("flat",))


def test_the_figure_shows_every_algorithm_and_its_area():
    figure = sparsity_curves({"one": [Point(0.1, 0.3), Point(0.2, 0.1)], "other": [Point(0.2, 0.4)]})
    (axes,) = figure.axes
    words = [text.get_text() for text in axes.get_legend().get_texts()]
    # other: an error of 1 up to 0.2, then 0.4, where the boundary has 0.3 from 0.1 and 0.1 from 0.2
    assert words == ["feasibility boundary", "one  (0.00)", f"other  ({100 * (0.1 * 0.7 + 0.8 * 0.3):.2f})"]
    steps = axes.lines[0].get_xydata()
    np.testing.assert_allclose(steps[:4], [[0.1, 0.3], [0.2, 0.3], [0.2, 0.1], [1.08 * 0.2, 0.1]])
    with pytest.raises(ValueError, match="got no points"):
        sparsity_curves({"none": []})


@pytest.mark.data
def test_semi_global_matching_on_teddy(scene):
    """Computed independently, by another program around the same OpenCV functions."""
    teddy = scene("teddy")
    answers = {name: disparity_map(model(teddy.pair), teddy.pair) for name, model in swept(("sgbm", "block")).items()}
    both = curves(Sample("teddy", teddy.pair, Truth(teddy.truth, teddy.masks)), answers)
    found = both["sgbm"]
    printed = (0.030, 0.0859), (0.038, 0.0810), (0.051, 0.0727), (0.068, 0.0641)
    printed += (0.081, 0.0573), (0.111, 0.0451), (0.146, 0.0349), (0.251, 0.0202)
    np.testing.assert_allclose([point.sparsity for point in found], [p[0] for p in printed], atol=0.00051)
    np.testing.assert_allclose([point.error for point in found], [p[1] for p in printed], atol=0.000051)
    assert staircase(found) == found == boundary(both.values())  # block matching is nowhere better
    assert shortfall(both["block"], found) > shortfall(found, found) == 0
