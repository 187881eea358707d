"""The density of fixations: each fixation has the same mass, wherever it is."""

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

from beholder.attention.benchmarks.saliency import another_picture, centre_bias
from beholder.attention.readouts import control_density
from beholder.attention.types import Controls, Lookers, Picture, scanpath
from beholder.core.sample import Sample

SHAPE, SIGMA = (60, 90), 3.0
PLACES = np.array([[0.5, 0.5], [45.5, 0.5], [89.5, 30.5], [40.5, 32.5], [89.5, 59.5]])  # corners, edges, the middle


def controls(points):
    count = len(points)
    return Controls(points, np.full(count, "a"), np.full(count, np.nan), np.full(count, "elsewhere"))


def densities(points):
    """The three that are made of fixations on other pictures."""
    lookers = Lookers({"a": scanpath(1, 1)}, SHAPE, SIGMA, controls(points))
    sample = Sample("here", Picture(np.zeros((*SHAPE, 3), np.uint8), SIGMA), lookers)
    made = [np.exp(model(sample).log) for model in (centre_bias, another_picture)]
    return [control_density(controls(points), SHAPE, SIGMA), *made]


@pytest.mark.parametrize("times", [1, 100])  # few points and many are blurred in two ways
def test_a_fixation_at_the_border_weighs_as_much_as_one_in_the_middle(times):
    rows, columns = np.mgrid[: SHAPE[0], : SHAPE[1]] + 0.5
    owner = np.argmin([np.hypot(columns - x, rows - y) for x, y in PLACES], axis=0)  # each 4 σ and more from the next
    for p in densities(np.repeat(PLACES, times, axis=0)):
        fixated = (p - 0.01 / p.size) / 0.99
        assert fixated.sum() == pytest.approx(1)
        assert np.bincount(owner.ravel(), fixated.ravel()) == pytest.approx(1 / len(PLACES), rel=1e-3)


@pytest.mark.parametrize("count", [20, 2000])
def test_the_density_is_scipys_with_a_reflected_border(count):
    rng = np.random.default_rng(3)
    points = np.concatenate([PLACES, rng.random((count, 2)) * SHAPE[::-1]])
    counts = np.zeros(SHAPE)
    np.add.at(counts, tuple(points.astype(int).T[::-1]), 1)
    expected = 0.99 * gaussian_filter(counts, SIGMA, mode="reflect") / len(points) + 0.01 / counts.size
    for p in densities(points):
        np.testing.assert_allclose(p, expected, rtol=1e-10)
