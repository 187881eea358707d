"""Boolean maps, region covariances, and centre against surround in fine grain."""

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import linalg, ndimage
from skimage import data as photographs

from beholder.attention.models.bms import bms, surrounded, whitened
from beholder.attention.models.covsal import covsal, descriptors, features, moments, unlikeness
from beholder.attention.models.fine_grained import fine_grained, surround
from beholder.attention.types import Picture

RNG = np.random.default_rng(6)


def test_what_is_surrounded_is_what_labels_say():
    boolean = RNG.random((40, 50)) > 0.45
    labels, _ = ndimage.label(boolean)
    edge = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    assert_array_equal(surrounded(boolean), boolean & ~np.isin(labels, edge[edge > 0]))


def test_whitened_colours_have_the_root_of_their_covariance_taken_out():
    image = (RNG.random((40, 50, 3)) @ RNG.random((3, 3)) / 3).astype(np.float32)
    flat = 255 * image.reshape(-1, 3).astype(np.float64)
    root = linalg.inv(linalg.sqrtm(np.cov(flat.T, bias=True) + 50 * np.eye(3)).real)
    white = ((flat - flat.mean(axis=0)) @ root).T.reshape(3, 40, 50)
    scaled = [255 * (each - each.min()) / np.ptp(each) for each in white]
    expected = [ndimage.median_filter(each, 3, mode="nearest") for each in scaled]
    assert_allclose(whitened(image).astype(float), expected, atol=0.51)


def test_constant_channels_are_left_out():
    assert whitened(np.full((40, 40, 3), 0.3, np.float32)).shape == (0, 40, 40)


def test_a_ring_makes_its_hole_a_figure_and_an_open_one_does_not():
    y, x = np.indices((200, 200)) - 99.5
    ring = (np.abs(np.hypot(x, y) - 40) < 6) & True
    closed, opened = (np.where(shape, 230, 90).astype(np.uint8) for shape in (ring, ring & (x < 20)))
    found = [bms(Picture(pixels), sigma=0, last=1) for pixels in (closed, opened)]
    assert found[0][100, 100] > 0.3
    assert found[1][100, 100] == pytest.approx(0, abs=1e-6)


def test_what_reaches_the_border_is_ground():
    pixels = np.full((120, 160), 80, np.uint8)
    pixels[40:, 60:100] = 200  # a post from below
    assert_array_equal(bms(Picture(pixels)), 0)
    pixels[100:] = 80
    assert bms(Picture(pixels))[70, 80] > 0.9


def test_moments_are_those_of_numpy():
    grid = RNG.random((32, 48, 5)) * 50
    mean, factor = moments(grid, 16)
    block = grid[16:32, 32:48].reshape(-1, 5)
    places = np.array([(x - 7.5, y - 7.5) for y in range(16) for x in range(16)])
    every = np.concatenate([block, places], axis=1)
    assert mean.shape == (2, 3, 7)
    assert_allclose(mean[1, 2], every.mean(axis=0), atol=1e-9)
    expected = 14.2 * (np.cov(every.T, bias=True) + 0.001 * np.eye(7))
    assert_allclose(factor[1, 2] @ factor[1, 2].T, expected, atol=1e-8)


def test_descriptors_are_as_far_apart_as_sigma_points():
    grid = features(RNG.random((32, 32, 3)).astype(np.float32))
    mean, factor = moments(grid, 8)
    columns = np.swapaxes(factor, -1, -2)  # the k-th of the first axis is the k-th column
    points = np.concatenate([mean[..., None, :], mean[..., None, :] + columns, mean[..., None, :] - columns], axis=-2)
    assert points.shape == (4, 4, 15, 7)
    short = descriptors(grid, 8)
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


@pytest.mark.parametrize("half", [1, 4, 30])
def test_a_surround_is_the_mean_of_its_square_without_the_pixel(half):
    image = RNG.random((20, 26)).astype(np.float32)
    expected = np.empty((20, 26))
    for y, x in np.ndindex(20, 26):
        square = image[max(0, y - half) : y + half + 1, max(0, x - half) : x + half + 1]
        expected[y, x] = (square.sum() - image[y, x]) / (square.size - 1)
    assert_allclose(surround(image, half), expected, atol=1e-5)


@pytest.mark.parametrize("name", ["astronaut", "coffee", "chelsea", "camera"])
def test_fine_grain_is_that_of_opencv(name):
    pixels = getattr(photographs, name)()
    other = np.ascontiguousarray(pixels[..., ::-1]) if pixels.ndim == 3 else pixels
    _, expected = cv2.saliency.StaticSaliencyFineGrained_create().computeSaliency(other)
    found = fine_grained(Picture(pixels))
    assert np.corrcoef(found.ravel(), expected.ravel())[0, 1] > 0.999
    assert np.abs(found - expected / expected.max()).max() < 0.05
