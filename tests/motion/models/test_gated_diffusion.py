"""Luminance-gated diffusion: what the gates do to a diamond, and what they are made of."""

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import ndimage

from beholder.core.cite import facts_of, key_of, library
from beholder.errors import Misuse
from beholder.motion.courses.fit import fit
from beholder.motion.models._cortex import Cortex, interpolated, luminance_bins, matched
from beholder.motion.models._jets import HALF, jets
from beholder.motion.models.gated_diffusion import gated_diffusion
from beholder.motion.types import Areas, Flow, Movie, motion
from motion_scenes import bar, barber_pole, diamond, direction

FIRST = 1  # the pair that ends 40 ms after the onset, at 50 frames/s


@cache
def course(bins):
    movie = diamond(hertz=50, size=144, seconds=0.44)
    return direction(gated_diffusion(movie, bins=bins).answer, movie)[FIRST:]


def fitted(errors):
    return fit(0.02 * np.arange(len(errors)), errors)


@pytest.mark.parametrize(("bins", "expected"), [(1, (30.9, 1.9, 72)), (4, (31.6, 0.3, 61))])
def test_the_course_is_near_to_that_of_section_6_7(bins, expected):
    curve = fitted(course(bins))
    assert curve.alpha == pytest.approx(expected[0], abs=3)
    assert curve.beta == pytest.approx(expected[1], abs=1.5)
    assert 1000 * curve.tau == pytest.approx(expected[2], abs=12)


def test_gates_speed_it_up_and_leave_less_of_the_bias():
    plain, gated = course(1), course(4)
    assert (gated[2:] < plain[2:]).all()
    assert np.argmax(gated < 5) < np.argmax(plain < 5)
    assert fitted(gated).tau < fitted(plain).tau
    assert 0 < fitted(gated).beta < fitted(plain).beta - 0.5


def test_a_bar_and_a_barber_pole_turn_too():
    movie = bar(5, hertz=50, seconds=0.3, size=120)
    found = direction(gated_diffusion(movie).answer, movie)[FIRST:]
    assert found[0] > 20
    assert abs(found[-1]) < 4
    pole = barber_pole(12, 2, seconds=0.3)
    turned = direction(gated_diffusion(pole).answer, pole)[FIRST:]
    assert turned[-1] < turned[0] - 5


def test_bins_add_up_to_one_and_are_hats():
    light = np.linspace(0, 1, 101, dtype=np.float32)
    bins = luminance_bins(light, 4)
    assert_allclose(bins.sum(axis=-1), 1, atol=1e-6)
    assert_allclose(bins @ np.arange(4) / 3, light, atol=1e-6)  # centres at 0, 1/3, 2/3, 1


def test_jets_are_cosines_where_there_is_contrast_and_weaker_where_there_is_not():
    movie = bar(3, hertz=50, seconds=0.02, size=48)
    full, faint = (jets((movie.frames * scale).astype(np.float32))[0] for scale in (1.0, 0.05))
    assert np.linalg.norm(full, axis=-1).max() == pytest.approx(np.sqrt(0.14 / (0.14 + HALF)), abs=0.02)
    assert np.linalg.norm(faint, axis=-1).max() < 0.3


def test_matches_are_rectified_products():
    rng = np.random.default_rng(1)
    wide, velocities = rng.normal(size=(9, 8, 5)).astype(np.float32), np.array([[0, 0], [2, -1]])
    here, places = rng.normal(size=(2, 5)).astype(np.float32), np.array([[4, 3], [5, 4]])
    there = wide[places[:, :1] + velocities[:, 1], places[:, 1:] + velocities[:, 0]]
    assert_allclose(matched(here, wide, places, velocities), np.maximum((here[:, None] * there).sum(-1), 0), rtol=1e-5)


def test_pools_are_interpolated_as_scipy_does():
    rng = np.random.default_rng(2)
    pools, gates = rng.random((2, 12, 12, 3)).astype(np.float32), rng.random((6, 2)).astype(np.float32)
    gates[0, 1] = 0
    places, shift = rng.uniform(4, 7, (6, 2)).astype(np.float32), rng.uniform(-3, 3, (3, 2)).astype(np.float32)
    expected = np.zeros((6, 3))
    for j, (right, down) in enumerate(shift):
        at = (places - (down, right)).T
        expected[:, j] = sum(gates[:, k] * ndimage.map_coordinates(pools[k, ..., j], at, order=1) for k in range(2))
    assert_allclose(interpolated(pools, gates, places, shift), expected, rtol=1e-4)


def test_competition_is_that_of_the_source():
    cortex = Cortex(10.0, 3, 5.0)
    pooled = np.random.default_rng(3).random((4, len(cortex.velocities))).astype(np.float32)
    drive = pooled.astype(float) @ cortex.spread.astype(float)
    total, n = drive.sum(axis=1, keepdims=True), drive.shape[1]
    assert_allclose(cortex.compete(pooled), np.maximum((drive - total / (2 * n)) / (0.01 + total), 0), atol=2e-6)


def test_answers_are_accepted_and_repeated():
    movie = bar(2.5, hertz=50, seconds=0.1, size=64)
    movie.frames.setflags(write=False)
    first = gated_diffusion(movie)
    assert isinstance(first, Areas)
    assert list(first.of) == ["V1", "MT"]
    assert isinstance(motion(first, movie).answer, Flow)
    assert_array_equal(first.answer, gated_diffusion(movie).answer)


def test_it_says_whence_it_is_and_that_it_is_not_that_model():
    assert key_of(gated_diffusion) in library()
    known = {"family": "feedback", "dynamics": "recurrent", "ms_per_step": "20"}
    assert facts_of(gated_diffusion).items() >= known.items()
    assert "not a reimplementation" in gated_diffusion.__doc__


@pytest.mark.parametrize("wrong", [{"gain": -1.0}, {"reach": 0}, {"bins": 0}])
def test_settings_out_of_range_are_refused(wrong):
    with pytest.raises(Misuse, match="expected"):
        gated_diffusion(Movie(np.zeros((3, 8, 8), np.float32), 50, 8), **wrong)
