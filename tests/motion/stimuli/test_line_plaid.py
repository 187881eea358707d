import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from beholder.errors import Misuse
from beholder.motion.stimuli.drawing import coordinates, movie
from beholder.motion.stimuli.line_plaid import LinePlaid
from beholder.motion.stimuli.sampling import Sampling
from motion_movies import direction, rigid

FAST = Sampling(hertz=400.0, size=160, seconds=0.05)


@pytest.mark.parametrize("angle", [80.0, 120.0])
@pytest.mark.parametrize("way", [0.0, 90.0])
def test_the_crossings_move_at_the_intersection_of_constraints(angle, way):
    plaid = LinePlaid(angle=angle, direction=way, diameter=18.0)
    found = rigid(movie(plaid, FAST), margin=40)
    assert direction(found) == pytest.approx(way, abs=1.5)
    assert np.hypot(*found) == pytest.approx(3 / np.cos(np.radians(angle / 2)), rel=0.05)
    assert plaid.percept.speed == pytest.approx(3 / np.cos(np.radians(angle / 2)))


def test_bars_have_the_area_of_their_duty_and_the_shade_of_their_contrast():
    """Against a plain threshold of the phases, drawn 8 times finer: the mean light, and the three shades."""
    plaid = LinePlaid(angle=100.0, diameter=100.0, duty=0.3, contrast=0.4)
    coarse = Sampling(hertz=50.0, size=120, seconds=0.02)
    axis = (np.arange(960) - 479.5) / 64
    v, u = np.meshgrid(axis, -axis)  # up is along the direction, 90°
    across = -v
    light = np.full(u.shape, 50.0)
    for side in (-1, 1):
        phase = (u * np.cos(np.radians(50)) + side * across * np.sin(np.radians(50))) * 0.4
        light *= np.where(np.abs((phase + 0.5) % 1 - 0.5) < 0.15, 0.6, 1.0)
    blocks = light.reshape(120, 8, 120, 8).mean(axis=(1, 3))
    scene = plaid.luminance(*coordinates(coarse, 90.0, 1), 0.0, coarse)
    assert scene.mean() == pytest.approx(blocks.mean(), rel=1e-3)
    assert_allclose(np.sort(scene.ravel())[[100, -100]], [50 * 0.36, 50], rtol=1e-3)
    assert np.abs(scene - blocks).mean() < 1.0


def test_turned_and_mirrored_it_is_the_same_array():
    right, up = (movie(LinePlaid(direction=way), Sampling(size=112, seconds=0.05)).frames for way in (0.0, 90.0))
    assert_array_equal(up, np.rot90(right, axes=(1, 2)))
    assert_allclose(right, right[:, ::-1], rtol=1e-6)  # two like sets of bars: its own mirror image


@pytest.mark.parametrize("wrong", [{"angle": 180.0}, {"duty": 1.0}, {"contrast": 1.5}, {"speed": 0.0}])
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(Misuse, match="lineplaid: got"):
        LinePlaid(**wrong)
