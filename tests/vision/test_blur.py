import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

from beholder.vision.blur import BORDERS, blurred, blurred_points, cutoff_blurred, cutoff_sigma, spread, weighed_at


@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize(("shape", "sigma"), [((24, 31), 2.3), ((5, 7), 4.0), ((1, 9), 1.0), ((6, 6), 0.0)])
def test_it_is_scipys_gaussian(border, shape, sigma):
    image = np.random.default_rng(0).random(shape)
    expected = gaussian_filter(image, sigma, mode=border) if sigma else image
    np.testing.assert_allclose(blurred(image, sigma, border=border), expected, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("n", [0, 1, 17, 200])  # 200: more points than sides
def test_points_are_the_image_that_they_make(n):
    rng = np.random.default_rng(1)
    where = rng.integers(0, 40, n), rng.integers(0, 50, n)
    weights = rng.random(n)
    image = np.zeros((40, 50))
    np.add.at(image, where, weights)
    found = blurred_points(where, (40, 50), sigma=3.0, border="reflect", weights=weights)
    np.testing.assert_allclose(found, gaussian_filter(image, 3.0, mode="reflect"), atol=1e-15)
    np.testing.assert_allclose(found.sum(), weights.sum())


@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize(("n", "sigma"), [(0, 3.0), (5, 3.0), (90, 9.0), (90, 60.0)])
def test_tiles_of_points_are_whole_products_and_an_image_is_weighed_by_them(border, n, sigma):
    rng, shape = np.random.default_rng(2), (210, 530)  # more than two bands and two tiles
    where, image = tuple(rng.integers(0, side, n) for side in shape), rng.random(shape)
    rows, columns = (spread(side, sigma, border)[at] for side, at in zip(shape, where, strict=True))
    np.testing.assert_allclose(blurred_points(where, shape, sigma=sigma, border=border), rows.T @ columns, rtol=1e-13)
    each = [one @ image @ other for one, other in zip(rows, columns, strict=True)]
    np.testing.assert_allclose(weighed_at(where, image, sigma=sigma, border=border), each, rtol=1e-13)


def test_a_constant_border_loses_mass_and_the_others_do_not():
    corner = (np.array([0]), np.array([0]))
    kept = (1 + 1 / (3 * np.sqrt(2 * np.pi))) / 2  # half of the kernel, and half of its middle
    assert blurred_points(corner, (60, 60), sigma=3.0).sum() == pytest.approx(kept**2, abs=1e-4)
    for border in ("reflect", "nearest", "wrap"):
        assert spread(60, 3.0, border).sum(axis=0) == pytest.approx(1)


def test_the_low_pass_of_mit_is_a_gaussian_of_its_sigma():
    image = np.zeros((300, 512))
    image[150, 256] = 1
    sigma = cutoff_sigma(image.shape)
    assert sigma == pytest.approx(512 / (2 * np.pi * 8 / np.sqrt(2 * np.log(2))))
    np.testing.assert_allclose(cutoff_blurred(image), gaussian_filter(image, sigma, truncate=12), atol=1e-12)
    assert cutoff_blurred(image).sum() == pytest.approx(1)


def test_the_low_pass_halves_the_amplitude_at_its_cutoff():
    wave = np.cos(2 * np.pi * 8 * np.arange(128) / 128) * np.ones((128, 1))
    np.testing.assert_allclose(cutoff_blurred(wave), wave / 2, atol=1e-12)


def test_misuse():
    with pytest.raises(ValueError, match="border='zero'; expected one of constant"):
        blurred(np.ones((2, 2)), 1.0, border="zero")
    for sigma in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="expected a standard deviation"):
            spread(3, sigma)
