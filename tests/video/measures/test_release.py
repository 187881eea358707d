"""The released rules on classical perception: what the readout finds in drawn clips, and every switch of a measure."""

from dataclasses import replace
from inspect import signature

import cv2
import numpy as np
import pytest

from beholder.core.measure import NotApplicable, card
from beholder.video.measures import release
from beholder.video.release.evidence import Released, present, quality, release_evidence, within
from beholder.video.release.points import follow
from beholder.video.skeletons import COCO
from beholder.video.types import Clip, Poses

SHAPE = (120, 160)


def texture(height, width, seed):
    rng = np.random.default_rng(seed)
    grey = cv2.GaussianBlur(rng.integers(0, 256, (height, width), np.uint8).astype(np.float32), (0, 0), 1.5)
    stretched = (grey - grey.min()) / np.ptp(grey) * 255
    return np.repeat(stretched[..., None], 3, axis=2).astype(np.uint8)


def drawn(frames=16, *, speed=2, pan=0, until=99):
    """A textured square that moves over a texture, and is there in the first `until` frames."""
    ground, square = texture(SHAPE[0], SHAPE[1] + 200, 1), texture(40, 40, 2) // 2 + 127
    found = np.stack([ground[:, 50 + pan * t : 50 + pan * t + SHAPE[1]] for t in range(frames)])
    for t in range(min(frames, until)):
        left = 20 + speed * t
        found[t, 40:80, left : left + 40] = square
    return found


@pytest.fixture(scope="module")
def moving():
    return release_evidence(Clip(pixels=drawn(), rate=8.0), None)


def empty(**other):
    """What is found where nothing is: four points that rest."""
    none = np.zeros((0, 4), bool)
    blank = Released(np.arange(9) / 8, SHAPE, (np.zeros(4), np.zeros(4)), (none, none), np.full(9, 0.5), ((), ()), 0)
    return replace(blank, **other)


def test_lucas_kanade_follows_both_ways_and_loses_what_is_covered():
    frames = [cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY) for frame in drawn(speed=2)]
    on, beside = np.array([[48.0, 60.0]]), np.array([[72.0, 60.0]])  # of frame 8: on the square, and ahead of it
    places, seen = follow(frames, np.concatenate([on, beside]), 8)
    assert np.abs(places[:, 0, 0] - (48 + 2 * (np.arange(16) - 8))).max() < 0.2
    assert seen[:, 0].all()
    assert places[8].tolist() == [[48, 60], [72, 60]]


def test_a_square_that_moves_is_the_subject(moving):
    found = release.perceptible_amplitude_release(moving, None, sam_boxes_misplaced=False)
    expected = 2 * 15 / np.hypot(*SHAPE)  # 2 px a frame
    assert found.parts["background"] < 0.1 * expected
    assert found.value == pytest.approx(expected, rel=0.25)


def test_a_camera_that_moves_takes_the_background_along():
    found = release_evidence(Clip(pixels=drawn(pan=3), rate=8.0), None)
    paths = release.perceptible_amplitude_release(found, None, sam_boxes_misplaced=False)
    assert paths.parts["background"] == pytest.approx(3 * 15 / np.hypot(*SHAPE), rel=0.1)


def test_what_stays_is_coherent_and_what_vanishes_is_not():
    stays = release.temporal_coherence_release(release_evidence(Clip(pixels=drawn(24), rate=8.0), None), None)
    gone = release_evidence(Clip(pixels=drawn(24, until=10), rate=8.0), None)
    assert stays.value == 1.0
    assert release.temporal_coherence_release(gone, None).value == 1.0  # the only object cannot vanish: D6
    mended = release.temporal_coherence_release(gone, None, lost_detection_keeps_ids=False)
    assert (mended.value, mended.parts["unexcused"]) == (0.5, 1)


def test_a_burst_of_blur_costs_smoothness(moving):
    blurred = drawn()
    blurred[6:9] = [cv2.GaussianBlur(frame, (0, 0), 3) for frame in blurred[6:9]]
    found = release_evidence(Clip(pixels=blurred, rate=8.0), None)
    assert release.motion_smoothness_release(moving, None).value == 1.0
    assert release.motion_smoothness_release(found, None).value < 0.75


def test_quality_is_that_of_three_frames_in_tenths_of_log_sharpness():
    assert quality(np.array([0.0, 3.0, 0.0, 0.0])).tolist() == pytest.approx([0, 0.1, 0.1, 0])


def test_objects_are_there_from_their_first_to_their_last_moment():
    from beholder.video.evidence import Track

    tracks = [
        Track(np.array([0.0, 1.0]), np.zeros((2, 4)), np.zeros(2)),
        Track(np.array([2.0]), np.zeros((1, 4)), np.zeros(1)),
    ]
    assert present(tracks, np.array([0, 0.5, 1.05, 1.5, 2.0]), 0.1) == ((1,), (1,), (1,), (), (2,))
    assert within(np.array([[0.1, 0.1], [0.5, 0.5]]), np.array([[0, 0, 0.2, 0.2]])).tolist() == [[True, False]]


def test_a_clip_of_one_frame_and_one_that_is_too_long_are_not_scored(monkeypatch):
    with pytest.raises(NotApplicable, match="1 frame"):
        release_evidence(Clip(pixels=drawn(1), rate=8.0), None)
    monkeypatch.setattr("beholder.video.release.evidence.LONGEST", 10)
    with pytest.raises(NotApplicable, match="short clips"):
        release_evidence(Clip(pixels=drawn(12), rate=8.0), None)


# One test per measure: its switches are settings, and each changes something.


def test_switches_of_amplitude():
    both, one = (
        np.array([[True, True, False, False], [False, True, True, False]]),
        np.array([[True, False, False, False]]),
    )
    found = empty(
        times=np.arange(97) / 8,
        paths=(np.array([0.8, 0.4, 0.6, 0.1]), np.array([0.4, 0.2, 0.3, 0.05])),
        on_objects=(both, one),
    )
    said = {
        "as released": {},
        "D3": {"sam_boxes_misplaced": False},
        "D4": {"background_is_union_of_complements": False},
        "D8": {"per_frame_thresholds": False},
    }
    values = {name: release.perceptible_amplitude_release(found, None, **told).value for name, told in said.items()}
    assert values == {
        "as released": pytest.approx(0.6 - 0.5),  # (.8 + .4 + .6)/3 − (.8 + .6 + .1)/3
        "D3": pytest.approx(0.8 - 1.1 / 3),
        "D4": pytest.approx(0.6 - 0.1),
        "D8": pytest.approx((0.3 - 0.25) / 2),  # of twelve seconds, six
    }
    assert release.perceptible_amplitude_release(empty(), None).value == 0.0
    with pytest.raises(NotApplicable, match="no subject"):
        release.perceptible_amplitude_release(empty(), None, failure_is_perfect=False)


def test_switches_of_smoothness():
    found = empty(times=np.arange(9) / 24, quality=np.array([0.5, 0.5, 0.5, 0.45, 0.5, 0.5, 0.5, 0.5, 0.5]))
    value = release.motion_smoothness_release(found, None)
    assert (value.value, dict(value.parts)) == (pytest.approx(1 - 3 / 9), {"threshold": 0.01, "artifacts": 3})
    assert release.motion_smoothness_release(found, None, absolute_quality_change=False).value == pytest.approx(
        1 - 1 / 9
    )
    # Frames 0, 3 and 6 are looked at: two changes, three frames
    assert release.motion_smoothness_release(found, None, per_frame_thresholds=False).value == 0.0


def test_switches_of_integrity():
    points = np.tile(np.linspace(0.1, 0.9, 34).reshape(17, 2), (9, 1, 1))
    points[4, 15] = (0.9, 0.1)  # an ankle that jumps
    jumps = Poses(COCO, points, np.ones((9, 17)))
    other = Poses(COCO, np.tile(points[0], (9, 1, 1)), np.full((9, 17), 0.9))
    found = empty(poses=(jumps, other))
    value = release.object_integrity_release(found, None).value
    assert value == pytest.approx(0.5 * 11 / 12 + 0.5 * 7 / 8)
    assert release.object_integrity_release(found, None, first_person_only=False).value == pytest.approx(
        (value + 1) / 2
    )
    with pytest.raises(NotApplicable, match="no human skeleton"):
        release.object_integrity_release(empty(), None)
    unseen = empty(poses=(Poses(COCO, points, np.zeros((9, 17))),))
    assert release.object_integrity_release(unseen, None).value == 1.0
    with pytest.raises(NotApplicable, match="no body"):
        release.object_integrity_release(unseen, None, failure_is_perfect=False)
    quick = replace(found, times=np.arange(9) / 24, poses=(jumps,))  # frames 0, 3 and 6 are looked at, not 4
    assert release.object_integrity_release(quick, None, per_frame_thresholds=False).value == 1.0


def test_switches_of_coherence():
    excuses = {
        (1, "vanish"): ("", ""),
        (1, "emerge"): ("", ""),
        (2, "emerge"): ("detector error", ""),
        (2, "vanish"): ("", ""),
    }
    found = empty(keyframes=((1,), (1, 2), (2,), ()), objects=2, excuses=excuses)
    assert release.temporal_coherence_release(found, None).value == 0.75
    assert release.temporal_coherence_release(found, None, query_at_keyframe_index=False).value == 0.5
    assert release.temporal_coherence_release(found, None, lost_detection_keeps_ids=False).value == 0.5
    assert release.temporal_coherence_release(empty(), None).value == 1.0
    with pytest.raises(NotApplicable, match="no object"):
        release.temporal_coherence_release(empty(), None, failure_is_perfect=False)


def test_switch_of_commonsense():
    with pytest.raises(NotApplicable, match="weights"):
        release.commonsense_adherence_release(empty(), None)
    found = release.commonsense_adherence_release(empty(), None, cas_without_weights=True)
    assert (found.value, found.state) == (0.49995, "low")
    assert release.commonsense_adherence_release(empty(classes=np.eye(5)[3]), None).value == 0.75


def test_what_hangs_on_a_rate_that_nobody_gives_is_doubtful():
    found = empty(clock="assumed")
    assert release.temporal_coherence_release(found, None).state == "low"  # keyframes are a second apart
    assert release.perceptible_amplitude_release(found, None).state == "ok"
    assert release.perceptible_amplitude_release(found, None, per_frame_thresholds=False).state == "low"


def test_the_five_name_the_perception_that_they_replace():
    assert [card(of).name.removesuffix("_release") for of in release.FIVE] == [
        "commonsense_adherence", "motion_smoothness", "object_integrity", "perceptible_amplitude", "temporal_coherence",
    ]  # fmt: skip
    for of in release.FIVE:
        assert "Deviation: " in of.__doc__
        assert card(of).reads is release_evidence
        assert len(signature(of).parameters) <= 6
