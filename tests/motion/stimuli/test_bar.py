import numpy as np
import pytest

from beholder.errors import Misuse
from beholder.motion.stimuli.bar import Bar
from beholder.motion.stimuli.drawing import movie
from beholder.motion.stimuli.sampling import Sampling
from motion_movies import direction, edge_average, rigid

FAST = Sampling(hertz=200.0, size=200, seconds=0.05)


def ink(bar, sampling=FAST):
    """Square degrees that are lit."""
    shown = movie(bar, sampling)
    return ((shown.frames - bar.background) / (bar.foreground - bar.background)).sum(axis=(1, 2)) / 64


@pytest.mark.parametrize("tilt", [-45.0, -20.0, 0.0, 30.0, 45.0])
def test_the_normal_motion_of_its_pixels_is_the_vector_average(tilt):
    """Both pairs of sides of a rectangle, each by its length: the ends pull a little back to the true motion."""
    bar = Bar(length=15.0, width=1.0, tilt=tilt)
    normal = np.array([np.cos(np.radians(tilt)), np.sin(np.radians(tilt))])
    tangent = np.array([-normal[1], normal[0]])
    sides = (15 * normal[0] * normal + 1 * tangent[0] * tangent) / 16
    found = edge_average(movie(bar, FAST))
    assert direction(found) == pytest.approx(direction(sides), abs=1.5)
    assert np.hypot(*found) == pytest.approx(16 * np.hypot(*sides), rel=0.05)
    assert bar.percept.bias == pytest.approx(tilt)
    assert bar.percept.average_speed == pytest.approx(16 * normal[0])


@pytest.mark.parametrize("way", [0.0, 90.0, 180.0, 270.0, 30.0])
def test_its_ends_tell_the_true_motion(way):
    bar = Bar(length=5.0, width=1.0, direction=way)
    found = rigid(movie(bar, FAST))
    assert (direction(found) - way + 180) % 360 == pytest.approx(180, abs=0.5)
    assert np.hypot(*found) == pytest.approx(bar.speed, rel=0.05)


def test_the_turn_mirrors_the_normal():
    ccw, cw = (Bar(direction=90.0, turn=turn).percept for turn in (1, -1))
    assert (ccw.normal_direction, cw.normal_direction) == (135.0, 45.0)
    assert (ccw.bias, cw.bias) == (45.0, -45.0)
    assert ccw.object_direction == cw.object_direction == 90.0


@pytest.mark.parametrize(("tiles", "length"), [(1, 10.0), (2, 9.0), (4, 7.0)])
def test_tiles_share_the_length_and_leave_gaps(tiles, length):
    bar = Bar(length=10.0, tiles=tiles, gap=1.0)
    assert tiles * bar.tile == pytest.approx(length)
    assert ink(bar) == pytest.approx(length * 0.5, rel=1e-3)
    ends = np.array(bar.ends())
    assert np.hypot(*(ends[-1, 1] - ends[0, 0])) == pytest.approx(10.0)


def test_its_luminance_is_that_of_tlapale_2012():
    shown = movie(Bar(length=10.0, width=1.0), FAST).frames
    assert shown.max() == pytest.approx(92.0, rel=1e-4)
    assert shown.min() == pytest.approx(0.2)
    assert Bar().contrast == pytest.approx(459.0)


def test_a_bar_that_leaves_the_frame_is_refused():
    with pytest.raises(Misuse, match=r"an extent of 21\.7 deg; expected less than 20"):
        movie(Bar(), Sampling(size=160))  # 20·cos 45° + 0.5·cos 45° + 16 · 0.45


@pytest.mark.parametrize("wrong", [{"length": -1.0}, {"tiles": 12, "length": 10.0}, {"tilt": 90.0}, {"turn": 0}])
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(Misuse, match="bar: got"):
        Bar(**wrong)
