"""Bodies as sticks whose motion is known: what is sound stays sound, what is broken is found where it is broken."""

import numpy as np
import pytest

from beholder.video.corruptions.suite import corrupt
from beholder.video.evidence import Facts
from beholder.video.readouts.identity import Found, followed, likeness, same
from beholder.video.readouts.keypoints import Limits, body, events, intact
from beholder.video.skeletons import FIGURE, QUADRUPED
from beholder.video.types import Clip, Poses

SHAPE = (180, 320)
HOME = {
    "head": (0, -80), "neck": (0, -60), "pelvis": (0, 0),
    "left_shoulder": (-5, -55), "right_shoulder": (5, -55), "left_hip": (-4, 0), "right_hip": (4, 0),
}  # fmt: skip
LIMBS = {
    "left_elbow": ("left_shoulder", 26), "right_elbow": ("right_shoulder", 26),
    "left_wrist": ("left_elbow", 24), "right_wrist": ("right_elbow", 24),
    "left_knee": ("left_hip", 34), "right_knee": ("right_hip", 34),
    "left_ankle": ("left_knee", 32), "right_ankle": ("right_knee", 32),
}  # fmt: skip


def walker(*, rate=24.0, seconds=2.5, speed=1.0, stretch=None, turn=None, zoom=0.0, noise=0.0):
    """A walking stick figure. `stretch` and `turn` map a point to t → factor of its bone, t → degrees added."""
    times = np.arange(round(rate * seconds)) / rate
    stretch, turn = stretch or {}, turn or {}
    points = np.empty((len(times), len(FIGURE.points), 2))
    for f, t in enumerate(times):
        at = {name: np.array(place, float) for name, place in HOME.items()}
        for n, (name, (start, length)) in enumerate(LIMBS.items()):
            swing = 30 * np.sin(2 * np.pi * 0.8 * speed * t + np.pi * (n % 2) + n // 2) + turn.get(name, lambda t: 0.0)(
                t
            )
            long = length * stretch.get(name, lambda t: 1.0)(t)
            at[name] = at[start] + long * np.array([np.sin(np.radians(swing)), np.cos(np.radians(swing))])
        points[f] = [at[name] * np.exp(zoom * t) for name in FIGURE.points]
    points += np.random.default_rng(1).normal(0, noise, points.shape)
    places = (points / 2 + (160, 90)) / (SHAPE[1], SHAPE[0])
    facts = Facts(times, seconds, "given", SHAPE, SHAPE)
    return Poses(FIGURE, places, np.ones(places.shape[:2])), facts


def score(poses, facts, **limits):
    return np.nanmean(intact(poses, facts, Limits(**limits)).every)


def pulse(severity):
    return {"left_wrist": lambda t: 1 + 0.08 * severity * np.sin(2 * np.pi * t / 1.1)}


def test_a_sound_body_is_sound_however_fast_it_moves_and_however_near_it_comes():
    assert score(*walker()) == 1
    assert score(*walker(speed=2.5)) == 1
    assert score(*walker(zoom=0.4)) == 1
    assert np.ptp(body(*walker(zoom=0.4)).lengths, axis=0).max() < 1e-9


@pytest.mark.parametrize("rate", [8, 12, 24])
def test_a_bone_that_pulses_costs_more_the_more_it_pulses_and_more_than_quick_limbs(rate):
    scores = [score(*walker(rate=rate, stretch=pulse(severity))) for severity in range(6)]
    assert scores[0] == 1
    assert (np.diff(scores) < 0).all()
    assert scores[5] < score(*walker(rate=rate, speed=2.5)) - 0.02


def test_a_pulse_costs_the_same_at_any_rate():
    scores = [score(*walker(rate=rate, seconds=5, stretch=pulse(4))) for rate in (8, 12, 24)]
    assert np.ptp(scores) < 0.01


def test_events_tell_when_and_where_a_bone_was_broken():
    longer = {"right_ankle": lambda t: 1.6 if 1.0 <= t < 1.3 else 1.0}
    poses, facts = walker(stretch=longer)
    found = list(events(poses, facts))
    assert found
    assert {one.kind for one in found} == {"bone"}
    assert all(0.95 < one.start < one.end < 1.4 for one in found)
    knee, ankle = (poses.points[27, FIGURE.points.index(name)] for name in ("right_knee", "right_ankle"))
    left, top, right, bottom = found[0].box
    assert (
        (np.minimum(knee, ankle) >= (left - 1e-9, top - 1e-9))
        & (np.maximum(knee, ankle) <= (right + 0.02, bottom + 0.02))
    ).all()


def test_a_joint_that_jumps_is_broken_and_one_that_sweeps_is_not():
    jump = intact(*walker(turn={"left_elbow": lambda t: 70.0 * (t >= 1.0)}))
    assert (jump.joints == 0).sum() == 1  # the elbow, once
    sweep = intact(*walker(turn={"left_wrist": lambda t: 500.0 * max(t - 1, 0)}))
    assert np.nanmin(sweep.joints[5:-5]) == 1


def test_limits_can_be_set():
    jump = walker(turn={"left_wrist": lambda t: 70.0 * (t >= 1.0)})
    assert score(*jump) < score(*jump, turn=300.0) == 1


def test_what_is_not_sure_is_not_seen():
    poses, facts = walker()
    unsure = poses.confidence.copy()
    unsure[:10, FIGURE.points.index("head")] = 0.3
    found = body(Poses(FIGURE, poses.points, unsure), facts)
    assert np.isnan(found.lengths[:10, 0]).all()
    assert not np.isnan(found.lengths[10:, 0]).any()
    unsure[:40, FIGURE.points.index("head")] = 0.3  # of 60 frames: seen too rarely to be judged
    assert np.isnan(body(Poses(FIGURE, poses.points, unsure), facts).lengths[:, 0]).all()


def test_keypoints_that_jitter_are_no_broken_bones():
    assert score(*walker(noise=0.5)) > 0.99  # 2 % of a forearm


def test_a_limb_much_longer_than_its_twin_is_broken_all_the_time():
    found = intact(*walker(stretch={"left_ankle": lambda t: 2.1}))
    shin = FIGURE.bones.index(("left_knee", "left_ankle"))
    assert (found.proportion[:, shin] == 0).all()
    assert np.delete(found.proportion, shin, axis=1).min() == 1


def test_any_skeleton_will_do():
    places = [(0.1 + 0.8 * (k % 4) / 4, 0.1 + 0.2 * (k // 4)) for k in range(len(QUADRUPED.points))]
    still = np.broadcast_to(places, (24, len(QUADRUPED.points), 2)).copy()
    facts = Facts(np.arange(24) / 12, 2.0, "given", SHAPE, SHAPE)
    found = intact(Poses(QUADRUPED, still, np.ones(still.shape[:2])), facts)
    assert found.constancy.min() == found.steps.min() == found.joints.min() == 1


def _stick(x, y=0.5, size=0.2):
    points = np.array([[x, y - size], [x - size / 3, y], [x + size / 3, y], [x, y + size]])
    return Found(points, np.ones(4))


def test_bodies_that_pass_each_other_keep_their_names():
    ways = [(0.2 + 0.6 * k / 24, 0.8 - 0.6 * k / 24) for k in range(25)]
    frames = [[_stick(a, 0.4), _stick(b, 0.6)][:: 1 if k % 2 else -1] for k, (a, b) in enumerate(ways)]
    four = FIGURE._replace(points=("a", "b", "c", "d"), bones=(), joints=(), mirrored=())
    found = followed(frames, four)
    assert len(found) == 2
    ends = sorted((round(p.points[0, 0, 0], 2), round(p.points[-1, 0, 0], 2)) for p in found)
    assert ends == [(0.2, 0.8), (0.8, 0.2)]


def test_a_body_found_twice_is_one_and_a_passer_by_is_none():
    assert same(_stick(0.5), _stick(0.51))
    assert not same(_stick(0.3), _stick(0.7))
    assert likeness(_stick(0.3), _stick(0.9)) < 0.05
    four = FIGURE._replace(points=("a", "b", "c", "d"), bones=(), joints=(), mirrored=())
    found = followed([[_stick(0.3)] + [_stick(0.8)] * (k == 7) for k in range(20)], four)
    assert len(found) == 1
    assert not np.isnan(found[0].points).any()


def test_the_suite_s_stretch_is_ranked_and_its_quick_limbs_cost_nothing():
    """The promise of the domain: within-clip ρ ≤ −0.85, and the control costs less than the worst stretch."""
    still = np.random.default_rng(4).integers(0, 255, (30, 64, 112, 3), dtype=np.uint8)
    facts = Facts(np.arange(30) / 12, 2.5, "given", (64, 112), (64, 112))
    clip = Clip(pixels=np.repeat(still[:1], 30, axis=0), rate=12.0)

    def scores(kind, severities):
        made = [corrupt(clip, kind, severity, seed=4001) for severity in severities]
        return [score(*one.poses, facts) for one in made]

    stretched = scores("limb_stretch", range(6))
    assert (np.diff(stretched) < 0).all()
    assert min(scores("fast_limbs", (0, 5))) > stretched[1]
