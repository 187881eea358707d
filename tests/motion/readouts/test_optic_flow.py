"""Rotation and expansion, on synthetic flow whose rates are known."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from beholder.core.measure import NotApplicable
from beholder.motion.readouts import affine, optic_flow
from beholder.motion.types import Areas, Flow, Movie, Spirals, Velocity, motion

PX_PER_DEG = 4.0


def field(rotation, expansion, *, shape=(24, 30), drift=(0.0, 0.0), shear=0.0, centre=(12.0, 9.0)):
    """The velocity at each pixel, deg/s, y up: a turn (deg/s) and a growth (1/s) about a pixel (column, row)."""
    rows, columns = np.mgrid[: shape[0], : shape[1]]
    x, y = (columns - centre[0]) / PX_PER_DEG, -(rows - centre[1]) / PX_PER_DEG
    omega = np.radians(rotation)
    return np.stack(
        [drift[0] + expansion * x - omega * y + shear * y, drift[1] + omega * x + expansion * y + shear * x], -1
    )


@pytest.mark.parametrize(("rotation", "expansion"), [(30, 0), (-45, 0), (0, 0.5), (0, -0.2), (20, 0.3)])
@pytest.mark.parametrize("drift", [(0.0, 0.0), (3.0, -2.0)])
def test_rates_are_found_whatever_the_centre_the_drift_and_the_shear(rotation, expansion, drift):
    weights = np.random.default_rng(1).random((24, 30))
    found = affine(field(rotation, expansion, drift=drift, shear=0.4), weights, px_per_deg=PX_PER_DEG)
    assert found.rotation == pytest.approx(rotation, abs=1e-6)
    assert found.expansion == pytest.approx(expansion, abs=1e-9)


def test_it_is_the_least_squares_solution():
    rng = np.random.default_rng(2)
    noisy, weights = field(25, 0.3) + rng.normal(0, 0.5, (24, 30, 2)), rng.random((24, 30))
    found = affine(noisy, weights, px_per_deg=PX_PER_DEG)
    rows, columns = np.mgrid[:24, :30]
    design = np.stack([np.ones(720), columns.ravel() / PX_PER_DEG, -rows.ravel() / PX_PER_DEG], axis=1)
    normal = design.T @ (weights.ravel()[:, None] * design)
    solved = np.linalg.solve(normal, design.T @ (weights.ravel()[:, None] * noisy.reshape(-1, 2)))
    assert_allclose(found.gradient, solved[1:].T)
    assert found.rotation == pytest.approx(25, abs=2)


def test_translation_is_that_of_the_centre_of_the_support():
    weights = np.zeros((24, 30))
    weights[5:14, 8:17] = 1  # about column 12, row 9
    assert_allclose(affine(field(30, 0.2, drift=(3, 1)), weights, px_per_deg=PX_PER_DEG).translation, (3, 1))


def test_holes_are_left_out_and_a_line_tells_nothing():
    flow, weights = field(30, 0.2), np.ones((24, 30))
    flow[::3] = np.nan
    assert affine(flow, weights, px_per_deg=PX_PER_DEG).rotation == pytest.approx(30)
    flow[1:] = np.nan
    flow[0] = 1.0
    for known in (flow, np.full_like(flow, np.nan)):
        assert np.isnan(affine(known, weights, px_per_deg=PX_PER_DEG).rotation)


def test_a_flow_is_read_where_there_is_something_to_see():
    frames = np.zeros((3, 24, 30), np.float32)
    frames[:, 6:18, 4:20] = np.random.default_rng(4).random((12, 16))
    movie = Movie(frames, 50.0, PX_PER_DEG)
    flow = np.full((2, 24, 30, 2), 99.0)  # wrong everywhere else
    flow[:, 6:18, 4:20] = [field(30, 0.1)[6:18, 4:20], field(-10, 0.4)[6:18, 4:20]]
    for answer in (Flow(flow.astype(np.float32)), Areas(Flow(flow.astype(np.float32)), {})):
        found = optic_flow(answer, movie)
        assert_allclose(found.rotation, [30, -10], rtol=1e-4)
        assert_allclose(found.expansion, [0.1, 0.4], rtol=1e-4)
        assert_allclose(found.seconds, movie.seconds)


def test_units_that_prefer_spirals_vote():
    movie = Movie(np.zeros((3, 4, 4), np.float32), 50.0, 8.0)
    angles = np.arange(0, 360, 15.0)
    tuned = [np.exp(np.cos(np.radians(angles - at)) / 0.3) for at in (0.0, 90.0)]
    spirals = Spirals(np.array(tuned), angles, np.full(24, 0.5))
    found = optic_flow(motion(Areas(np.zeros((2, 2)), {"MST": spirals}), movie), movie)
    assert found.expansion[0] > 0.3 > abs(found.rotation[0]) + 0.29
    assert np.radians(found.rotation[1]) == pytest.approx(found.expansion[0])  # the same votes, a quarter further
    assert found.expansion[1] == pytest.approx(0, abs=1e-9)
    silent = optic_flow(motion(Spirals(np.zeros((2, 24)), angles, np.full(24, 0.5)), movie), movie)
    assert np.isnan(silent.rotation).all()


def test_other_answers_tell_no_rotation():
    with pytest.raises(NotApplicable, match="an answer of Velocity tells no rotation"):
        optic_flow(Velocity(np.zeros((2, 2))), Movie(np.zeros((3, 4, 4), np.float32), 50.0, 8.0))
