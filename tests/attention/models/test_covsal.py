"""Region covariances: moments, descriptors, and how unlike its neighbours a block is."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from skimage import data as photographs

from beholder.attention.models.covsal import covsal, descriptors, features, joined, moments, products, unlikeness
from beholder.attention.types import Picture

RNG = np.random.default_rng(6)


def test_moments_are_those_of_numpy():
    grid = RNG.random((32, 48, 5)) * 50
    mean, factor = moments(products(grid, 16), 16)
    block = grid[16:32, 32:48].reshape(-1, 5)
    places = np.array([(x - 7.5, y - 7.5) for y in range(16) for x in range(16)])
    every = np.concatenate([block, places], axis=1)
    assert mean.shape == (2, 3, 7)
    assert_allclose(mean[1, 2], every.mean(axis=0), atol=1e-9)
    expected = 14.2 * (np.cov(every.T, bias=True) + 0.001 * np.eye(7))
    assert_allclose(factor[1, 2] @ factor[1, 2].T, expected, atol=1e-8)


def test_sums_over_four_blocks_make_those_of_a_larger_one():
    grid = RNG.random((64, 32, 5)) * 50
    assert_allclose(joined(products(grid, 8), 8), products(grid, 16), atol=1e-8)


def test_descriptors_are_as_far_apart_as_sigma_points():
    grid = features(RNG.random((32, 32, 3)).astype(np.float32))
    mean, factor = moments(products(grid, 8), 8)
    columns = np.swapaxes(factor, -1, -2)  # the k-th of the first axis is the k-th column
    points = np.concatenate([mean[..., None, :], mean[..., None, :] + columns, mean[..., None, :] - columns], axis=-2)
    assert points.shape == (4, 4, 15, 7)
    short = descriptors(mean, factor)
    assert short.shape == (4, 4, 35)
    assert np.linalg.norm(short[1, 2] - short[3, 0]) == pytest.approx(np.linalg.norm(points[1, 2] - points[3, 0]))


def test_unlikeness_is_that_of_a_search_block_by_block():
    points = RNG.random((9, 7, 4))
    expected = np.empty((9, 7))
    for i, j in np.ndindex(9, 7):
        others = [
            np.linalg.norm(points[i, j] - points[y, x]) / (1 + np.hypot(y - i, x - j))
            for y, x in np.ndindex(9, 7)
            if 0 < max(abs(y - i), abs(x - j)) <= 3
        ]
        expected[i, j] = np.mean(sorted(others)[: max(1, round(0.1 * len(others)))])
    assert_allclose(unlikeness(points), expected)


def test_the_middle_weighs_more_when_asked():
    picture = Picture(photographs.coffee())
    plain, centred = covsal(picture), covsal(picture, centred=True)
    corners = np.ix_([0, -1], [0, -1])
    assert centred[corners].max() <= plain[corners].max() + 1e-6
    assert np.corrcoef(plain.ravel(), centred.ravel())[0, 1] > 0.8
