"""PAS of the released scripts: paths in diagonals, subject less background, and the four switches that change it."""

import math

import numpy as np
import pytest

from beholder.core.measure import NotApplicable
from beholder.video.release.amplitude import amplitude, background, grid, mean_path, misplacement, path_lengths, subject
from beholder.video.release.switches import MENDED, Switches

MASKS = np.array([[True, True, False, False], [False, True, True, False]])  # two objects on four points


def test_a_path_is_counted_in_diagonals_over_all_frames():
    there_and_back = np.array([[[10, 10]], [[13, 14]], [[10, 10]], [[10, 10]]], float)  # 5 + 5 + 0 px
    assert path_lengths(there_and_back, (30, 40)).tolist() == [0.2]
    assert mean_path(np.array([0.1, 0.3])) == pytest.approx(0.2)
    assert math.isnan(mean_path(np.empty(0)))


def test_points_that_leave_the_frame_keep_counting():
    leaving = np.array([[[39, 0]], [[89, 0]]], float)
    assert path_lengths(leaving, (30, 40)).tolist() == [1.0]


def test_the_grid_keeps_a_64th_of_the_width_from_the_border():
    points = grid((320, 640))
    assert points.shape == (900, 2)
    assert points.min(axis=0).tolist() == [10, 10]
    assert points.max(axis=0).tolist() == [630, 310]


@pytest.mark.parametrize(
    ("own", "camera", "expected"), [(0.5, 0.2, 0.3), (0.2, 0.5, 0.2), (0.3, 0.3, 0.3), (math.nan, 0.4, 0.4)]
)
def test_subject_less_background_unless_the_background_moves_more(own, camera, expected):
    assert amplitude(own, camera, 6.0) == pytest.approx(expected)


def test_all_objects_are_the_subject():
    assert subject(MASKS).tolist() == [True, True, True, False]


# One test per switch: what it changes.


@pytest.mark.parametrize(
    ("shape", "across"),  # specs/video.md 1.9, D3: computed there from SAM's and GroundingDINO's transforms
    [((480, 720), 0.90), ((480, 832), 1.08), ((480, 848), 1.12), ((720, 1280), 1.71), ((512, 512), 0.64)],
)
def test_d3_misplaces_boxes_by_a_factor_that_depends_on_the_size_of_the_clip(shape, across):
    assert misplacement(shape)[0] == pytest.approx(across, abs=0.005)
    assert misplacement(shape, Switches(sam_boxes_misplaced=False)) == (1, 1)


def test_d3_rounds_to_whole_pixels_of_a_frame_that_is_three_high():
    # 480 × 720: H′ = 800, so 3 px become int(3 · 1.28 + .5) = 4, a factor 4/3 where 683/480 is right
    assert misplacement((480, 720))[1] == pytest.approx((4 / 3) / (683 / 480))


def test_d3_of_an_upright_clip_takes_the_long_side_of_what_the_detector_saw():
    # 480 wide, 720 high: 800 × 1200, so H′ = 1200 and boxes are scaled by 1024/1200 instead of 683/480
    assert misplacement((720, 480))[0] == pytest.approx((1024 / 1200) / (683 / 480))


def test_d4_two_objects_are_background_to_each_other():
    assert background(MASKS).tolist() == [True, False, True, True]
    assert background(MASKS, Switches(background_is_union_of_complements=False)).tolist() == [False] * 3 + [True]
    assert background(MASKS[:1]).tolist() == background(MASKS[:1], MENDED).tolist()  # one object: no difference
    assert background(MASKS[:0]).all()  # none: everything


def test_d7_without_a_subject_the_camera_is_scored():
    assert amplitude(math.nan, 0.4, 6.0) == 0.4
    with pytest.raises(NotApplicable, match="no subject"):
        amplitude(math.nan, 0.4, 6.0, Switches(failure_is_perfect=False))


def test_d8_the_path_grows_with_the_length_of_the_clip():
    in_seconds = Switches(per_frame_thresholds=False)
    assert amplitude(0.6, 0.0, 6.0) != amplitude(1.2, 0.0, 12.0)
    assert amplitude(0.6, 0.0, 6.0, in_seconds) == amplitude(1.2, 0.0, 12.0, in_seconds) == pytest.approx(0.6)
