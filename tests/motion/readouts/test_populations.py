"""Distributions, units, spikes, directions and areas as one velocity an instant, against sums done by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from beholder.core.measure import NotApplicable
from beholder.motion import readouts as r
from beholder.motion.types import Areas, Directions, Flow, Likelihood, Movie, Spikes, Spirals, Units, Velocity, motion

MOVIE = Movie(np.zeros((4, 2, 3), np.float32), hertz=100.0, px_per_deg=8.0)
TABLE = np.array([[10.0, 0.0], [0.0, 10.0], [-10.0, 0.0]])
READ = [r.trace, r.trace_of_all, r.trace_of_moving, r.trace_of_mode]


def bell(directions, at, width=30.0):
    """Responses that fall with the angle between a preferred and a shown direction."""
    return np.exp(-0.5 * (r.wrapped(directions - at) / width) ** 2)


def test_a_likelihood_is_read_as_its_mean_and_as_its_mode():
    given = Likelihood(np.array([[1.0, 3.0, 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]), TABLE, "deg/s")
    mean, mode = (read(motion(given, MOVIE), MOVIE) for read in (r.trace, r.trace_of_mode))
    assert_allclose(mean.velocity, [[2.5, 7.5], [0, 10 / 3], [np.nan, np.nan]])
    assert_allclose(mode.velocity, [[0, 10], [0, 10 / 3], [np.nan, np.nan]])  # three alike: their mean
    assert mean.strength.tolist() == [1, 1, 0]


def test_a_likelihood_at_each_pixel_is_summed_over_the_frame():
    local = np.zeros((3, 3, 2, 3))
    local[:, 0, 0, 0], local[:, 1, 1, :2] = 2.0, 1.0
    local[:, 2, 1, 2] = np.nan  # no estimate
    found = r.trace(motion(Likelihood(local, TABLE, "deg/s"), MOVIE), MOVIE)
    assert_allclose(found.velocity, np.tile([5.0, 5.0], (3, 1)))
    assert_allclose(found.strength, 0.5)  # three of six pixels have any


def test_a_global_likelihood_equals_the_posterior_mean_of_a_gaussian():
    axis = np.linspace(-8, 8, 65)
    table = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    density = np.exp(-0.5 * (((table - (1.5, -0.5)) / (0.8, 1.1)) ** 2).sum(axis=1))
    found = r.trace(motion(Likelihood(np.tile(density, (3, 1)), table, "deg/s"), MOVIE), MOVIE)
    assert_allclose(found.velocity[0], (1.5, -0.5), atol=1e-6)


@pytest.mark.parametrize("shown", [0.0, 37.0, 170.0, -100.0])
def test_the_population_vector_points_where_a_symmetric_population_is_centred(shown):
    preferred = np.arange(0, 360, 5.0)
    responses = np.tile(bell(preferred, shown), (3, 1))
    found = r.trace(motion(Units(responses, preferred, np.full(72, 2.0)), MOVIE), MOVIE)
    assert_allclose(r.wrapped(found.direction - shown), 0, atol=1e-9)
    assert_allclose(found.strength, responses.mean())
    best = r.trace_of_mode(motion(Units(responses, preferred, np.full(72, 2.0)), MOVIE), MOVIE)
    assert np.abs(r.wrapped(best.direction - shown)).max() <= 2.5


def test_silent_and_missing_units_have_no_direction():
    silent = Units(np.array([[0.0, 0.0], [np.nan, np.nan], [np.nan, 2.0]]), np.array([0.0, 90.0]), np.ones(2), "deg/s")
    found = r.trace(motion(silent, MOVIE), MOVIE)
    assert_allclose(found.velocity, [[np.nan, np.nan], [np.nan, np.nan], [0, 1]], atol=1e-12)
    assert found.strength.tolist() == [0, 0, 1]


def test_spikes_become_rates_in_the_window_that_ends_with_an_instant():
    movie = Movie(np.zeros((41, 2, 2), np.float32), 1000.0, 8.0)
    rng = np.random.default_rng(1)
    times = [np.sort(rng.uniform(-0.01, 0.05, 60)) for _ in range(5)]
    given = motion(Spikes(times, np.arange(5) * 72.0, np.ones(5), window=0.007, unit="deg/s"), movie)
    counted = [[((one > t - 0.007) & (one <= t)).sum() for one in times] for t in movie.seconds]
    assert_allclose(r.rates(given, movie).responses, np.array(counted) / 0.007)
    assert_allclose(r.trace(given, movie).velocity, r.trace(r.rates(given, movie), movie).velocity)
    assert_allclose(r.trace_of_mode(given, movie).velocity, r.trace_of_mode(r.rates(given, movie), movie).velocity)


def test_directions_keep_their_clock():
    given = motion(Directions([-0.01, 0.004, 0.2], [90.0, np.nan, 180.0], [2.0, 2.0, 1.0], "deg/s"), MOVIE)
    found = r.trace(given, MOVIE)
    assert found.seconds.tolist() == [-0.01, 0.004, 0.2]
    assert_allclose(found.velocity, [[0, 2], [np.nan, np.nan], [-1, 0]], atol=1e-12)
    assert found.strength.tolist() == [1, 0, 1]


@pytest.mark.parametrize("read", READ)
def test_areas_are_read_by_their_answer_proper(read):
    field = np.random.default_rng(2).normal(size=(3, 2, 3, 2)).astype(np.float32)
    movie = Movie(np.random.default_rng(3).random((4, 2, 3)).astype(np.float32), 100.0, 8.0)
    alone, within = (read(one, movie) for one in (Flow(field), Areas(Flow(field), {})))
    assert_allclose(within.velocity, alone.velocity)


def test_an_area_is_read_by_its_name_and_missed_by_it():
    units = Units(np.ones((3, 1)), np.array([90.0]), np.ones(1), "deg/s")
    answer = motion(Areas(Velocity(np.ones((3, 2))), {"MT": units}), MOVIE)
    assert_allclose(r.trace_of_mt(answer, MOVIE).direction, 90)
    with pytest.raises(NotApplicable, match=r"exposes only MT; .*'V1'"):
        r.trace_of_v1(answer, MOVIE)
    with pytest.raises(NotApplicable, match="exposes no areas"):
        r.trace_of_mt(Velocity(np.ones((3, 2))), MOVIE)


def test_spirals_have_no_direction():
    spirals = motion(Spirals(np.ones((3, 1)), np.zeros(1), np.ones(1)), MOVIE)
    for read in READ:
        with pytest.raises(NotApplicable, match="read them by optic_flow"):
            read(spirals, MOVIE)
