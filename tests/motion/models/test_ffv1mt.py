"""FFV1MT on textures, dots, a diamond and a barber pole."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from beholder.motion.models.ffv1mt import ffv1mt
from beholder.motion.types import Flow, Movie, motion
from motion_scenes import SHIFTS, barber_pole, diamond, direction, dots, film, texture, velocity


@pytest.mark.parametrize("shift", SHIFTS)
def test_ffv1mt_tells_the_velocity_of_textures_and_dots(shift):
    for shown in (texture(shift), dots(shift)):
        flow = ffv1mt(shown)
        assert flow.shape == (13, *shown.frames.shape[1:], 2)
        inner = flow[-1, 12:-12, 12:-12]
        assert_allclose(np.median(inner, (0, 1)), shift, atol=0.1 * np.hypot(*shift))


def test_ffv1mt_is_between_the_edges_and_the_object():
    shown = diamond(hertz=50, seconds=0.2, size=112, edge=6.0)
    assert 3 < direction(ffv1mt(shown), shown)[-1] < 25
    pole = barber_pole(12.0, 4.0, seconds=0.2)
    assert 5 < direction(ffv1mt(pole), pole)[-1] < 35
    assert np.hypot(*velocity(ffv1mt(shown), shown)[-1]) == pytest.approx(1.6, rel=0.3)


def test_ffv1mt_rests_where_nothing_moves_or_nothing_is_seen():
    assert_allclose(np.median(ffv1mt(texture((0.0, 0.0)))[-1], (0, 1)), 0, atol=1e-3)
    assert_array_equal(ffv1mt(film(lambda t: np.full((32, 40), 40.0), 3)), np.zeros((2, 32, 40, 2)))


def test_ffv1mt_takes_any_unit_of_luminance_and_a_short_movie():
    shown = texture((0.5, 0.0))
    bright = Movie(shown.frames * 64, 100, 8)
    assert_allclose(ffv1mt(shown), ffv1mt(bright), atol=1e-3)
    assert isinstance(motion(ffv1mt(Movie(shown.frames[:2], 100, 8)), Movie(shown.frames[:2], 100, 8)), Flow)
