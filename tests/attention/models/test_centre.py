import numpy as np
import pytest
from numpy.testing import assert_allclose

from beholder.attention.models.centre import ACROSS, DOWN, centre
from beholder.attention.models.uniform import uniform
from beholder.attention.types import Density, Picture, accept_map

SHAPES = [(32, 32), (75, 100), (768, 1024)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("model", [centre, uniform])
def test_densities_add_up_to_one_and_are_accepted(model, shape):
    picture = Picture(np.zeros(shape, np.uint8))
    found = model(picture)
    assert isinstance(accept_map(found, picture), Density)
    assert np.exp(found.log).sum() == pytest.approx(1, abs=1e-9)
    assert_allclose(found.log, found.log[::-1, ::-1], atol=1e-9)


def test_everywhere_alike_is_the_same_number_everywhere():
    assert np.ptp(uniform(Picture(np.zeros((40, 50), np.uint8))).log) == 0


def test_the_spread_is_the_named_share_of_the_sides():
    found = np.exp(centre(Picture(np.zeros((600, 800), np.uint8)), across=0.1, down=0.05).log)
    x, y = (np.arange(n) + 0.5 - n / 2 for n in (800, 600))
    assert np.sqrt((found.sum(axis=0) * x**2).sum()) == pytest.approx(80, rel=1e-3)
    assert np.sqrt((found.sum(axis=1) * y**2).sum()) == pytest.approx(30, rel=1e-3)


def test_defaults_are_the_published_variances_on_a_picture_of_four_to_three():
    assert pytest.approx(np.sqrt(0.22) / 2, rel=1e-3) == ACROSS
    assert pytest.approx(np.sqrt(0.22 * 0.45) / 2 * 4 / 3, rel=1e-3) == DOWN
