import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose
from skimage import color

from beholder.vision.colour import GUNS, dkl, krauskopf, lab, linear

RNG = np.random.default_rng(8)
GREYS = np.repeat(np.linspace(0, 1, 11)[:, None], 3, axis=1)


def test_lab_is_that_of_scikit_image_and_opencv():
    srgb = RNG.random((30, 40, 3))
    found = lab(linear(srgb))
    assert_allclose(found, color.rgb2lab(srgb), atol=0.05)  # their matrices have six digits, the standard's four
    assert_allclose(found, cv2.cvtColor(srgb.astype(np.float32), cv2.COLOR_RGB2LAB), atol=0.5)


@pytest.mark.parametrize("space", [lab, krauskopf, dkl])
def test_greys_have_no_hue(space):
    assert_allclose(space(linear(GREYS))[:, 1:], 0, atol=1e-12)


@pytest.mark.parametrize("space", [lab, krauskopf, dkl])
def test_lightness_rises_with_light(space):
    assert (np.diff(space(linear(GREYS))[:, 0]) > 0).all()


@pytest.mark.parametrize("space", [lab, krauskopf, dkl])
def test_red_and_blue_are_on_their_sides(space):
    red, green, blue = space(np.eye(3))
    assert red[1] > 0 > green[1]
    assert abs(blue[2]) > abs(red[2])


def test_linear_light_is_that_of_the_standard():
    assert_allclose(linear([0, 0.04045, 0.2, 1]), [0, 0.04045 / 12.92, 0.0331048, 1], atol=1e-6)
    values = np.linspace(0, 1, 100)
    back = np.where(linear(values) <= 0.0031308, 12.92 * linear(values), 1.055 * linear(values) ** (1 / 2.4) - 0.055)
    assert_allclose(back, values, atol=1e-4)


def test_cardinal_directions_are_independent():
    """A change of S cones alone moves the third number only; one of L and M in proportion the luminance axis only."""
    grey = np.full(3, 0.5)
    short = np.linalg.solve(GUNS, [0, 0, 0.1])
    assert_allclose(dkl(grey + short)[:2], dkl(grey)[:2], atol=1e-12)
    assert_allclose(dkl(grey * 1.3)[1:], 0, atol=1e-12)
