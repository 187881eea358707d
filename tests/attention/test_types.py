import numpy as np
import pytest
from numpy.testing import assert_array_equal

from beholder.attention.types import Density, Lookers, Picture, Salience, Scanpath, accept_map, keep_inside, scanpath

PICTURE = Picture(np.zeros((4, 6, 3), np.uint8), 30.0)
LOG = np.full((4, 6), -np.log(24))


def test_a_scanpath_is_made_of_columns_of_any_kind():
    path = scanpath([[1, 2, 3]], np.array([4.0, 5, 6]), duration_ms=(7, 8, 9), pupil=[1, 2, 3])
    assert len(path) == 3
    assert_array_equal(path.points, [[1, 4], [2, 5], [3, 6]])
    assert np.isnan(path.onset_ms).all()
    part = path.at(path.x > 1)
    assert_array_equal(part.signals["pupil"], [2, 3])
    assert_array_equal(part.duration_ms, [8, 9])
    assert len(path.at(slice(1, None))) == 2


def test_columns_of_unlike_length_are_refused():
    with pytest.raises(ValueError, match=r"got 2 values of x and \{'y': 1\}; expected the same number of each"):
        scanpath([1, 2], [3])
    with pytest.raises(ValueError, match="'pupil': 3"):
        scanpath([1, 2], [3, 4], pupil=[1, 2, 3])


@pytest.mark.parametrize(
    ("x", "y", "held"),
    [
        (0, 0, True),
        (5.999, 3.999, True),
        (6, 0, False),
        (0, 4, False),
        (-1e-9, 0, False),
        (-1, 2, False),
        (np.nan, 1, False),
        (1, np.inf, False),
    ],
)
def test_a_pixel_covers_from_its_index_to_the_next(x, y, held):
    path, off = keep_inside(scanpath([x], [y]), (4, 6))
    assert (len(path), off) == (int(held), int(not held))


def test_clipped_points_lie_inside_and_never_wrap():
    path, off = keep_inside(scanpath([-3, 9, np.nan, 2], [1, 7, 1, 2], onset_ms=[0, 1, 2, 3]), (4, 6), "clip")
    assert off == 3
    assert_array_equal(np.floor(path.x), [0, 5, 2])
    assert_array_equal(np.floor(path.y), [1, 3, 2])
    assert_array_equal(path.onset_ms, [0, 1, 3])
    again, none = keep_inside(path, (4, 6), "raise")
    assert (len(again), none) == (3, 0)


def test_points_outside_can_be_refused():
    with pytest.raises(ValueError, match=r"got fixation 1 at \(-1, 2\); expected points inside 6 x 4"):
        keep_inside(scanpath([1, -1], [2, 2]), (4, 6), "raise")
    with pytest.raises(ValueError, match="expected 'drop', 'clip' or 'raise'"):
        keep_inside(scanpath([1], [2]), (4, 6), "wrap")


def test_no_saccade_joins_the_neighbours_of_a_fixation_that_was_left_out():
    path, _ = keep_inside(scanpath([-1, 1, 2, 9, np.nan, 3, 4, 9], np.zeros(8)), (4, 6))
    assert_array_equal(path.joined, [True, False, True])
    assert_array_equal(path.at(slice(1, None)).joined, [False, True])
    assert_array_equal(path.at(path.x != 3).joined, [True, False])  # the mark of one left away later counts on
    assert_array_equal(keep_inside(path, (4, 6))[0].joined, path.joined)
    assert_array_equal(keep_inside(path, (4, 4))[0].joined, [True, False])
    clipped, _ = keep_inside(scanpath([1, 9, 2, np.nan, 3], np.zeros(5)), (4, 6), "clip")
    assert_array_equal(clipped.joined, [True, True, False])
    for few in (scanpath([], []), scanpath([-1], [0]), scanpath([1], [0])):
        assert len(keep_inside(few, (4, 6))[0].joined) == 0


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (scanpath([1, np.nan], [1, 1]), r"observer a: got fixation 1 at \(nan, 1\); expected every one inside 6 x 4"),
        (scanpath([1, 6], [1, 1]), r"got fixation 1 at \(6, 1\)"),
        (scanpath([1, 1], [np.inf, 1]), r"got fixation 0 at \(1, inf\)"),
        (scanpath([1, 1], [1, 1], duration_ms=[100, -5]), r"got fixation 1 of -5 ms, begun at nan ms; expected"),
        (scanpath([1, 1], [1, 1], duration_ms=[np.inf, 5]), "got fixation 0 of inf ms"),
        (scanpath([1, 1], [1, 1], onset_ms=[np.inf, 5]), "begun at inf ms"),
        (Scanpath(np.ones(2), np.ones(2), np.ones(2), np.ones(1)), r"got 2 values of x and \{'duration_ms': 1\}"),
    ],
)
def test_what_no_person_did_is_refused_as_a_reference(path, said):
    with pytest.raises(ValueError, match=said):
        Lookers({"b": scanpath([1], [1]), "a": path}, (4, 6))


def test_people_can_be_left_out_and_taken_alone():
    lookers = Lookers({who: scanpath([at], [at]) for at, who in enumerate("abc")}, (4, 6))
    others, alone = lookers.without("b"), lookers.only("b")
    assert list(others.paths) == ["a", "c"]
    assert_array_equal(others.points, [[0, 0], [2, 2]])
    assert_array_equal(alone.points, [[1, 1]])
    assert alone.everyone is others.everyone is others.without("a").everyone is lookers
    assert lookers.everyone is lookers
    assert Lookers({}, (4, 6)).points.shape == (0, 2)


def test_arrays_of_the_pictures_size_are_maps():
    found = accept_map(np.arange(24, dtype=np.uint8).reshape(4, 6), PICTURE)
    assert isinstance(found, Salience)
    assert found.values.dtype == np.float64
    assert accept_map(Salience(np.zeros((4, 6)), ("me",)), PICTURE).by == ("me",)
    assert_array_equal(accept_map(np.ones((4, 6)), PICTURE).values, 1)  # constant is an answer


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (np.zeros((6, 4)), r"got a map of shape \(6, 4\); expected \(4, 6\)"),
        (np.zeros((4, 6, 3)), r"shape \(4, 6, 3\)"),
        (np.full((4, 6), np.nan), "got 24 values of 24 that are not finite"),
        (np.where(np.arange(24).reshape(4, 6) == 3, np.inf, 0), "got 1 values of 24"),
        (np.zeros((4, 6), complex), "expected real numbers"),
        (np.full((4, 6), "a"), "expected real numbers"),
        (None, "expected real numbers"),
        (Density(LOG + 0.01), "logsumexp is 0.01"),
        (Density(LOG[:3]), "density of shape"),
        (Density(np.where(LOG < 0, np.nan, 0)), "NaN"),
        (Density(np.full((4, 6), -np.inf)), "logsumexp is -inf"),
    ],
)
def test_what_is_no_answer_is_refused(raw, said):
    with pytest.raises(ValueError, match=said):
        accept_map(raw, PICTURE)


def test_densities_add_up_to_one():
    rough = LOG + 5e-4
    assert np.exp(accept_map(Density(rough, ("a",)), PICTURE).log).sum() == pytest.approx(1, abs=1e-12)
    assert accept_map(Density(rough, ("a",)), PICTURE).by == ("a",)
    lone = np.full((4, 6), -np.inf)
    lone[1, 2] = 0
    found = accept_map(Density(lone), PICTURE)
    assert_array_equal(found.log, lone)
    assert not np.shares_memory(found.log, lone)  # the model may write there again
