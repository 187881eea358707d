import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import ndimage

from beholder.vision.filters import blurred, cube, gabors, oriented_energy


@pytest.mark.parametrize("sigma", [0, 0.5, 1.0, 2.5])
@pytest.mark.parametrize(("outside", "mode"), [("edge", "nearest"), ("zero", "constant")])
def test_a_blur_is_that_of_scipy(sigma, outside, mode):
    image = np.random.default_rng(1).random((20, 31)).astype(np.float32)
    expected = ndimage.gaussian_filter(image.astype(np.float64), sigma, mode=mode) if sigma else image
    assert_allclose(blurred(image, sigma, outside=outside), expected, atol=1e-6)


def test_channels_are_blurred_one_by_one():
    image = np.random.default_rng(2).random((9, 8, 121)).astype(np.float32)
    every = blurred(image, 1.5)
    assert every.shape == image.shape
    assert_allclose(every[..., 77], blurred(image[..., 77], 1.5), atol=1e-6)
    assert blurred(image[..., :1], 1.5).shape == (9, 8, 1)


def test_a_blur_leaves_its_image_alone():
    image = np.ones((5, 5), np.float32)
    image.setflags(write=False)
    assert_allclose(blurred(image, 1.0), 1, atol=1e-6)


@pytest.mark.parametrize(("sigma", "outside", "said"), [(-1, "edge", "0 or more"), (1, "wrap", "edge, zero")])
def test_misuse_is_refused_with_a_sentence(sigma, outside, said):
    with pytest.raises(ValueError, match=said):
        blurred(np.ones((4, 4), np.float32), sigma, outside=outside)


def test_the_derivatives_of_a_plane_are_its_slopes():
    y, x = np.mgrid[:7, :9].astype(np.float32)
    ix, iy, it = cube(2 * x - 3 * y, 2 * x - 3 * y + 5)
    assert_allclose(ix[:, :-1], 2)
    assert_allclose(iy[:-1], -3)
    assert_allclose(it, 5)
    assert (ix[:, -1] == 0).all()
    assert (iy[-1] == 0).all()


def test_a_cube_is_the_mean_of_its_four_differences():
    a, b = np.random.default_rng(3).random((2, 4, 5))
    ix, iy, it = cube(a, b)
    both = np.stack([a, b])[:, 1:3, 2:4]  # frame, row, column
    assert_allclose([ix[1, 2], iy[1, 2], it[1, 2]], [np.diff(both, axis=k).mean() for k in (2, 1, 0)], rtol=1e-6)


def test_oriented_energy_is_greatest_across_the_stripes_and_blind_to_polarity():
    x = np.mgrid[:32, :32][1]
    stripes = np.cos(2 * np.pi * 0.25 * x).astype(np.float32)
    bank = gabors(8, frequency=0.25, sigma=1.2)
    energy = oriented_energy(stripes, bank)
    assert energy.shape == (32, 32, 8)
    assert (energy[8:-8, 8:-8].argmax(axis=-1) == 0).all()
    assert (oriented_energy(stripes.T.copy(), bank)[8:-8, 8:-8].argmax(axis=-1) == 4).all()
    assert_allclose(oriented_energy(1 - stripes, bank), energy, atol=1e-5)


def test_diagonals_are_counted_counter_clockwise():
    y, x = np.mgrid[:32, :32]
    up_right = np.cos(2 * np.pi * 0.25 * (x - y) / np.sqrt(2)).astype(np.float32)
    energy = oriented_energy(up_right, gabors(4, frequency=0.25, sigma=1.2))
    assert (energy[8:-8, 8:-8].argmax(axis=-1) == 1).all()


@pytest.mark.parametrize("wrong", [{"orientations": 0}, {"frequency": 0.6}, {"sigma": 0}])
def test_gabors_out_of_range_are_refused(wrong):
    settings = {"orientations": 8, "frequency": 0.25, "sigma": 1.2} | wrong
    with pytest.raises(ValueError, match="expected"):
        gabors(settings.pop("orientations"), **settings)
