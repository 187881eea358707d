"""OIS of evidence made by hand: the formula, what is left out, and what is said of doubtful clips."""

import numpy as np
import pytest

from beholder.core.measure import NotApplicable
from beholder.video.evidence import Camera, Coherence, Deformation, Evidence, Facts, Frames, Motion
from beholder.video.measures.integrity import object_integrity
from beholder.video.types import Poses, Skeleton

NONE = np.empty(0)
LADDER = Skeleton(
    "ladder", tuple("abcdefgh"), (("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "f"), ("f", "g"), ("g", "h")),
    (("a", "b", "c"),),
)  # fmt: skip


def evidence(*, oscillation=(0.0, 0.0), restless=(0.0, 0.0), bending=0.0, reliable=0.8, poses=(), frames=24, rate=12.0):
    times = np.arange(frames) / rate
    facts = Facts(times, frames / rate, "given", (180, 320), (180, 320))
    still = np.zeros(frames - 1)
    camera = Camera(times[1:], still + 1 / rate, np.zeros((frames - 1, 2)), still, still, still, NONE)
    shape = Deformation(
        np.arange(len(oscillation)) / 6,
        np.array(oscillation),
        np.array(restless),
        np.full(len(restless), bending),
        reliable,
        (),
    )
    return Evidence(
        facts, Frames(still, still, still, {}), camera, Motion(times[1:], still, still, still), (),
        Coherence((), (), 1.0, 2.0, frames), shape, poses,
    )  # fmt: skip


def ladder(frames=24, rate=12.0, pulse=0.0):
    """Points one below the other; the last bone pulses."""
    y = np.repeat(np.arange(8)[None] * 0.1 + 0.1, frames, axis=0)
    y[:, -1] += 0.1 * pulse * np.sin(2 * np.pi * np.arange(frames) / rate)
    points = np.stack([np.full_like(y, 0.5), y], axis=-1)
    return Poses(LADDER, points, np.ones((frames, 8)))


def test_a_clip_without_a_fault_scores_one():
    found = object_integrity(evidence(), None)
    assert found.value == 1
    assert found.state == "ok"


def test_oscillation_beyond_the_usual_costs():
    """⟨max(0, O − 0.01)⟩ = 0.025, half of 0.05."""
    found = object_integrity(evidence(oscillation=(0.06, 0.0)), None)
    assert found.value == pytest.approx(np.exp(-0.5))
    assert found.parts["flagged"] == 0.5
    assert object_integrity(evidence(oscillation=(0.01, 0.001)), None).value == 1


def test_without_a_skeleton_nobody_can_say_whether_a_limb_stretches():
    parts = object_integrity(evidence(), None).parts
    assert all(np.isnan(parts[name]) for name in ("limbs", "bones", "joints", "constancy"))


def test_limbs_and_wobble_both_count():
    found = object_integrity(evidence(oscillation=(0.06, 0.0), poses=(ladder(pulse=0.4),)), None)
    assert found.parts["limbs"] < 1
    assert found.value == pytest.approx(found.parts["limbs"] * np.exp(-0.5))
    assert found.parts["tau_stretch"] == pytest.approx(8 * 0.37)  # per second
    assert found.parts["tau_turn"] == pytest.approx(8 * 30)
    assert found.parts["tau_spread"] == 0.05


def test_thresholds_can_be_set():
    pulsing = evidence(poses=(ladder(pulse=0.3),))
    assert object_integrity(pulsing, None).value < object_integrity(pulsing, None, spread=0.6).value == 1


def test_all_bodies_count_by_what_is_seen_of_them():
    one = object_integrity(evidence(poses=(ladder(pulse=0.4),)), None).parts["limbs"]
    two = object_integrity(evidence(poses=(ladder(pulse=0.4), ladder())), None).parts["limbs"]
    assert two == pytest.approx((1 + one) / 2)


def test_restless_clips_are_doubtful():
    found = object_integrity(evidence(restless=(0.2, 0.1)), None)
    assert found.state == "low"
    assert "cloth" in found.reason
    assert found.value == 1


def test_bending_alone_costs_little():
    assert object_integrity(evidence(bending=0.4), None).value == pytest.approx(np.exp(-0.02))


def test_too_little_to_see():
    with pytest.raises(NotApplicable, match="trustworthy"):
        object_integrity(evidence(reliable=0.05), None)
    with pytest.raises(NotApplicable, match="10 analysed frames at 12 a second"):
        object_integrity(evidence(oscillation=(), restless=(), frames=10), None)


def test_a_skeleton_suffices_where_wobble_cannot_be_seen():
    found = object_integrity(evidence(oscillation=(), restless=(), frames=10, poses=(ladder(10),)), None)
    assert found.value == 1
    assert np.isnan(found.parts["wobble"])
