"""MSS of the released scripts: thresholds by PAS, two frames for each change, and the switches D8 and D9."""

import math

import numpy as np
import pytest

from beholder.video.release.sampling import looked_at
from beholder.video.release.smoothness import artifacts, smoothness, threshold, windows
from beholder.video.release.switches import AS_RELEASED, Switches

DIP = np.array([0.50, 0.50, 0.46, 0.50, 0.50, 0.50, 0.50, 0.50])  # one drop, and back


@pytest.mark.parametrize(
    ("pas", "allowed"),
    [(0, 0.010), (0.0999, 0.010), (0.1, 0.015), (0.2999, 0.015), (0.3, 0.025), (0.4999, 0.025), (0.5, 0.03), (9, 0.03)],
)
def test_the_threshold_rises_in_four_steps(pas, allowed):
    assert threshold(pas) == allowed


def test_an_unknown_amplitude_has_the_least_threshold():
    assert threshold(math.nan) == 0.010


def test_both_frames_of_a_change_are_artifacts():
    assert artifacts(DIP, 0.03).tolist() == [1, 2, 3]
    assert smoothness(DIP, 0.0) == 1 - 3 / 8


def test_a_change_must_exceed_the_threshold():
    exact = np.array([0.0, 0.25])
    assert artifacts(exact, 0.25).size == 0
    assert artifacts(exact, 0.2499).tolist() == [0, 1]


def test_more_motion_forgives_more():
    assert [smoothness(np.array([0.5, 0.48, 0.48, 0.48]), pas) for pas in (0.05, 0.2, 0.3)] == [0.5, 0.5, 1.0]


def test_every_frame_is_scored_with_its_neighbours():
    assert windows(5).tolist() == [[0, 0, 0], [0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 3, 4]]
    assert windows(1).tolist() == [[0, 0, 0]]
    assert windows(2).tolist() == [[0, 0, 0], [0, 1, 1]]


def test_d8_at_24_frames_a_second_a_slow_fall_is_no_change():
    times, fall = np.arange(25) / 24, np.linspace(0.5, 0.3, 25)  # 0.0083 a frame, 0.025 an eighth of a second
    in_seconds = Switches(per_frame_thresholds=False)
    assert smoothness(fall[looked_at(times, AS_RELEASED)], 0.0) == 1.0
    assert smoothness(fall[looked_at(times, in_seconds)], 0.0) == 0.0
    eight = np.arange(9) / 8
    assert looked_at(eight, in_seconds).tolist() == looked_at(eight, AS_RELEASED).tolist()  # the rate they are made for


def test_d9_the_paper_counts_drops_and_one_frame_each():
    assert artifacts(DIP, 0.03, Switches(absolute_quality_change=False)).tolist() == [2]
    assert smoothness(DIP, 0.0, Switches(absolute_quality_change=False)) == 1 - 1 / 8
    assert smoothness(DIP[2:], 0.0) == 1 - 2 / 6  # an improvement alone
    assert smoothness(DIP[2:], 0.0, Switches(absolute_quality_change=False)) == 1.0
