"""Centre against surround in fine grain."""

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose
from skimage import data as photographs

from beholder.attention.models.fine_grained import fine_grained, surround
from beholder.attention.types import Picture

RNG = np.random.default_rng(6)


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
