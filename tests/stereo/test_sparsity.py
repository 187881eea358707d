import itertools

import numpy as np
import pytest

from beholder.spine.sample import Sample
from beholder.stats.dominance import dominance
from beholder.stereo.beds.random_dots import random_dots
from beholder.stereo.sparsity import (
    Point,
    boundary,
    error_at,
    rates,
    shortfall,
    sparsity_curves,
    staircase,
    sweep,
    sweeps,
)
from beholder.stereo.types import Pair, Truth


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
    curves = [cloud[:20], cloud[20:40], cloud[40:]]
    best = boundary(curves)
    for s in np.linspace(0, 1, 41):
        assert error_at(best, s) == min(error_at(curve, s) for curve in curves)
    assert all(shortfall(curve, best) >= 0 for curve in curves)
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


def test_a_sweep_pools_the_pixels_of_all_samples():
    stimulus = Pair(np.zeros((1, 4)), np.zeros((1, 4)), 16)
    inside = np.array([[True, True, True, False]])
    samples = [
        Sample("a", stimulus, Truth(np.array([[1, 1, 1, 1]], np.float32), {"nonocc": inside})),
        Sample("b", stimulus, Truth(np.array([[9, np.nan, np.nan, 9]], np.float32), {"nonocc": inside})),
    ]
    (found,) = sweep([lambda pair: [[1.0, 5.0, -1.0, 7.0]]], samples)
    assert found == (1 / 4, pytest.approx(2 / 3))  # a: right, wrong, none; b: wrong


def test_built_in_models_can_be_swept():
    found = sweeps(list(random_dots(1)), {"sgbm": {"uniqueness": (0, 60)}, "ncc": {"window": (5, 9, 15)}})
    assert {name: len(points) for name, points in found.items()} == {"sgbm": 2, "ncc": 3}
    least, most = found["sgbm"]
    assert least.sparsity < most.sparsity


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
    curves = sweeps([Sample("teddy", teddy.pair, Truth(teddy.truth, teddy.masks))])
    found = curves["sgbm"]
    printed = (0.030, 0.0859), (0.038, 0.0810), (0.051, 0.0727), (0.068, 0.0641)
    printed += (0.081, 0.0573), (0.111, 0.0451), (0.146, 0.0349), (0.251, 0.0202)
    np.testing.assert_allclose([point.sparsity for point in found], [p[0] for p in printed], atol=0.00051)
    np.testing.assert_allclose([point.error for point in found], [p[1] for p in printed], atol=0.000051)
    assert staircase(found) == found == boundary(curves.values())  # block matching is nowhere better
    assert shortfall(curves["block"], found) > shortfall(found, found) == 0
