"""Scanpaths of search: merged, cut where the target is seen, and only those that found it."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from beholder.attention.gaze.saccades import moves
from beholder.attention.measures.multimatch import Weights, multimatch
from beholder.attention.paths.search import Box, Searchers, cut_at_target, found_only, merge_near, prepare_search
from beholder.attention.types import Lookers, scanpath
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse

TARGET = Box(100, 50, 120, 70)
ONE = scanpath([10, 60, 110, 20], [10, 30, 60, 80], onset_ms=[0, 100, 300, 600], duration_ms=[100, 200, 300, 400])
OTHER = scanpath([20, 60, 90, 20], [15, 30, 60, 80], duration_ms=[150, 150, 250, 100])


def searchers(*found):
    return Searchers({"a": ONE, "b": OTHER, "c": ONE}, (120, 160), target=TARGET, found=frozenset(found))


def test_neighbours_in_one_field_are_one():
    path = scanpath([0, 15, 30, 31, 90], [0] * 5, onset_ms=range(5), duration_ms=[1, 2, 4, 8, 16], pupil=range(5))
    found = merge_near(path, 32)
    # 0 and 15 are at 7.5; 30 is 22.5 from there; 30 and 31 are at 30.5
    assert_array_equal(found.x, [7.5, 30.5, 90])
    assert_array_equal(found.duration_ms, [3, 12, 16])
    assert_array_equal(found.onset_ms, [0, 2, 4])
    assert_array_equal(found.signals["pupil"], [0, 2, 4])
    assert_array_equal(merge_near(path, 32, lasting="first").duration_ms, [1, 2, 4])


def test_half_a_field_apart_in_either_axis_is_apart():
    assert len(merge_near(scanpath([0, 16], [0, 0]), 32)) == 2
    assert len(merge_near(scanpath([0, 15.9], [0, 16]), 32)) == 2
    assert len(merge_near(scanpath([0, 15.9], [0, 15.9]), 32)) == 1
    assert len(merge_near(scanpath([0, 0], [0, 0]), 0)) == 2


@pytest.mark.parametrize("path", [scanpath([], []), scanpath([3], [4])])
def test_nothing_to_merge(path):
    assert_array_equal(merge_near(path).points, path.points)
    assert_array_equal(cut_at_target(path, TARGET).points, path.points)


def test_what_is_wrong_is_said():
    with pytest.raises(Misuse, match="got a receptive field of nan px"):
        merge_near(ONE, np.nan)
    with pytest.raises(Misuse, match="got lasting='mean'"):
        merge_near(ONE, lasting="mean")


def test_a_field_reaches_half_its_size_in_whole_px():
    at = scanpath([83, 84, 136, 137, 110, 110], [60, 60, 60, 60, 34, 33])
    assert TARGET.near(at, 33).tolist() == [False, True, True, False, True, False]
    assert not TARGET.near(scanpath([np.nan], [60])).any()


def test_a_path_ends_where_the_target_is_seen():
    assert_array_equal(cut_at_target(ONE, TARGET, size=0).x, [10, 60, 110])
    assert_array_equal(cut_at_target(OTHER, TARGET, size=0).x, OTHER.x)  # 90 is 10 px off
    assert_array_equal(cut_at_target(OTHER, TARGET, size=32).x, [20, 60, 90])
    assert_array_equal(prepare_search(scanpath([10.9, 60.2, 61, 110], [9.9, 30, 30, 60]), TARGET).x, [10, 60.5, 110])


def test_the_criterion_keeps_who_found_it():
    criterion = found_only()
    (walk,), people = criterion.select(ONE, searchers("a", "b"))
    assert_array_equal(walk.x, [10, 60, 110])
    assert {who: len(path) for who, path in people.paths.items()} == {"a": 3, "b": 3}
    found = multimatch((walk,), people, weights=Weights(duration=0))
    assert 0 < found.value < 1
    assert multimatch((walk,), people.only("a"), weights=Weights(duration=0)).value == 1
    two, _ = criterion.select((ONE, OTHER), searchers("a"))
    assert len(two) == 2


@pytest.mark.parametrize(
    ("observed", "lookers", "said"),
    [
        (ONE, Lookers({"a": ONE}, (120, 160)), "nobody searched"),
        (moves([ONE]), searchers("a"), "reads eye movements"),
        (scanpath([1, 2, 3], [1, 50, 99]), searchers("a"), "did not reach the target"),
        (scanpath([10, 110], [10, 60]), searchers("a"), "fewer than 3 fixations"),
        (ONE, searchers(), "nobody here found the target"),
    ],
)
def test_what_cannot_be_compared(observed, lookers, said):
    with pytest.raises(NotApplicable, match=said):
        found_only().select(observed, lookers)
