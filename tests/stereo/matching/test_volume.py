"""Each cost against a plain loop over pixels, or against another program."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from beholder.errors import Misuse
from beholder.stereo.matching import volume
from beholder.stereo.matching.opencv import grey
from beholder.stereo.types import Pair

COUNT = 6


@pytest.fixture(scope="module")
def pair():
    """Two unrelated colour images: nothing fits, and nothing fits by chance twice."""
    rng = np.random.default_rng(1)
    left, right = rng.integers(0, 256, (2, 14, 17, 3)).astype(np.uint8)
    return Pair(left, right, COUNT)


def at(image, y, x):
    """A pixel of an image that repeats its border."""
    return image[np.clip(y, 0, image.shape[0] - 1), np.clip(x, 0, image.shape[1] - 1)]


def every(pair):
    return itertools.product(range(pair.max_disparity), range(pair.shape[0]), range(pair.shape[1]))


def test_absolute_differences(pair):
    found = np.stack(list(volume.absolute_differences(pair, cap=50)))
    left, right = pair.left.astype(int), pair.right.astype(int)
    expected = [min(np.abs(left[y, x] - at(right, y, x - d)).sum(), 150) for d, y, x in every(pair)]
    assert_array_equal(found.ravel(), expected)


def test_absolute_differences_of_grey_images(pair):
    one = Pair(pair.left[..., 0], pair.right[..., 0], 2)
    assert_array_equal(
        next(volume.absolute_differences(one, cap=255)), np.abs(one.left.astype(int) - one.right.astype(int))
    )


def test_census(pair):
    left, right = grey(pair.left), grey(pair.right)

    def darker(image, y, x):
        around = itertools.product(range(-3, 4), range(-4, 5))
        return [at(image, y + dy, x + dx) < image[y, x] for dy, dx in around if (dy, dx) != (0, 0)]

    found = np.stack(list(volume.census(pair)))
    expected = [
        sum(a != b for a, b in zip(darker(left, y, x), darker(right, y, max(x - d, 0)), strict=True))
        for d, y, x in every(pair)
    ]
    assert_array_equal(found.ravel(), expected)


def test_correlation(pair):
    left, right = (
        np.pad(grey(image).astype(float), ((2, 2), (2 + COUNT, 2)), mode="edge") for image in (pair.left, pair.right)
    )

    def window(image, y, x):
        return image[y : y + 5, x + COUNT : x + COUNT + 5].ravel()

    found = np.stack(list(volume.correlation(pair, window=5)))
    expected = []
    for d, y, x in every(pair):
        a, b = window(left, y, x), window(right, y, x - d)
        expected.append(1 - np.corrcoef(a, b)[0, 1])
    assert_allclose(found.ravel(), expected, atol=2e-5)


def test_a_window_without_texture_correlates_with_nothing():
    flat = np.full((12, 12), 200, np.uint8)
    busy = np.random.default_rng(0).integers(0, 256, (12, 12)).astype(np.uint8)
    for left, right in ((flat, busy), (busy, flat), (flat, flat)):
        assert_array_equal(np.stack(list(volume.correlation(Pair(left, right, 3)))), 1)


def test_brightness_and_contrast_do_not_matter_to_correlation_and_census():
    left = np.random.default_rng(0).integers(0, 100, (30, 40)).astype(np.uint8)
    right = np.roll(left, -3, axis=1)
    for cost in (volume.correlation, volume.census):
        plain, other = (np.stack(list(cost(Pair(left, r, 5)))) for r in (right, right * 2 + 20))
        assert_allclose(plain, other, atol=1e-4)
        assert_allclose(plain[3, 10:20, 12:25], 0, atol=1e-4)


def test_colour_and_gradient():
    # one row, so that it can be done by hand: levels in 255ths
    left, right = np.array([[0, 10, 40, 40]], np.uint8), np.array([[10, 40, 40, 80]], np.uint8)
    zero, one = volume.ad_gradient(Pair(left, right, 2), share=0.75)
    # |ΔI| = 10 30 0 40, truncated at 7; ∇L = 10 20 15 0, ∇R = 30 15 20 40, |Δ| = 20 5 5 40, truncated at 2
    assert_allclose(zero * 255, [[3.25, 3.25, 1.5, 3.25]], rtol=1e-5)
    # shifted by 1: outside 3; |ΔI| = 0 0 0; ∇R = 30 15 20 under ∇L = 20 15 0: |Δ| = 10 0 20
    assert_allclose(one * 255, [[3, 1.5, 0, 1.5]], rtol=1e-5, atol=1e-4)


def test_boxes_average(pair):
    cost = np.random.default_rng(0).random((9, 9), np.float32)
    (found,) = volume.boxed([cost], 5)
    assert found[4, 4] == pytest.approx(cost[2:7, 2:7].mean())
    assert_allclose(next(volume.boxed([np.full((7, 7), 3, np.uint8)], 3)), 3)


def test_the_guided_filter_is_that_of_the_paper():
    """He, Sun & Tang (2013), colour guide, by linear equations in each window; the inner part, free of borders."""
    rng = np.random.default_rng(3)
    guide, cost = rng.integers(0, 256, (24, 26, 3)).astype(np.uint8), rng.random((24, 26)).astype(np.float32)
    r, eps = 2, 1e-2
    levels = guide / 255
    slopes = np.zeros((24, 26, 4))
    for y, x in itertools.product(range(r, 24 - r), range(r, 26 - r)):
        window = np.s_[y - r : y + r + 1, x - r : x + r + 1]
        colours, values = levels[window].reshape(-1, 3), cost[window].ravel()
        cov = np.cov(colours.T, bias=True) + eps * np.eye(3)
        a = np.linalg.solve(cov, (colours * values[:, None]).mean(0) - colours.mean(0) * values.mean())
        slopes[y, x] = [*a, values.mean() - a @ colours.mean(0)]
    (found,) = volume.guided([cost], guide, radius=r, smoothing=eps)
    for y, x in itertools.product(range(2 * r, 24 - 2 * r), range(2 * r, 26 - 2 * r)):
        a = slopes[y - r : y + r + 1, x - r : x + r + 1].reshape(-1, 4).mean(0)
        assert found[y, x] == pytest.approx(a[:3] @ levels[y, x] + a[3], abs=1e-5)


def test_small_smoothing_is_not_lost():
    """OpenCV raises ε to 0.01 at least; levels must be such that 1e-4 is above it."""
    rng = np.random.default_rng(0)
    guide, cost = rng.integers(0, 256, (30, 30, 3)).astype(np.uint8), rng.random((30, 30)).astype(np.float32)
    fine, coarse = (next(volume.guided([cost], guide, radius=3, smoothing=eps)) for eps in (1e-4, 1e-3))
    assert np.abs(fine - coarse).max() > 1e-4


@pytest.mark.parametrize("kind", [np.float32, np.uint8])
def test_winners_are_the_least(kind):
    rng = np.random.default_rng(0)
    costs = (rng.random((COUNT, 8, 12)) * 20).astype(kind)  # as bytes, with many ties
    left, right = volume.winners(iter(costs))
    assert_array_equal(left, costs.argmin(axis=0))
    aside = np.full(costs.shape, np.inf)
    for d in range(COUNT):
        aside[d, :, : 12 - d] = costs[d, :, d:]
    assert_array_equal(right, aside.argmin(axis=0))


def test_winners_do_not_change_the_costs():
    costs = np.random.default_rng(0).random((3, 4, 5)).astype(np.float32)
    before = costs.copy()
    volume.winners(iter(costs))
    assert_array_equal(costs, before)


def test_the_range_may_exceed_the_image():
    texture = np.random.default_rng(0).integers(0, 256, (8, 10)).astype(np.uint8)
    left, right = volume.winners(volume.absolute_differences(Pair(texture, texture, 16), cap=255))
    assert_array_equal(left[:, 1:], 0)
    assert right.max() < 10


@pytest.mark.parametrize("slack", [0, 1, 2])
def test_consistent_maps_agree(slack):
    rng = np.random.default_rng(0)
    left, right = rng.integers(0, 5, (2, 10, 12)).astype(np.uint16)
    found = volume.consistent(left, right, slack=slack)
    for y, x in np.ndindex(left.shape):
        d = int(left[y, x])
        agree = x - d >= 0 and abs(int(right[y, x - d]) - d) <= slack
        assert found[y, x] == d if agree else np.isnan(found[y, x])
    assert np.isfinite(volume.consistent(left, right, slack=slack, fill=True)).all()


def test_a_mirror_gives_the_disparities_of_the_right_image(pair):
    costs = list(volume.absolute_differences(pair))
    mirrored = volume.mirrored(pair)
    assert_array_equal(volume.mirrored(mirrored).left, pair.left)
    there = list(volume.absolute_differences(mirrored))
    for d in range(COUNT):
        assert_array_equal(there[d][:, ::-1][:, : 17 - d], costs[d][:, d:])


def test_slices_come_one_at_a_time(pair):
    huge = Pair(pair.left, pair.right, 60_000)
    for cost in (volume.absolute_differences, volume.census, volume.ad_gradient):
        assert next(cost(huge)).shape == pair.shape  # all slices together would be 14 million costs or more


@pytest.mark.parametrize(
    ("slices", "sentence"),
    [
        (lambda p: volume.absolute_differences(p, cap=0), "cap=0"),
        (lambda p: volume.absolute_differences(p, cap=300), "cap=300"),
        (lambda p: volume.census(p, width=9, height=9), "9 × 9; expected at most 65"),
        (lambda p: volume.census(p, width=4), "width=4; expected an odd"),
        (lambda p: volume.correlation(p, window=2), "window=2; expected an odd"),
        (lambda p: volume.boxed([], 0), "window=0; expected an odd"),
    ],
)
def test_wrong_settings_are_refused(pair, slices, sentence):
    with pytest.raises(Misuse, match=sentence):
        next(slices(pair))
