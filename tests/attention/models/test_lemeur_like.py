import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import fft, ndimage

from beholder.attention.models._bands import Plane, bands
from beholder.attention.models._visibility import (
    achromatic_sensitivity,
    blue_yellow_sensitivity,
    masked,
    red_green_sensitivity,
)
from beholder.attention.models.lemeur_like import COLOURED, CROWNS, contrast, lemeur_like, salience
from beholder.attention.types import Picture

RNG = np.random.default_rng(7)


def grating(rate, *, angle=0.0, size=256, scale=32.0):
    """A wave of `rate` cycles/deg along `angle`, counter-clockwise from the right."""
    y, x = np.indices((size, size))
    turn = np.radians(angle)
    return np.cos(2 * np.pi * rate / scale * (x * np.cos(turn) - y * np.sin(turn))).astype(np.float32)


def test_there_are_17_bands_and_5_of_each_colour():
    plane = Plane.around((256, 256), 80.0)
    assert len(list(bands(plane, CROWNS))) == 17
    assert len(list(bands(plane, COLOURED))) == 5


def test_bands_add_up_to_one_up_to_the_last_crown():
    plane = Plane.around((200, 260), 80.0)
    whole = sum(window for window, _ in bands(plane, CROWNS))
    inner = plane.frequency < 28.2 * 2**-0.25
    assert_allclose(whole[inner], 1, atol=1e-4)
    assert whole[plane.frequency > 28.2 * 2**0.25].max() < 1e-6


def test_bands_that_a_coarse_picture_cannot_hold_are_left_out():
    assert len(list(bands(Plane.around((128, 128), 8.0), CROWNS))) == 11  # 5.7 c/deg still fits the corner


@pytest.mark.parametrize(
    ("rate", "angle", "band"), [(0.5, 0, 0), (3, 0, 1), (3, 90, 3), (3, 45, 2), (9, 30, 6), (9, 90, 8)]
)
def test_a_grating_is_in_its_band(rate, angle, band):
    plane = Plane.around((256, 256), 32.0)
    spectrum = plane.spectrum(
        grating(rate, angle=angle) * np.outer(np.hanning(256), np.hanning(256)).astype(np.float32)
    )
    power = [np.abs(spectrum * window).sum() for window, _ in bands(plane, CROWNS)]
    assert int(np.argmax(power)) == band


@pytest.mark.parametrize("shape", [(60, 81), (60, 80), (60, 90)])  # odd; a good length with margins; 2 times a prime
def test_an_image_comes_back_from_its_spectrum(shape):
    plane = Plane.around(shape, 16.0)
    image = RNG.random(shape).astype(np.float32)
    back = plane.image(plane.spectrum(image), rate=100.0)
    assert_allclose(plane.cut(back), image, atol=1e-5)


@pytest.mark.parametrize("columns", [90, 91, 96])
def test_spectra_are_those_of_scipy_whatever_the_length(columns):
    plane = Plane.around((60, columns), 16.0)
    image = RNG.random((60, columns)).astype(np.float32)
    expected = fft.rfft2(np.pad(image, plane.margin, mode="symmetric"))
    assert_allclose(plane.spectrum(image), expected, atol=1e-3)
    bent = (expected * RNG.random(expected.shape)).astype(np.complex64)  # no picture has it: its ends are not real
    assert_allclose(plane.image(bent, rate=100.0), fft.irfft2(bent, s=plane.shape), atol=1e-5)


def test_a_low_band_needs_few_pixels_and_stays_in_its_place():
    plane = Plane.around((256, 320), 32.0)
    spectrum = plane.spectrum(RNG.random((256, 320)).astype(np.float32))
    window, rate = bands(plane, CROWNS)[0]
    small, large = plane.image(spectrum * window, rate), plane.image(spectrum * window, 100.0)
    assert small.size < large.size / 20
    steps = np.divide(large.shape, small.shape)[:, None, None]
    centres = (np.indices(small.shape) + 0.5) * steps - 0.5
    assert_allclose(
        small, ndimage.map_coordinates(large, centres, order=5, mode="grid-wrap"), atol=0.01 * np.ptp(large)
    )


def test_sensitivity_has_its_peak_between_2_and_6_cycles_and_colours_are_low_pass():
    rates = np.linspace(0.1, 30, 300)
    seen = achromatic_sensitivity(rates, np.zeros(300), area=500.0)
    assert 2 < rates[seen.argmax()] < 6
    assert 150 < seen.max() <= 250
    assert seen[-1] < 0.05 * seen.max()
    for colour in (red_green_sensitivity, blue_yellow_sensitivity):
        assert (np.diff(colour(rates)) < 0).all()
    assert red_green_sensitivity(np.array(5.52)) == pytest.approx(33 / 2)
    assert blue_yellow_sensitivity(np.array(4.12)) == pytest.approx(5 / 2)


def test_diagonals_are_seen_less():
    level, diagonal = achromatic_sensitivity(np.full(2, 10.0), np.radians([0, 45]), area=500.0)
    assert diagonal < 0.9 * level


def test_masking_leaves_the_faint_and_compresses_the_strong():
    sizes = np.array([0.01, 1e3, 1e4], np.float32)
    found = masked(sizes)
    assert found[0] == pytest.approx(0.01, rel=1e-3)
    assert np.log10(found[2] / found[1]) == pytest.approx(0.3, abs=0.01)


def test_contrast_does_not_depend_on_the_light():
    shown = RNG.uniform(0.2, 0.9, (20, 20, 3)).astype(np.float32)
    assert_allclose(contrast(shown), contrast(shown / 2), atol=1e-5)
    assert_allclose(contrast(shown).mean(axis=(0, 1)), 0, atol=1e-5)


def test_a_patch_of_grating_stands_out_and_colour_has_its_own_maps():
    y, x = np.indices((256, 256)) - 127.5
    patch = np.exp(-(x**2 + y**2) / (2 * 16**2)) * grating(3)
    light = 0.4 + 0.2 * np.repeat(patch[..., None], 3, axis=2)
    achromatic, red_green, blue_yellow = salience(light.astype(np.float32), 32.0)
    at = np.unravel_index(achromatic.argmax(), achromatic.shape)
    assert np.hypot(at[0] - 127.5, at[1] - 127.5) < 12
    assert red_green.max() == blue_yellow.max() == 0
    reddish = np.stack([0.4 + 0.2 * patch, 0.4 - 0.06 * patch, np.full_like(patch, 0.4)], axis=2)  # near equal light
    coloured = salience(reddish.astype(np.float32), 32.0)[1:]
    assert coloured[0].max() > 0.5
    assert coloured[0].max() > 3 * coloured[1].max()


def test_the_picture_s_own_px_per_deg_counts_unless_another_is_named():
    pixels = (128 + 100 * grating(3)).astype(np.uint8)
    pixels[:128] = 128
    plain = lemeur_like(Picture(pixels, 32.0))
    assert_allclose(lemeur_like(Picture(pixels)), plain)  # 32 is assumed
    assert_allclose(lemeur_like(Picture(pixels, 10.0), px_per_deg=32.0), plain)
    assert np.abs(lemeur_like(Picture(pixels, 10.0)) - plain).max() > 0.1 * plain.max()


@pytest.mark.parametrize("scale", [0.5, 4.0, 3000.0])
def test_odd_geometries_are_answered(scale):
    found = lemeur_like(Picture(RNG.integers(0, 256, (48, 64, 3), np.uint8), scale))
    assert found.shape == (48, 64)
    assert np.isfinite(found).all()
