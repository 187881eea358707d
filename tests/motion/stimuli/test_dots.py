import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from beholder.errors import Misuse
from beholder.motion.stimuli.dots import Dots, lots
from beholder.motion.stimuli.drawing import movie
from beholder.motion.stimuli.sampling import QUICK, Sampling
from motion_movies import direction, rigid

MANY = lots(2000, np.random.default_rng(0))


def steps(dots, seconds, short=0.001):
    """Velocities of all dots over a short time, of those that neither wrap nor are born within it."""
    change = (dots.places(seconds + short) - dots.places(seconds)) / short
    return change[np.hypot(*change.T) < 2 * dots.speed]


@pytest.mark.parametrize("coherence", [0.0, 0.3, 1.0])
def test_the_share_of_dots_that_go_along_is_the_coherence(coherence):
    dots = Dots(MANY, coherence=coherence)
    velocity = steps(dots, 0.33)
    along = np.abs(velocity - [dots.speed, 0]).max(axis=1) < 1e-6
    assert len(velocity) > 1900
    assert_allclose(np.hypot(*velocity.T), dots.speed)
    assert along.mean() == pytest.approx(coherence, abs=0.04)
    assert velocity.mean(axis=0) == pytest.approx([dots.percept.average_speed, 0], abs=0.3)


def test_dots_live_their_time_and_are_born_elsewhere():
    dots = Dots(MANY, coherence=1.0, lifetime=0.1)
    jumps = dots.places(0.01) - dots.places(0.0)
    reborn = np.abs(jumps - [0.06, 0]).max(axis=1) > 1e-6
    assert reborn.mean() == pytest.approx(0.1, abs=0.03)  # a hundredth of a second of a tenth


def test_dots_fill_the_field_evenly():
    places = Dots(MANY).places(0.4)
    assert np.abs(places).max() <= 6
    counts = np.histogram2d(*places.T, bins=4, range=[[-6, 6], [-6, 6]])[0]
    assert np.abs(counts - 125).max() < 5 * np.sqrt(125)


def test_more_coherence_only_turns_dots_into_signal():
    few, more = (Dots(MANY, coherence=coherence).places(0.0) for coherence in (0.2, 0.6))
    alike = (few == more).all(axis=1)
    assert alike.mean() == pytest.approx(0.6, abs=0.05)  # those in both signals, and those in neither


@pytest.mark.parametrize("way", [0.0, 90.0])
def test_coherent_dots_are_seen_to_move_their_way(way):
    dots = Dots(lots(60, np.random.default_rng(1)), coherence=1.0, lifetime=9.0, direction=way)
    assert direction(rigid(movie(dots, Sampling(hertz=200.0, seconds=0.05)))) == pytest.approx(way, abs=3)


def test_the_same_lots_give_the_same_movie():
    one, two = (movie(Dots(lots(10, np.random.default_rng(5))), QUICK).frames for _ in range(2))
    assert_array_equal(one, two)
    assert one.max() > 35  # a dot nearly reaches twice the background
    assert one[0, 0, 0] == 20


def test_no_coherence_has_no_average():
    assert np.isnan(Dots(MANY, coherence=0.0).percept.vector_average)


def test_impossible_settings_are_refused():
    with pytest.raises(Misuse, match="dots: got coherence=2"):
        Dots(MANY, coherence=2.0)
    with pytest.raises(Misuse, match="got 0 dots"):
        lots(0, np.random.default_rng(0))
