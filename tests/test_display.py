import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beholder.display import Screen

MIT1003 = Screen(1024, 768, 40.5, 75)


def test_mit1003_by_hand():
    # 1024 px / 40.5 cm = 25.2840 px/cm; 75 cm · tan 1° = 75 · 0.0174551 = 1.30913 cm; their product is 33.100 px.
    # The 34 in the programs that came with the pictures belongs to another size of screen.
    assert MIT1003.px_per_cm == pytest.approx(25.2840, abs=1e-4)
    assert MIT1003.px_per_deg == pytest.approx(33.0999, abs=1e-3)
    assert abs(MIT1003.px_per_deg - 34) > 0.8


def test_other_screens_by_hand():
    # 1024 px on 36 cm at 70 cm: 28.4444 · 70 · 0.0174551 = 34.755; at 134 cm, 1 px = 1 arc minute: 60
    assert Screen(1024, 768, 36, 70).px_per_deg == pytest.approx(34.755, abs=1e-3)
    assert Screen(1024, 768, 40, 134.277).px_per_deg == pytest.approx(60, abs=1e-2)


def test_points_are_x_right_and_angles_are_up():
    assert MIT1003.centre == (512, 384)
    corners = [[512, 384], [1024, 384], [512, 0], [0, 768]]
    right, up = math.degrees(math.atan(20.25 / 75)), math.degrees(math.atan(384 / 25.283951 / 75))
    expected = [[0, 0], [right, 0], [0, up], [-right, -up]]
    np.testing.assert_allclose(MIT1003.degrees(corners), expected, atol=1e-6)
    assert not np.signbit(MIT1003.degrees([512, 384])).any()


def test_one_degree_at_the_centre_is_px_per_deg():
    np.testing.assert_allclose(MIT1003.pixels([1, 0]), [512 + MIT1003.px_per_deg, 384])
    np.testing.assert_allclose(MIT1003.pixels([[0, 1]]), [[512, 384 - MIT1003.px_per_deg]])


screens = st.builds(
    Screen, st.integers(1, 5000), st.integers(1, 5000), st.floats(1, 500), st.floats(5, 1000), st.floats(1, 500)
)
angles = st.lists(st.tuples(st.floats(-80, 80), st.floats(-80, 80)), min_size=1, max_size=5)


@settings(deadline=None)
@given(screens, angles)
def test_pixels_and_degrees_are_inverse(screen, pairs):
    np.testing.assert_allclose(screen.degrees(screen.pixels(pairs)), pairs, atol=1e-6)


@settings(deadline=None)
@given(screens, st.lists(st.tuples(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4)), min_size=1, max_size=5))
def test_degrees_and_pixels_are_inverse(screen, points):
    np.testing.assert_allclose(screen.pixels(screen.degrees(points)), points, rtol=1e-7, atol=1e-5)


@settings(deadline=None)
@given(screens, st.lists(st.integers(0, 1_000_000), max_size=5))
def test_frames_and_seconds_are_inverse(screen, frames):
    np.testing.assert_array_equal(screen.frames(screen.seconds(frames)), np.array(frames, np.int64))


def test_the_frame_that_is_shown_at_a_time():
    slow = Screen(10, 10, 10, 10, hertz=10)
    np.testing.assert_array_equal(slow.frames([0, 0.05, 0.0999, 0.1, 0.3, 0.75]), [0, 0, 0, 1, 3, 7])
    assert slow.frames(0.3).dtype == np.int64
    np.testing.assert_allclose(slow.seconds([0, 3]), [0, 0.3])
    for unknown in (math.nan, math.inf):
        with pytest.raises(ValueError, match="got a time that is not finite; expected seconds"):
            slow.frames([0.1, unknown])


greys = st.lists(st.floats(0, 1), min_size=2, max_size=9).map(sorted)


@settings(deadline=None)
@given(greys, st.floats(0, 50), st.floats(60, 500), st.floats(0.5, 4))
def test_luminance_rises_with_grey_from_black_to_white(levels, black, white, gamma):
    screen = Screen(10, 10, 10, 10, black=black, white=white, gamma=gamma)
    found = screen.luminance(levels)
    assert (np.diff(found) >= 0).all()
    assert found.min() >= black
    assert found.max() <= white * (1 + 1e-12)
    assert screen.luminance(0.0) == black
    assert screen.luminance(1.0) == pytest.approx(white)


def test_luminance_by_hand():
    # 2 + 98 · 0.5² = 26.5 cd/m²
    assert Screen(10, 10, 10, 10, black=2, white=100, gamma=2).luminance(0.5) == 26.5
    assert Screen(10, 10, 10, 10).luminance([]).shape == (0,)


@pytest.mark.parametrize("grey", [-0.01, 1.01, math.nan, 255])
def test_grey_levels_outside_are_refused(grey):
    with pytest.raises(ValueError, match=r"got grey levels from .* expected 0 to 1"):
        MIT1003.luminance([0.5, grey])


@pytest.mark.parametrize("name", ["width_px", "height_px", "width_cm", "distance_cm", "hertz", "gamma"])
@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf])
def test_a_screen_has_a_size_a_distance_and_a_rate(name, value):
    good = {"width_px": 10, "height_px": 10, "width_cm": 10, "distance_cm": 10}
    with pytest.raises(ValueError, match=f"got {name}={value}; expected a finite number above 0"):
        Screen(**good | {name: value})


@pytest.mark.parametrize(
    ("black", "white"), [(-1, 100), (100, 100), (5, 1), (math.nan, 1), (0, math.nan), (0, math.inf)]
)
def test_white_is_brighter_than_black(black, white):
    with pytest.raises(ValueError, match="expected 0 ≤ black < white"):
        Screen(10, 10, 10, 10, black=black, white=white)


@pytest.mark.parametrize("points", [5.0, [1.0, 2, 3], [[1.0], [2]], np.zeros((2, 0))])
def test_points_are_pairs(points):
    for convert in (MIT1003.degrees, MIT1003.pixels):
        with pytest.raises(ValueError, match="expected pairs along the last axis"):
            convert(points)
