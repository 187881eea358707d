from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from beholder.errors import Misuse
from beholder.motion.stimuli.diamond import Diamond, texture
from beholder.motion.stimuli.drawing import coordinates, movie
from beholder.motion.stimuli.sampling import LEGACY16, NATIVE, Sampling, guard
from motion_movies import direction, edge_average, rigid

FAST = Sampling(hertz=200.0, size=168, seconds=0.05)


def average_direction(diamond):
    return float(np.degrees(np.arctan2(*diamond.average[::-1])))


@pytest.mark.parametrize(("half_angle", "bias"), [(7.5, 44.0070), (10, 43.219), (15, 40.893), (20, 37.454)])
def test_the_golden_vector_averages(half_angle, bias):
    diamond = Diamond(half_angle=half_angle)
    assert average_direction(diamond) == pytest.approx(bias, abs=1e-3)
    assert diamond.percept.bias == pytest.approx(bias, abs=1e-3)


def test_the_golden_speed_of_the_vector_average():
    assert Diamond().percept.average_speed == pytest.approx(6.9516, abs=1e-3)


@pytest.mark.parametrize(("tilt", "half_angle"), [(50.0, 16.5), (60.0, 22.1)])
def test_other_shapes_with_an_average_44_degrees_off(tilt, half_angle):
    assert average_direction(Diamond(tilt=tilt, half_angle=half_angle)) == pytest.approx(44.0, abs=0.1)


@pytest.mark.parametrize("way", [0.0, 90.0, 180.0, 270.0])
@pytest.mark.parametrize("turn", [1, -1])
def test_its_pixels_show_the_vector_average_and_the_true_motion(way, turn):
    diamond = Diamond(direction=way, turn=turn)
    shown = movie(diamond, FAST)
    assert diamond.percept.bias == pytest.approx(turn * 44.007, abs=1e-3)
    assert (direction(edge_average(shown)) - way) % 360 == pytest.approx(turn * 44.007 % 360, abs=1.5)
    assert (direction(rigid(shown)) - way + 180) % 360 == pytest.approx(180, abs=1)
    assert np.hypot(*rigid(shown)) == pytest.approx(10.0, rel=0.05)


def test_the_type_i_control_has_no_bias():
    diamond = Diamond(tilt=0.0)
    assert diamond.percept.bias == 0
    assert direction(edge_average(movie(diamond, FAST))) == pytest.approx(0, abs=1e-3)
    assert diamond.percept.status == "verified"


def test_edges_have_their_length_and_the_acute_angle_of_15_degrees():
    corners = np.array(Diamond().corners())
    sides = np.roll(corners, -1, axis=0) - corners
    assert_allclose(np.hypot(*sides.T), 8.0)
    assert float(np.dot(sides[0], -sides[3])) / 64 == pytest.approx(np.cos(np.radians(15)))
    assert np.degrees(np.arctan2(*corners[0][::-1])) == pytest.approx(135)  # the long axis


def test_its_texture_moves_along_and_adds_two_dimensional_cues():
    plain, filled = Diamond(), Diamond(fill=texture(np.random.default_rng(0)))
    moved = movie(replace(filled, speed=3.125), Sampling(size=160, seconds=0.08)).frames  # 1/4 px/frame
    assert_allclose(moved[4][:, 1:], moved[0][:, :-1], atol=1e-4)
    inside = movie(filled, FAST).frames - movie(plain, FAST).frames
    assert inside.min() > -1e-4
    assert inside.max() > 0.3 * 20
    assert abs(direction(edge_average(movie(filled, FAST)))) < 42  # the fill has normals on both sides
    assert direction(rigid(movie(filled, FAST))) == pytest.approx(0, abs=1)


def test_a_texture_has_all_directions_and_is_half_grey():
    pattern = texture(np.random.default_rng(3))
    shades = pattern(*coordinates(Sampling(size=300)))
    y, x = np.gradient(shades)
    spread = np.linalg.eigvalsh([[(x * x).mean(), (x * y).mean()], [(x * y).mean(), (y * y).mean()]])
    assert shades.mean() == pytest.approx(0.5, abs=0.05)
    assert shades.std() == pytest.approx(0.2, abs=0.03)
    assert spread[0] / spread[1] > 0.5
    radius = np.hypot(*pattern.frequency.T)
    assert radius.min() >= 0.5
    assert radius.max() <= 1.25


@pytest.mark.parametrize("contrast", [1.0, 0.1, -0.5])
def test_contrast_is_webers_on_a_background_that_stays(contrast):
    shown = movie(Diamond(contrast=contrast), FAST).frames
    extreme = shown.max() if contrast > 0 else shown.min()
    assert shown[0, 0, 0] == 20
    assert extreme == pytest.approx(20 * (1 + contrast), rel=1e-3)


def test_a_textured_diamond_is_too_fast_for_the_legacy_clock():
    filled = Diamond(fill=texture(np.random.default_rng(0)))
    assert guard(filled.checks(LEGACY16), LEGACY16) == "refused"  # 1.25 cycles/deg · 10 deg/s / 16 Hz = 0.78
    assert guard(filled.checks(NATIVE), NATIVE) == "ok"


@pytest.mark.parametrize(
    "wrong", [{"edge": 0.0}, {"half_angle": 90.0}, {"contrast": -1.1}, {"turn": 2}, {"speed": np.inf}]
)
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(Misuse, match="diamond: got"):
        Diamond(**wrong)
