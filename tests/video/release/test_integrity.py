"""OIS of the released scripts: 12 limbs, 8 joints, 45 %, 30°, ⌊T/2⌋ and ⌊T/3⌋, and the switches D7, D8 and D10."""

import numpy as np
import pytest

from beholder.core.measure import NotApplicable
from beholder.video.release.integrity import JOINTS, LIMBS, POINTS, Body, body_integrity, human, integrity, surest
from beholder.video.release.switches import Switches
from beholder.video.skeletons import COCO, FIGURE, QUADRUPED
from beholder.video.types import Poses

FRAMES = 12
# A person who stands: COCO's 17 points in px, no two limbs in line.
STANDING = np.array(
    [
        [100, 20], [97, 17], [103, 17], [94, 19], [106, 19], [85, 40], [115, 40], [75, 65], [125, 65], [72, 90],
        [128, 90], [90, 95], [110, 95], [88, 130], [112, 130], [87, 165], [113, 165],
    ],
    float,
)  # fmt: skip
TIMES = np.arange(FRAMES) / 8


def standing(frames=FRAMES):
    return Body(np.tile(STANDING, (frames, 1, 1)), np.ones((frames, 17)))


def moved(point, to, frames):
    """Someone who stands, one point of whom is elsewhere in some frames."""
    body = standing()
    body.points[frames, POINTS[point]] = to
    return body


def test_the_twelve_limbs_and_eight_joints_are_those_of_the_script():
    assert (len(LIMBS), len(JOINTS)) == (12, 8)
    assert COCO.points[5:7] == ("left_shoulder", "right_shoulder")  # the script's numbers are COCO's places
    assert COCO.points[15:] == ("left_ankle", "right_ankle")
    named = {name: tuple(COCO.points[end] for end in ends) for name, ends in {**LIMBS, **JOINTS}.items()}
    assert named["torso"] == ("left_shoulder", "left_hip")
    assert named["neck"] == ("nose", "left_shoulder")
    assert named["right_knee"] == ("right_hip", "right_knee", "right_ankle")


def test_who_stands_still_is_whole():
    assert integrity([standing()], TIMES) == 1.0


def test_one_step_of_more_than_45_percent_costs_the_limb_for_good():
    hip, knee = STANDING[11], STANDING[13]
    ankle = STANDING[15]
    # Along the calf, so that no angle changes: 1.45 times its length is allowed, 1.46 is not.
    for factor, lost in ((1.45 - 1e-9, 0), (1.46, 1)):
        body = moved("left_ankle", knee + factor * (ankle - knee), 5)
        assert body_integrity(body) == (1 - lost / 12, 1.0)
    many = moved("left_ankle", knee + 1.6 * (ankle - knee), slice(3, 9, 2))
    assert body_integrity(many) == (1 - 1 / 12, 1.0)  # however often
    assert hip[1] < knee[1] < ankle[1]


def test_growing_is_measured_against_the_length_before():
    knee, ankle = STANDING[13], STANDING[15]
    at_once = moved("left_ankle", knee + 1.6 * (ankle - knee), slice(6, None))  # +60 %
    back = moved("left_ankle", knee + 1.6 * (ankle - knee), slice(0, 6))  # −37.5 %
    assert body_integrity(at_once)[0] == 11 / 12
    assert body_integrity(back)[0] == 1.0


def test_a_joint_that_turns_by_more_than_30_degrees_is_abnormal():
    elbow, wrist = STANDING[7], STANDING[9]
    for degrees, normal in ((29.9, 1.0), (30.1, 7 / 8)):
        turn = np.radians(-degrees)  # towards the shoulder: the other way it would pass 180°
        turned = elbow + np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ (wrist - elbow)
        body = moved("left_wrist", turned, slice(6, None))
        assert body_integrity(body) == (1.0, pytest.approx(normal))


def test_points_of_confidence_0_3_are_not_seen():
    body = moved("left_ankle", (300, 300), 5)
    body.confidence[5, POINTS["left_ankle"]] = 0.3
    assert integrity([body], TIMES) == 1.0
    body.confidence[5, POINTS["left_ankle"]] = 0.31
    assert integrity([body], TIMES) < 1.0


@pytest.mark.parametrize(
    ("seen", "limbs", "joints"), [(6, 11 / 12, 7 / 8), (5, 1.0, 7 / 8), (4, 1.0, 7 / 8), (3, 1.0, 1.0)]
)
def test_limbs_must_be_seen_in_half_of_the_frames_and_joints_in_a_third(seen, limbs, joints):
    body = moved("left_ankle", (300, 20), 1)  # far off, and seen in the first few frames alone
    body.confidence[seen:, POINTS["left_ankle"]] = 0.0
    assert body_integrity(body) == (pytest.approx(limbs), pytest.approx(joints))


def test_what_lies_between_unseen_frames_is_compared_all_the_same():
    body = moved("left_ankle", STANDING[13] + 1.6 * (STANDING[15] - STANDING[13]), slice(8, None))
    body.confidence[4:8, POINTS["left_ankle"]] = 0.0
    assert body_integrity(body)[0] == 11 / 12


# One test per switch: what it changes.


def test_d7_what_is_never_seen_is_perfect():
    nobody = Body(np.zeros((FRAMES, 17, 2)), np.zeros((FRAMES, 17)))
    found_out = Switches(failure_is_perfect=False)
    assert integrity([nobody], TIMES) == integrity([], TIMES) == 1.0
    for bodies in ([nobody], []):
        with pytest.raises(NotApplicable, match="no body"):
            integrity(bodies, TIMES, found_out)
    arm = moved("left_wrist", (300, 300), 5)
    arm.confidence[:, [point for name, point in POINTS.items() if name not in ("left_elbow", "left_wrist")]] = 0
    assert body_integrity(arm) == (11 / 12, 1.0)
    assert body_integrity(arm, found_out)[0] == 0.0  # one limb is seen, and it is abnormal


def test_d8_a_fast_limb_breaks_at_8_frames_a_second_and_not_at_24():
    swing = np.radians(np.linspace(0, 100, 3 * FRAMES))  # 2.9° a frame, 8.6° an eighth of a second
    slow, fast = (_swinging(swing * factor) for factor in (1, 4))
    times, in_seconds = np.arange(3 * FRAMES) / 24, Switches(per_frame_thresholds=False)
    assert integrity([fast], times) == 1.0
    assert integrity([fast], times, in_seconds) < 1.0
    assert integrity([slow], times) == integrity([slow], times, in_seconds) == 1.0


def _swinging(turns):
    body = standing(len(turns))
    arm = STANDING[9] - STANDING[7]
    for at, turn in enumerate(turns):
        rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        body.points[at, POINTS["left_wrist"]] = STANDING[7] + rotation @ arm
    return body


def test_d10_two_people_are_taken_for_one():
    near = Body(1.8 * standing().points, np.full((FRAMES, 17), 0.6))
    far = Body(standing().points, np.full((FRAMES, 17), 0.8))
    far.confidence[6:] = 0.5  # from now on the other one is the surest
    assert surest([near, far]).points[[0, -1], 0].tolist() == [[100, 20], [180, 36]]
    assert integrity([near, far], TIMES) == 0.5  # all limbs grow by 80 % at once
    assert integrity([near, far], TIMES, Switches(first_person_only=False)) == 1.0


def test_keypoints_of_other_skeletons_count_by_their_names():
    poses = Poses(FIGURE, np.full((4, len(FIGURE.points), 2), 0.5), np.ones((4, len(FIGURE.points))))
    body = human(poses, (100, 200), 4)
    assert body.points[0, POINTS["left_knee"]].tolist() == [100, 50]
    assert body.confidence[0].sum() == 12  # shoulders, elbows, wrists, hips, knees, ankles
    unseen = Poses(FIGURE, np.full((4, len(FIGURE.points), 2), np.nan), np.ones((4, len(FIGURE.points))))
    assert human(unseen, (100, 200), 4).confidence.sum() == 0
    assert human(poses, (100, 200), 6).confidence[4:].sum() == 0  # frames that the skeleton does not reach
    tail = QUADRUPED._replace(points=("tail",), bones=(), joints=(), mirrored=())
    assert human(Poses(tail, np.zeros((4, 1, 2)), np.ones((4, 1))), (100, 200), 4) is None
