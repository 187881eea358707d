import numpy as np
import pytest
from numpy.testing import assert_allclose

from beholder.errors import Misuse
from beholder.motion.datasets.diamonds import diamonds
from beholder.motion.models import motion_energy as energy
from beholder.motion.models.ffv1mt import ffv1mt
from beholder.motion.models.motion_energy import decoded, motion_energy, population, preferences
from beholder.motion.readouts import errors, trace
from beholder.motion.types import Areas, Movie, Units, Velocity, motion
from motion_movies import drawn_once
from motion_scenes import SHIFTS, bar, dots, film, texture, towards


def grating(degrees, speed, *, cycles=0.12, size=64):
    """A grating that drifts in a direction, at px/frame."""
    y, x = np.mgrid[:size, :size]
    right, up = towards(degrees)
    return lambda t: 0.5 + 0.5 * np.cos(2 * np.pi * cycles * (x * right - y * up - speed * t))


def final(answer):
    """The velocity at the end: (right, down)."""
    return answer.answer[-1]


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


def test_settings_out_of_range_are_refused():
    for wrong in (lambda m: ffv1mt(m, gain=0), lambda m: ffv1mt(m, scales=0), lambda m: motion_energy(m, scales=0)):
        with pytest.raises(Misuse, match="expected"):
            wrong(texture((0.0, 0.0)))


def test_motion_energy_says_nothing_until_its_windows_lie_within_the_movie():
    """Diamonds: it swung by 26° in the first 0.2 s, because its filters saw the movie begin."""
    shown = drawn_once(diamonds)[0]
    answer = motion_energy(shown.stimulus)
    seen = np.isfinite(answer.answer).all(axis=1)
    assert np.flatnonzero(seen)[0] == 11  # 13 frames
    assert seen[11:].all()
    assert np.isnan(answer.of["MT"].responses[:11]).all()
    error = errors(trace(motion(answer, shown.stimulus), shown.stimulus), shown.reference)
    assert np.ptp(error[11:]) < 0.5


def test_a_movie_that_is_shorter_than_the_window_is_answered_all_through():
    frames = np.stack([grating(0, 1.0)(t) for t in range(12)]).astype(np.float32)
    answer = motion_energy(Movie(frames, 50.0, 8.0)).answer
    assert np.isfinite(answer[1:]).all()
    longer = np.stack([grating(0, 1.0)(t) for t in range(13)]).astype(np.float32)
    assert np.flatnonzero(np.isfinite(motion_energy(Movie(longer, 50.0, 8.0)).answer[:, 0])).tolist() == [11]
