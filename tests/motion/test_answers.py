"""What a model may answer besides arrays: it becomes degrees once, or is refused in a sentence."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from beholder.motion.answers import accepted
from beholder.motion.types import Areas, Directions, Flow, Likelihood, Movie, Spikes, Spirals, Units, Velocity, motion

MOVIE = Movie(np.zeros((4, 2, 3), np.float32), hertz=50.0, px_per_deg=8.0, onset=1)
TABLE = np.array([[0.4, 0.8], [0.0, 0.0]])  # px/frame, right and down
TWO = {"direction": np.array([0.0, 90.0]), "speed": np.array([1.6, 3.2])}  # px/frame


@pytest.mark.parametrize("shape", [(3, 2), (3, 2, 2, 3)])
def test_the_table_of_a_likelihood_becomes_degrees_and_y_goes_up(shape):
    found = motion(Likelihood(np.ones(shape), TABLE), MOVIE)
    assert_allclose(found.velocity, [[2.5, -5.0], [0, 0]])  # × 50 / 8
    assert found.probability.shape == shape
    assert_allclose(motion(Likelihood(np.ones(shape), TABLE, "deg/s"), MOVIE).velocity, TABLE)


def test_preferred_speeds_become_degrees_and_directions_stay():
    for raw in (Units(np.ones((3, 2)), **TWO), Spikes([[0.01], []], **TWO, window=0.02)):
        found = motion(raw, MOVIE)
        assert_allclose(found.speed, [10.0, 20.0])
        assert_allclose(found.direction, [0.0, 90.0])
        assert found.unit == "deg/s"


def test_directions_have_a_clock_of_their_own_and_may_have_no_speed():
    raw = Directions([0.0, 0.07, 0.1, 0.3], [10, 20, np.nan, 30])
    assert_allclose(motion(raw, MOVIE).speed, 6.25)  # one px/frame
    assert_allclose(motion(Directions([0.0], [10], [2.0], "deg/s"), MOVIE).speed, [2.0])


@pytest.mark.parametrize(
    "raw",
    [
        Likelihood(np.ones((3, 2)), TABLE),
        Units(np.ones((3, 2)), **TWO),
        Spikes([[0.01], []], **TWO, window=0.02),
        Directions([0.0, 0.1], [1.0, 2.0], [3.0, 4.0]),
        Spirals(np.ones((3, 2)), np.array([0.0, 90.0]), np.ones(2)),
    ],
    ids=lambda raw: type(raw).__name__,
)
def test_what_was_accepted_is_not_converted_twice(raw):
    once = motion(raw, MOVIE)
    again = motion(once, MOVIE)
    for name in vars(once):
        if name == "times":
            assert [list(one) for one in once.times] == [list(one) for one in again.times]
        else:
            assert_array_equal(getattr(again, name), getattr(once, name))


def test_areas_stand_beside_the_answer_proper():
    raw = Areas(np.ones((3, 2)), {"MT": Units(np.ones((3, 2)), **TWO), "V1": np.ones((3, 2))})
    found = motion(raw, MOVIE)
    assert isinstance(found.answer, Velocity)
    assert_allclose(found.of["MT"].speed, [10, 20])
    assert_allclose(found.of["V1"].velocity, np.tile([6.25, -6.25], (3, 1)))
    dense = motion(Areas(np.zeros((3, 2, 3, 2)), {}), MOVIE)
    assert isinstance(dense.answer, Flow)


def test_spikes_are_sorted():
    assert motion(Spikes([[0.03, 0.01], []], **TWO, window=0.02), MOVIE).times[0].tolist() == [0.01, 0.03]


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (Likelihood(np.ones((3, 5)), TABLE), r"Likelihood of shape \(3, 5\); expected \(3, 2\), or \(3, 2, 2, 3\)"),
        (Likelihood(np.ones((3, 2)), np.zeros((2, 3))), r"velocities of shape \(2, 3\); expected \(n, 2\)"),
        (Likelihood(np.ones((3, 2)), TABLE * np.nan), "not finite"),
        (Likelihood(-np.ones((3, 2)), TABLE), "below 0"),
        (Likelihood(np.ones((3, 2)), TABLE, "px/s"), r"unit 'px/s'; expected 'px/frame' or 'deg/s'"),
        (Units(np.ones((2, 2)), **TWO), r"shape \(2, 2\); expected \(3, 2\), one of each unit"),
        (Units(np.ones((3, 2)), np.zeros(2), np.zeros(3)), "one of each for a unit"),
        (Units(np.ones((3, 2)), np.zeros(2), -np.ones(2)), "speed below 0"),
        (Units(-np.ones((3, 2)), **TWO), "give opponent units two responses"),
        (Units(np.full((3, 2), "a"), **TWO), "expected real numbers"),
        (Spikes([[0.1]], **TWO, window=0.02), "spikes of 1 units; expected those of 2"),
        (Spikes([[0.1], [np.nan]], **TWO, window=0.02), "spike times that are not finite"),
        (Spikes([[0.1], []], **TWO, window=0.0), "window=0.0; expected seconds above 0"),
        (Directions([0.1, 0.1], [0, 0]), "do not increase"),
        (Directions([0.1, 0.2], [0]), r"directions of shape \(1,\); expected \(2,\)"),
        (Directions([0.1], [0], [-1.0]), "speed below 0"),
        (Spirals(np.ones((3, 2)), np.zeros(2), np.ones(3)), "rates 0 or more"),
        (Areas(np.zeros((3, 2)), [1]), "expected a mapping"),
        (Areas(np.zeros((3, 2)), {"MT": np.zeros(3)}), r"area MT: got an answer of shape \(3,\)"),
        (Areas(np.zeros((3, 2)), {"MT": Areas(1, {})}), "Areas within Areas"),
        (Velocity(np.zeros((2, 2))), r"shape \(2, 2\)"),
        ({"velocity": np.zeros((3, 2))}, "answer of dict; expected an array .* or one of Flow, Velocity, Likelihood"),
        ((np.zeros((3, 2)), np.zeros(3)), "answer of unlike parts"),
        (3.0, "answer of float"),
    ],
)
def test_other_answers_are_refused_with_a_sentence(raw, message):
    with pytest.raises(ValueError, match=message):
        motion(raw, MOVIE)


def test_only_answers_are_accepted():
    with pytest.raises(TypeError, match="got an answer of str; expected one of Likelihood"):
        accepted("up", MOVIE)
