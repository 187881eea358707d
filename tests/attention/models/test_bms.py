"""Boolean maps: what is surrounded, whitened colours, figure and ground."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import linalg, ndimage

from beholder.attention.models.bms import bms, surrounded, whitened
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
