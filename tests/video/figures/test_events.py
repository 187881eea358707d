"""What is flagged: every event on the line of its measure, for as long as its frames are shown."""

import numpy as np
import pytest

from beholder.video.evidence import Event
from beholder.video.figures.events import COLOURS, LINES, events_of, flagged, joined, numbers
from beholder.video.figures.series import path_of, series_of


def test_each_event_stands_on_the_line_of_its_measure(evidence):
    found = events_of(evidence())
    assert [(name, event.kind) for name, event in found] == [("OIS", "wobble"), ("TCS", "vanish_or_emerge")]


def test_what_vanishes_is_seen_in_the_frame_before_and_in_the_frame_after(evidence):
    event = dict(events_of(evidence(rate=12.0)))["TCS"]
    assert (event.start, event.end) == (1.0, pytest.approx(1.0 + 2 / 12))


def test_a_shot_cut_is_shown_and_excused(evidence):
    found = events_of(evidence(events=(), wobble=(), shot_cuts=(0.5,)))
    assert [(name, event.kind, bool(event.why)) for name, event in found] == [("TCS", "shot_cut", True)]
    assert flagged(found) == []


def test_a_drop_of_quality_is_motion_smoothness(evidence):
    found = evidence(events=(), wobble=())
    found.frames.sharpness[12] = -4.0
    ((name, event),) = events_of(found)
    assert (name, event.kind) == ("MSS", "quality_drop")
    assert event.start == pytest.approx(1.0)


def test_events_with_boxes_or_other_reasons_are_not_joined():
    box = (0.0, 0.0, 0.5, 0.5)
    several = [Event("a", 0, 1, box), Event("a", 1, 2, box), Event("b", 0, 1), Event("b", 1, 2, why="cut")]
    assert len(joined(several, 0.1)) == 4


def test_the_strongest_comes_first():
    several = [("TCS", Event("a", 0, 1, strength=0.2)), ("OIS", Event("b", 1, 2)), ("TCS", Event("c", 2, 3, why="no"))]
    assert [event.kind for _, event in flagged(several)] == ["b", "a"]


def test_every_line_has_a_colour_of_its_own():
    assert list(COLOURS) == list(LINES)
    assert len(set(COLOURS.values())) == len(LINES)


def test_what_does_not_apply_is_a_dash(evidence):
    said = numbers(evidence())
    assert said["CAS"] == "–"
    assert list(said) == ["CAS", "MSS", "OIS", "PAS", "TCS", "judder", "jerk"]


def test_the_camera_turns_against_the_picture(evidence):
    path = path_of(evidence(frames=21, rate=10.0).camera)  # the picture moves 0.1 diagonals/s to the left for 2 s
    assert path[0].tolist() == [0, 0]
    assert path[-1] == pytest.approx([0.2, 0.0])


def test_quality_is_counted_from_its_median(evidence):
    found = evidence()
    found.frames.sharpness[:] += 5
    found.frames.sharpness[3] = 4.0
    values = series_of(found)["quality"].values
    assert (np.median(values), values[3]) == (0, -1)
