"""The spectral residual."""

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose
from skimage import data as photographs

from beholder.attention.models.spectral_residual import residual, spectral_residual
from beholder.attention.types import Picture

RNG = np.random.default_rng(5)


@pytest.mark.parametrize("name", ["astronaut", "coffee", "chelsea", "camera"])
def test_the_residual_is_that_of_opencv(name):
    pixels = getattr(photographs, name)()
    other = np.ascontiguousarray(pixels[..., ::-1]) if pixels.ndim == 3 else pixels  # blue, green, red
    _, expected = cv2.saliency.StaticSaliencySpectralResidual_create().computeSaliency(other)
    found = spectral_residual(Picture(pixels))
    assert_allclose(found, expected, atol=1e-3)  # OpenCV's angles are approximate


def test_amplitudes_are_over_the_geometric_mean_of_their_neighbours():
    image = RNG.random((16, 16))
    spectrum, expected = np.fft.fft2(image), np.zeros((16, 16), complex)
    log = np.pad(np.log(np.abs(spectrum)), 1, mode="reflect")
    for y, x in np.ndindex(16, 16):
        size = np.exp(log[y + 1, x + 1] - log[y : y + 3, x : x + 3].mean())
        expected[y, x] = size * spectrum[y, x] / abs(spectrum[y, x])
    assert_allclose(residual(image), np.abs(np.fft.ifft2(expected)), atol=1e-10)


def test_variants_differ_and_both_reach_one():
    picture = Picture(photographs.coffee())
    opencv, authors = (spectral_residual(picture, variant=variant) for variant in ("opencv", "authors"))
    assert 0.3 < np.corrcoef(opencv.ravel(), authors.ravel())[0, 1] < 0.99
    assert opencv.max() > 0.95
    assert authors.max() > 0.95
