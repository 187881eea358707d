"""Readouts: what becomes of flows and velocities, against sums done by hand and by an independent integrator."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from beholder.errors import Misuse
from beholder.motion import readouts as r
from beholder.motion.types import Flow, Movie, Percept, Trace, Velocity


def movie(pairs=3, size=5, light=()):
    frames = np.full((pairs + 1, size, size), 2.0, np.float32)
    for row, column, value in light:
        frames[:, row, column] = value
    return Movie(frames, 100.0, 8.0)


def flow(of, *velocities):
    """A flow at rest but for (row, column, vx, vy)."""
    field = np.zeros((len(of.frames) - 1, *of.frames.shape[1:], 2), np.float32)
    for row, column, x, y in velocities:
        field[:, row, column] = x, y
    return Flow(field)


def test_the_support_weighs_by_distance_from_the_background():
    of = movie(light=[(1, 1, 5.0), (3, 3, 1.0)])  # 3 above and 1 below a background of 2
    found = r.trace(flow(of, (1, 1, 4, 0), (3, 3, 0, 8), (2, 2, 99, 99)), of)
    assert found.velocity == pytest.approx(np.tile([3.0, 2.0], (3, 1)))  # (3·(4,0) + 1·(0,8))/4; (2,2) is background
    assert found.strength == pytest.approx(np.ones(3))
    assert found.seconds == pytest.approx([0.005, 0.015, 0.025])


def test_a_sketch_has_the_trace_of_the_whole():
    of = movie(light=[(1, 1, 5.0), (3, 3, 1.0)])
    whole = flow(of, (1, 1, 4, 0), (3, 3, 0, 8))
    whole.velocity[0] = np.nan
    assert np.array_equal(r.trace(r.sketch(whole, of), of).velocity, r.trace(whole, of).velocity, equal_nan=True)


def test_the_support_is_the_larger_of_two_frames():
    frames = np.zeros((2, 5, 5), np.float32)
    frames[0, 2, 1], frames[1, 2, 2], frames[:, 2, 3] = 6, 3, -1
    assert r.support(Movie(frames, 100.0, 8.0))[0, 2].tolist() == [0, 6, 3, 1, 0]


def test_pixels_without_an_estimate_are_left_out_and_counted():
    of = movie(light=[(1, 1, 5.0), (3, 3, 1.0)])
    field = flow(of, (1, 1, 4, 0)).velocity
    field[:, 3, 3] = np.nan
    found = r.trace(Flow(field), of)
    assert found.velocity[0] == pytest.approx([4, 0])
    assert found.strength[0] == pytest.approx(0.75)


def test_where_nothing_is_estimated_or_shown_there_is_no_velocity():
    of = movie(light=[(1, 1, 5.0)])
    nothing = r.trace(Flow(np.full((3, 5, 5, 2), np.nan, np.float32)), of)
    assert np.isnan(nothing.velocity).all()
    assert (nothing.strength == 0).all()
    assert np.isnan(nothing.direction).all()
    empty = r.trace(flow(movie()), movie())
    assert np.isnan(empty.velocity).all()


def test_all_pixels_count_alike():
    of = movie(light=[(1, 1, 5.0)])
    found = r.trace_of_all(flow(of, (1, 1, 25, 0), (2, 2, 0, 50)), of)
    assert found.velocity[0] == pytest.approx([1, 2])  # of 25 pixels


def test_only_moving_pixels_count():
    of = movie(size=20)
    field = np.full((3, 20, 20, 2), 0.05, np.float32)
    field[:, :2] = 3, 0  # 40 of 400 pixels: the 99th percentile is 3, and 0.07 is below a tenth of it
    assert r.trace_of_moving(Flow(field), of).velocity[0] == pytest.approx([3, 0])
    assert r.trace_of_moving(flow(of), of).velocity == pytest.approx(np.full((3, 2), np.nan), nan_ok=True)


def test_the_winner_takes_all():
    of = movie(size=20)
    field = np.zeros((3, 20, 20, 2), np.float32)
    field[:, :4] = 0, 2  # up: 80 pixels at 2
    field[:, 4:9] = 1, 0  # right: 100 pixels at 1
    assert r.trace_of_mode(Flow(field), of).velocity[0] == pytest.approx([0, 2])
    assert r.trace_of_all(Flow(field), of).velocity[0] == pytest.approx([0.25, 0.4])
    assert np.isnan(r.trace_of_mode(flow(of), of).velocity).all()


def test_the_winner_is_found_across_zero_degrees():
    of = movie(size=10)
    field = np.zeros((3, 10, 10, 2), np.float32)
    for row, degrees in enumerate([-4, -2, 2, 4]):
        field[:, row] = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    field[:, 5:7] = -1, 0.0  # twenty pixels the other way
    assert r.trace_of_mode(Flow(field), of).direction[0] == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("read", [r.trace, r.trace_of_all, r.trace_of_moving, r.trace_of_mode])
def test_velocities_are_their_own_readout(read):
    given = np.array([[1.0, 2.0], [np.nan, 2.0], [3.0, 4.0]])
    found = read(Velocity(given), movie())
    assert found.velocity == pytest.approx(np.array([[1, 2], [np.nan, np.nan], [3, 4]]), nan_ok=True)
    assert found.strength.tolist() == [1, 0, 1]


@pytest.mark.parametrize("read", [r.trace, r.trace_of_all, r.trace_of_moving, r.trace_of_mode])
def test_other_answers_are_refused(read):
    with pytest.raises(TypeError, match=r"got an answer of str; expected"):
        read("rightwards", movie())


def straight(directions, seconds=None, speed=10.0):
    angles = np.radians(directions)
    times = np.arange(len(directions)) / 100 if seconds is None else seconds
    return Trace(times, speed * np.stack([np.cos(angles), np.sin(angles)], axis=1), np.ones(len(directions)))


def test_the_final_direction_is_the_circular_mean_of_the_last_stretch():
    directions = np.concatenate([np.full(30, 90.0), np.tile([170.0, -170.0], 5)])
    assert abs(r.final_direction(straight(directions))) == pytest.approx(180)
    assert r.final_direction(straight(directions), window=0.02) == pytest.approx(180, abs=11)
    assert r.final_direction(straight(np.full(3, 40.0))) == pytest.approx(40)


def test_a_final_direction_may_not_exist():
    nothing = Trace(np.arange(4) / 100, np.full((4, 2), np.nan), np.zeros(4))
    assert np.isnan(r.final_direction(nothing))
    assert np.isnan(r.final_direction(straight([0.0, 180.0])))
    assert np.isnan(r.final_direction(straight([0.0, 10.0]), slowest=10.1))
    assert np.isnan(r.final_direction(Trace(np.zeros(0), np.zeros((0, 2)), np.zeros(0))))


def test_errors_are_wrapped_and_undefined_where_the_velocity_is_too_slow():
    percept = Percept("bar", object_direction=170.0, speed=10.0)
    of = straight([170.0, -170.0, 160.0, 170.0])
    slow = Trace(of.seconds, of.velocity * np.array([1, 1, 1, 0.0099])[:, None], of.strength)
    assert r.errors(slow, percept) == pytest.approx([0, 20, -10, np.nan], nan_ok=True)
    before = straight([170.0] * 4, np.array([-0.02, -0.01, 0.0, 0.01]))
    assert np.isnan(r.errors(before, percept)).tolist() == [True, True, False, False]


def test_the_plant_is_a_delayed_low_pass():
    seconds = np.arange(400) / 1000
    target = np.where(seconds[:, None] < 0.1, [10.0, 0.0], [0.0, 10.0])
    found = r.plant(Trace(seconds, target, np.ones(400)), delay=0.05, tau=0.04)
    ahead = lambda t: np.array([0.0, 0.0] if t < 0.05 else [10.0, 0.0] if t < 0.15 else [0.0, 10.0])  # noqa: E731
    solved = solve_ivp(lambda t, e: (ahead(t) - e) / 0.04, (0, 0.4), [0, 0], t_eval=seconds, max_step=1e-3)
    assert found.velocity == pytest.approx(solved.y.T, abs=0.3)  # a step of 1 ms moves 2.5 % of 10
    assert (found.velocity[:50] == 0).all()
    assert found.direction[-1] == pytest.approx(90, abs=1)


def test_without_delay_and_inertia_the_plant_is_the_trace_itself():
    of = straight([0.0, 10.0])
    assert r.plant(of) is of
    late = r.plant(straight(np.arange(5.0)), delay=0.02)
    assert late.direction == pytest.approx([np.nan, np.nan, 0, 1, 2], nan_ok=True)
    with pytest.raises(Misuse, match="expected seconds"):
        r.plant(of, delay=-1)


def test_gaps_leave_the_eye_as_it_was():
    of = straight([0.0, 0.0, 90.0, 90.0])
    of.velocity[2] = np.nan
    assert r.plant(of, delay=0.01).velocity[3] == pytest.approx([10, 0])
