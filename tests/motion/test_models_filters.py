from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import ndimage

from beholder.errors import Misuse
from beholder.motion.models import motion_energy as energy
from beholder.motion.models.ffv1mt import ffv1mt
from beholder.motion.models.motion_energy import decoded, motion_energy, population, preferences
from beholder.motion.types import Areas, Flow, Movie, Units, Velocity, motion
from motion_scenes import bar, barber_pole, diamond, direction, towards, velocity


def film(shown, frames=14):
    return Movie(np.asarray([shown(t) for t in range(frames)], np.float32), 100, 8)


def grating(degrees, speed, *, cycles=0.12, size=64):
    """A grating that drifts in a direction, at px a frame."""
    y, x = np.mgrid[:size, :size]
    right, up = towards(degrees)
    return lambda t: 0.5 + 0.5 * np.cos(2 * np.pi * cycles * (x * right - y * up - speed * t))


def texture(shift, *, size=64, blur=1.5):
    """Smooth noise that moves by (right, down) px a frame, exactly."""
    spectrum = ndimage.fourier_gaussian(np.fft.fft2(np.random.default_rng(1).standard_normal((size, size))), blur)
    moved = [np.fft.ifft2(ndimage.fourier_shift(spectrum, (k * shift[1], k * shift[0]))).real for k in range(14)]
    low, high = np.min(moved), np.max(moved)
    return Movie(((np.asarray(moved) - low) / (high - low)).astype(np.float32), 100, 8)


@cache
def dots(shift, *, size=72, count=60):
    """Bright dots that move by (right, down) px a frame and come in again at the other side."""
    start = np.random.default_rng(7).uniform(0, size, (count, 2))
    y, x = np.mgrid[:size, :size]

    def shown(t):
        apart = (np.stack([x, y], axis=-1)[:, :, None] - start - t * np.asarray(shift) + size / 2) % size - size / 2
        return 1 - np.prod(1 - np.exp(-(apart**2).sum(axis=-1) / (2 * 1.5**2)), axis=-1)

    return film(shown)


def final(answer):
    """The velocity at the end: (right, down)."""
    return answer.answer[-1]


SHIFTS = [(1.0, 0.0), (0.5, 0.5), (1.5, -1.0), (-2.0, 0.0)]


@pytest.mark.parametrize("shift", SHIFTS)
def test_motion_energy_tells_the_velocity_of_textures_and_dots(shift):
    for shown in (texture(shift), dots(shift)):
        assert_allclose(final(motion_energy(shown)), shift, atol=0.1 * np.hypot(*shift))


@pytest.mark.parametrize("degrees", [0, 45, 90, 225])
def test_motion_energy_tells_the_normal_velocity_of_a_grating(degrees):
    u, v = final(motion_energy(film(grating(degrees, 1.0))))
    assert_allclose((u, -v), towards(degrees), atol=0.07)


def test_motion_energy_finds_the_intersection_of_constraints_of_plaids():
    first, second = grating(-50, 1.0), grating(50, 1.0)
    symmetric = final(motion_energy(film(lambda t: (first(t) + second(t)) / 2)))
    assert_allclose(symmetric, (1 / np.cos(np.radians(50)), 0), rtol=0.08, atol=0.01)
    first, second = grating(48.2, np.cos(np.radians(48.2))), grating(70.5, np.cos(np.radians(70.5)))
    u, v = final(motion_energy(film(lambda t: (first(t) + second(t)) / 2)))  # type II: both on one side of 0°
    assert abs(np.degrees(np.arctan2(-v, u))) < 8
    assert np.hypot(u, v) == pytest.approx(1, rel=0.1)


def test_28_squares_tell_the_energy_in_any_direction():
    rng = np.random.default_rng(0)
    frequency, wanted = rng.standard_normal(3), rng.standard_normal((5, 3))
    squares = (energy._directions() @ frequency) ** 6
    weights = energy.monomials(wanted, 6) @ energy._steering().T
    assert_allclose(weights @ squares, (wanted @ frequency) ** 6, rtol=1e-6)
    assert energy.sphere_means(6) @ energy._steering().T @ squares == pytest.approx((frequency @ frequency) ** 3 / 7)


def test_units_prefer_what_they_say():
    turns, speeds = preferences()
    assert len(turns) == len(speeds) == 24 * 9
    shown = film(grating(30, 1.0))
    of = motion(motion_energy(shown), shown)
    assert isinstance(of, Areas)
    assert isinstance(of.answer, Velocity)
    units = of.of["MT"]
    assert isinstance(units, Units)
    assert units.responses.shape == (13, 216)
    ring = np.isclose(speeds, 1.0)
    assert turns[ring][units.responses[-1, ring].argmax()] == pytest.approx(30, abs=15)
    assert units.speed.max() == pytest.approx(np.tan(np.radians(85)) * 100 / 8)


def test_one_active_unit_is_decoded_to_its_own_velocity():
    turns, speeds = preferences()
    for unit in (0, 50, 215):
        alone = np.zeros((1, 216))
        alone[0, unit] = 2.0
        u, v = decoded(alone)[0]
        assert_allclose((u, -v), towards(turns[unit], speeds[unit]), atol=1e-9)
    assert np.isnan(decoded(np.zeros((1, 216)))).all()


def test_what_stands_still_has_no_velocity_to_speak_of():
    assert np.hypot(*final(motion_energy(texture((0.0, 0.0))))) < 0.02
    assert np.isnan(motion_energy(film(lambda t: np.full((32, 32), 40.0))).answer).all()


def test_turned_movies_are_read_alike():
    shown = texture((1.0, 0.3))
    turned = Movie(np.ascontiguousarray(shown.frames[:, :, ::-1].transpose(0, 2, 1)), 100, 8)  # a quarter turn left
    (u, v), (right, down) = final(motion_energy(shown)), final(motion_energy(turned))
    assert_allclose((right, down), (v, -u), atol=0.02)


def test_longer_bars_mislead_more_as_people_are_misled():
    found = [
        np.degrees(np.arctan2(-v, u))
        for u, v in (final(motion_energy(bar(length, hertz=50, seconds=0.3, size=112))) for length in (2.5, 5.0))
    ]
    assert 0 < found[0] < found[1] < 45


def test_contrast_saturates_but_the_direction_stays():
    high, low = (
        motion_energy(film(lambda t, c=c: 0.5 + c * (grating(0, 1.0)(t) - 0.5))).answer[-1] for c in (1.0, 0.2)
    )
    assert_allclose(high, low, atol=0.05)
    strong, weak = (population(film(lambda t, c=c: 0.5 + c * (grating(0, 1.0)(t) - 0.5)))[-1].max() for c in (1.0, 0.1))
    assert weak < strong < 20 * weak


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


def test_settings_out_of_range_are_refused():
    for wrong in (lambda m: ffv1mt(m, gain=0), lambda m: ffv1mt(m, scales=0), lambda m: motion_energy(m, scales=0)):
        with pytest.raises(Misuse, match="expected"):
            wrong(texture((0.0, 0.0)))
