import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from beholder.motion.types import Flow, Movie, Percept, Trace, Velocity, average_motion, motion, true_motion, unit

MOVIE = Movie(np.zeros((4, 2, 3), np.float32), hertz=50.0, px_per_deg=8.0, onset=1)


def test_pairs_are_stamped_midway_from_the_onset():
    assert_allclose(MOVIE.seconds, [-0.01, 0.01, 0.03])


@pytest.mark.parametrize(("shape", "kind"), [((3, 2, 3, 2), Flow), ((3, 2), Velocity)])
def test_image_flow_becomes_degrees_a_second_and_down_becomes_negative(shape, kind):
    raw = np.broadcast_to([0.4, 0.8], shape)  # px/frame, right and down
    found = motion(raw, MOVIE)
    assert isinstance(found, kind)
    assert_allclose(found.velocity, np.broadcast_to([2.5, -5.0], shape), rtol=1e-6)  # × 50 / 8


def test_what_is_not_finite_is_no_estimate():
    raw = np.array([[1.0, np.inf], [np.nan, 0.0], [1.0, 1.0]])
    assert_array_equal(np.isnan(motion(raw, MOVIE).velocity), [[False, True], [True, False], [False, False]])


def test_accepted_answers_pass_and_are_not_converted_twice():
    once = motion(np.ones((3, 2)), MOVIE)
    assert motion(once, MOVIE) is once


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (np.zeros((4, 2, 3, 2)), r"shape \(4, 2, 3, 2\); expected \(3, 2, 3, 2\)"),
        (np.zeros(3), "one velocity per pair"),
        (np.array(["up"] * 3), "expected real numbers"),
    ],
)
def test_other_answers_are_refused_with_a_sentence(raw, message):
    with pytest.raises(ValueError, match=message):
        motion(raw, MOVIE)


def test_a_trace_has_directions_only_where_it_moves():
    trace = Trace(np.arange(4.0), np.array([[1.0, 1.0], [0.0, 0.0], [np.nan, 1.0], [-2.0, 0.0]]), np.ones(4))
    assert_allclose(trace.direction, [45, np.nan, np.nan, 180])


@pytest.mark.parametrize(
    ("true", "average", "bias"), [(0, 44, 44), (0, 316, -44), (270, 226, -44), (350, 10, 20), (0, 180, 180)]
)
def test_the_bias_is_the_shorter_way_round(true, average, bias):
    assert Percept("bar", object_direction=true, speed=1, vector_average=average).bias == bias


def test_a_bias_without_a_vector_average_is_unknown():
    assert np.isnan(Percept("dots", object_direction=0, speed=1).bias)


def test_true_and_average_motion_begin_with_the_onset():
    percept = Percept("diamond", object_direction=90.0, speed=10.0, vector_average=180.0, average_speed=7.0)
    assert_array_equal(true_motion(percept, MOVIE).velocity, [[0, 0], [0, 10], [0, 10]])
    assert_array_equal(average_motion(percept, MOVIE).velocity, [[0, 0], [-7, 0], [-7, 0]])


def test_an_undefined_average_has_no_velocity():
    assert np.isnan(average_motion(Percept("dots", object_direction=0, speed=1), MOVIE).velocity[1:]).all()


@pytest.mark.parametrize("angle", [0, 7.5, 30, 37.5, 45, 52.5, 70.5, 89])
def test_units_turn_and_mirror_without_rounding(angle):
    x, y = unit(angle)
    assert_allclose((x, y), (np.cos(np.radians(angle)), np.sin(np.radians(angle))), atol=1e-15)
    assert unit(angle + 90) == (-y, x)
    assert unit(angle + 180) == (-x, -y)
    assert unit(-angle) == (x, -y)
    assert unit(90 - angle) == (y, x)


def test_a_direction_must_be_a_number():
    with pytest.raises(ValueError, match="got the direction nan"):
        unit(np.nan)
