"""TCS of the released scripts: ids, changes, the three excuses with their constants, and the switches D5 to D7."""

import numpy as np
import pytest

from beholder.core.measure import NotApplicable
from beholder.video.release.coherence import (
    RULES,
    Followed,
    carried,
    changes,
    coherence,
    excuse,
    keyframe_step,
    match,
    query_frame,
)
from beholder.video.release.switches import Switches

SHAPE = (180, 320)
FRAMES, POINTS, START = 12, 20, 4


def box(*, left, width=40):
    mask = np.zeros((20, 100), bool)
    mask[5:15, left : left + width] = True
    return mask


def object_of(centre=(160, 90), spread=40.0, start=START):
    """An object that rests and is seen in all frames: points on a diagonal line, `spread` px across."""
    line = np.linspace(-0.5, 0.5, POINTS)[:, None] * (spread, spread / 2)
    return Followed(np.tile(np.array(centre) + line, (FRAMES, 1, 1)), np.ones((FRAMES, POINTS), bool), start)


def hide(of, share, frames):
    of.visible[frames, : round(share * POINTS)] = False
    return of


def test_constants():
    assert RULES["vanish"] == (0.80, 0.5, 0.8, 0.07, 1.0)
    assert RULES["emerge"] == (0.85, 0.5, 0.8, 0.03, 0.8)
    assert [keyframe_step(rate) for rate in (8, 16, 24, 29.97, 2)] == [7, 15, 23, 28, 1]


def test_a_mask_is_an_object_that_is_followed_if_they_share_more_than_three_quarters():
    followed = {1: box(left=0)}
    shares = {4: 36 / 44, 5: 35 / 45, 6: 34 / 46}  # IoU of a mask moved by so many of 40 columns: .82, .78, .74
    assert [match([box(left=off)], followed, 1)[1] for off in shares] == [1, 1, 2]
    found, count = match([box(left=0), box(left=50), np.zeros((20, 100), bool)], followed, 1)
    assert (sorted(found), count) == ([1, 2], 2)  # an empty mask is no object
    assert match([box(left=0)], {3: box(left=1), 2: box(left=0)}, 3)[0].keys() == {3}  # the first that fits


def test_every_change_is_counted():
    found = changes([{1, 2}, {1}, {1, 2}, {3}])
    assert [(one.id, one.way, one.keyframe) for one in found] == [
        (2, "vanish", 1), (2, "emerge", 2), (1, "vanish", 3), (2, "vanish", 3), (3, "emerge", 3),
    ]  # fmt: skip


@pytest.mark.parametrize(("way", "after"), [("vanish", slice(6, None)), ("emerge", slice(0, 3))])
def test_without_an_excuse(way, after):
    assert excuse(hide(object_of(), 1.0, after), way, SHAPE) == ""


@pytest.mark.parametrize(("way", "frame", "enough", "too_few"), [("vanish", 8, 0.80, 0.75), ("emerge", 2, 0.85, 0.80)])
def test_it_may_leave_through_the_border(way, frame, enough, too_few):
    def leaving(hidden, outside):
        of = hide(object_of(spread=100.0), 1.0, 7 if way == "vanish" else 3)  # never mind: it is hidden inside, too
        of.points[frame, : round(outside * POINTS)] = (-5, 90)
        return excuse(hide(of, hidden, frame), way, SHAPE)

    assert leaving(enough, 0.5) == "edge"
    assert leaving(too_few, 0.5) == ""
    assert leaving(enough, 0.45) == ""


@pytest.mark.parametrize("place", [(-1, 90), (321, 90), (160, -1), (160, 181)])
def test_the_border_has_four_sides(place):
    of = hide(object_of(), 1.0, slice(8, None))
    of.points[8:] = place
    assert excuse(of, "vanish", SHAPE) == "edge"


@pytest.mark.parametrize(
    ("way", "frame", "side"), [("vanish", 8, 0.07), ("emerge", 2, 0.03)]
)  # the middle 80 % of the points, as a share of the frame
def test_it_may_be_too_small(way, frame, side):
    def shrunk(share):
        of = hide(object_of(), 1.0, frame)
        middle = np.quantile(np.linspace(0, 1, POINTS), [0.1, 0.9])
        width = share * SHAPE[1] / (middle[1] - middle[0])
        of.points[frame] = (160, 90) + np.linspace(-0.5, 0.5, POINTS)[:, None] * (width, 0)
        return of

    assert excuse(shrunk(0.99 * side), way, SHAPE) == "small"
    assert excuse(shrunk(1.01 * side), way, SHAPE) == ""
    outside = shrunk(0.5 * side)
    outside.points[frame, :5] = (-9, 90)  # three quarters are inside: too few to tell
    assert excuse(outside, way, SHAPE) == ""


def test_it_may_have_been_there_all_along():
    assert excuse(hide(object_of(), 0.95, slice(6, None)), "vanish", SHAPE) == "detector error"  # not all are hidden
    assert excuse(hide(object_of(), 1.0, 8), "vanish", SHAPE) == ""
    assert excuse(hide(object_of(), 0.75, slice(0, 3)), "emerge", SHAPE) == "detector error"
    assert excuse(hide(object_of(), 0.80, slice(0, 3)), "emerge", SHAPE) == ""


def test_only_the_time_after_vanishing_and_before_emerging_counts():
    of = hide(object_of(), 1.0, slice(0, START + 1))  # hidden up to the start
    assert excuse(of, "vanish", SHAPE) == "detector error"
    assert excuse(hide(object_of(), 1.0, slice(START, None)), "emerge", SHAPE) == "detector error"


def test_an_object_without_a_point_is_an_error_of_the_detector():
    of = Followed(np.empty((FRAMES, 0, 2)), np.empty((FRAMES, 0), bool), START)
    assert excuse(of, "vanish", SHAPE) == "detector error"


def never(change):
    return ""


def test_the_score_is_the_mean_of_what_stays_and_what_was_there():
    assert coherence([{1, 2}, {1}], 2, never) == 0.5 * (1 / 2) + 0.5 * 1
    assert coherence([{1}, {1, 2, 3, 4}], 4, never) == 0.5 * 1 + 0.5 * (1 / 4)
    assert coherence([{1, 2}, {1}, {1}], 2, lambda change: "edge") == 1.0
    assert coherence([{1, 2}, {1, 2}], 2, never) == 1.0


# One test per switch: what it changes.


def test_d5_asks_the_tracker_at_the_number_of_the_keyframe():
    right = Switches(query_at_keyframe_index=False)
    assert [query_frame(k, 7) for k in range(4)] == [0, 1, 2, 3]
    assert [query_frame(k, 7, right) for k in range(4)] == [0, 7, 14, 21]
    # An object that is hidden up to frame 6 and first seen at keyframe 1, frame 7: before frame 1 it is hidden, too,
    # but before frame 0 there is nothing that could be.
    of = hide(object_of(start=7), 1.0, slice(0, 7))
    assert excuse(of, "emerge", SHAPE) == ""
    assert excuse(of._replace(start=0), "emerge", SHAPE) == "detector error"


def test_d6_the_only_object_cannot_vanish():
    there = [{1}, set(), set()]
    assert [sorted(ids) for ids in carried(there)] == [[1], [1], [1]]
    assert coherence(there, 1, never) == 1.0
    assert coherence(there, 1, never, Switches(lost_detection_keeps_ids=False)) == 0.5
    assert coherence([{1, 2}, {2}, set()], 2, never) == 0.75  # as long as one is left, the others can


def test_d7_no_object_is_perfect():
    assert coherence([set(), set()], 0, never) == 1.0
    with pytest.raises(NotApplicable, match="no object"):
        coherence([set(), set()], 0, never, Switches(failure_is_perfect=False))
