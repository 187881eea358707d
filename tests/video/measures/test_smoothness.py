"""Motion smoothness, judder and jerk on series made by hand."""

from dataclasses import replace

import numpy as np
import pytest

from beholder.core.measure import NotApplicable
from beholder.video.measures.smoothness import drops, events_of, hiccups, jerk, jerks, judder, motion_smoothness
from beholder.video.uneventful import uneventful, with_change, with_pan, with_quality

RATES = pytest.mark.parametrize("rate", [8.0, 12.0, 24.0])


def clip(rate, seconds=4):
    return uneventful(int(rate * seconds), rate)


def stepped(rate, at=(2.0,), lasts=0.5, depth=2.0):
    """A clip of 4 s whose quality falls at some times and comes back."""
    own = clip(rate)
    poor = np.any([(own.facts.times >= s - 1e-9) & (own.facts.times < s + lasts - 1e-9) for s in at], axis=0)
    return with_quality(own, 3.0 - depth * poor)


@RATES
def test_a_drop_costs_an_eighth_of_a_second_at_any_rate(rate):
    """The paper's formula at 8 frames/s: 1 − 1/32."""
    assert motion_smoothness(stepped(rate), None).value == pytest.approx(1 - 1 / 32)
    assert motion_smoothness(stepped(rate, at=(1.0, 2.0, 3.0)), None).value == pytest.approx(1 - 3 / 32)


def test_at_eight_frames_a_second_it_is_the_papers_formula():
    """Clear drops: MSS = 1 − (1/T) Σ I(Q(f_{t−1}) − Q(f_t) > τ)."""
    own = clip(8.0)
    quality = np.where(np.arange(32) % 11 == 5, 1.0, 3.0)
    expected = 1 - np.sum(-np.diff(quality) > 0.1) / 32
    assert motion_smoothness(with_quality(own, quality), None).value == pytest.approx(expected)


def test_only_drops_count():
    """VMBench's released script counts gains, too (defect D9)."""
    rising = with_quality(clip(8.0), np.repeat([1.0, 3.0], 16))
    assert motion_smoothness(rising, None).value == 1


def test_noise_of_the_clip_raises_the_threshold():
    rng = np.random.default_rng(1)
    restless = with_quality(clip(12.0), rng.normal(0, 0.2, 48))
    found = motion_smoothness(restless, None)
    assert found.value > 0.98
    assert found.parts["tau"] > 0.6


def test_many_drops_do_not_pass_for_noise():
    """Eight bursts of 1/8 s in 4 s: half of all changes over 1/8 s are faults, and yet each burst counts fully."""
    rng = np.random.default_rng(3)
    poor = np.arange(96) % 12 >= 9
    found = motion_smoothness(with_quality(clip(24.0), rng.normal(0, 0.05, 96) - 0.8 * poor), None)
    assert found.value == pytest.approx(1 - 8 / 32, abs=0.01)


def test_blur_in_every_third_frame_is_no_noise():
    """Found by a review: two of three changes are faults then, and would excuse one another."""
    found = motion_smoothness(with_quality(clip(8.0), -5.0 * (np.arange(32) % 3 == 2)), None)
    assert found.value == pytest.approx(1 - 10 / 32)
    assert found.parts["tau_most"] == 1.5


def test_repeated_frames_do_not_blind_it():
    """Every second frame is a copy: were its change of 0 counted, the clip would seem to have no noise of its own."""
    rng = np.random.default_rng(2)
    noisy = with_quality(clip(12.0), rng.normal(0, 0.1, 48))
    doubled = np.repeat(noisy.frames.sharpness[:24], 2)
    twice = with_change(with_quality(noisy, doubled), np.tile([0.0, 4.0], 24))
    assert motion_smoothness(twice, None).value > 0.98
    fallen = doubled - 2 * (np.arange(48) // 12 == 2)
    assert motion_smoothness(with_quality(twice, fallen), None).value < 0.98


def test_a_drop_of_detail_alone_counts():
    own = clip(8.0)
    poor = np.where((own.facts.times >= 2) & (own.facts.times < 3), -0.7, -0.2)
    crushed = replace(own, frames=replace(own.frames, extra={"detail": poor}))
    assert motion_smoothness(crushed, None).value == pytest.approx(1 - 1 / 32)


def test_another_shot_may_be_less_sharp():
    own = stepped(8.0)
    cut = replace(own, coherence=replace(own.coherence, shot_cuts=(2.0,)))
    found = motion_smoothness(cut, None)
    assert (found.value, found.parts["cuts"]) == (1, 1)
    assert [event.why for event in drops(cut)] == ["shot cut"]


def test_thresholds_can_be_set_and_are_told():
    own = stepped(8.0, depth=0.3)
    assert motion_smoothness(own, None).value < 1
    found = motion_smoothness(own, None, drop=0.5)
    assert found.value == 1
    assert found.parts["tau_least"] > 0.5


def test_drops_are_told_with_their_time():
    (event,) = drops(stepped(24.0))
    assert (event.kind, event.start) == ("quality_drop", pytest.approx(2.0, abs=0.1))


@pytest.mark.parametrize("measure", [motion_smoothness, judder, jerk])
def test_an_assumed_rate_and_a_broken_file_are_doubtful(measure):
    own = clip(8.0)
    guessed = replace(own, facts=replace(own.facts, clock="assumed"))
    assert measure(own, None).state == "ok"
    assert (measure(guessed, None).state, "assumed" in measure(guessed, None).reason) == ("low", True)
    broken = replace(own, facts=replace(own.facts, ends_early="the file cannot be decoded beyond frame 31"))
    assert "beyond frame 31" in measure(broken, None).reason


@pytest.mark.parametrize("measure", [motion_smoothness, judder, jerk])
def test_two_frames_are_too_few(measure):
    with pytest.raises(NotApplicable):
        measure(uneventful(2), None)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.6])
def test_judder_is_the_share_of_time_that_repeats_take(share):
    """The reference is a high percentile: a median would be 0 at 0.6 (specs/video.md 5)."""
    rng = np.random.default_rng(3)
    change = rng.uniform(3, 6, 200) * (rng.random(200) > share)
    change[0] = 0
    own = with_change(uneventful(200, 12.0), change)
    assert 1 - judder(own, None).value == pytest.approx(np.mean(change[1:] == 0), abs=0.01)


def test_a_doubled_clip_is_slower_not_stuttering():
    change = np.tile([0.0, 4.0], 24)
    change[0] = 0
    found = judder(with_change(clip(12.0), change), None)
    assert (found.value, found.parts["cadence"]) == (1, pytest.approx(2 / 12))


def test_a_doubled_clip_may_stutter():
    change = np.tile([0.0, 4.0], 24)
    change[25] = 0  # one picture stays for four frames
    found = judder(with_change(clip(12.0), change), None)
    assert found.value == pytest.approx(1 - 2 / 48)


def test_a_subject_that_rests_does_not_stutter():
    """Two seconds of motion, two of sensor noise: less than 0.12 of what it was, but steady."""
    rng = np.random.default_rng(4)
    change = np.concatenate([rng.uniform(6, 8, 24), rng.uniform(0.3, 0.5, 24)])
    assert judder(with_change(clip(12.0), change), None).value > 0.95


def test_motion_may_come_to_rest():
    """In a clip without noise: at rest, speeding up, panning, slowing down, at rest for a while, and so once more."""
    ramp = np.linspace(0.5, 5, 10)
    change = np.concatenate([np.zeros(12), ramp, np.full(12, 5.0), ramp[::-1], np.zeros(12), ramp, ramp[::-1]])
    own = with_change(uneventful(len(change), 12.0), change)
    assert judder(own, None).value > 0.97


def test_a_long_freeze_is_seen():
    change = np.full(96, 5.0)
    change[30:70] = 0.0
    found = judder(with_change(uneventful(96, 12.0), change), None)
    assert found.value == pytest.approx(1 - 40 / 96, abs=0.01)


def skipping(pace, spike):
    """A clip of 4 s in which one pair makes several steps at once, and differs more than others."""
    own = clip(12.0)
    paces, change = np.ones(47), np.full(48, 4.0)
    paces[20], change[21] = pace, spike
    return with_change(replace(own, motion=replace(own.motion, pace=paces)), change)


def test_frames_that_are_left_out_cost_the_time_they_would_have_taken():
    found = judder(skipping(3.0, 7.0), None)
    assert (found.value, found.parts["skips"]) == (pytest.approx(1 - 2 / 48), 1)
    assert hiccups(skipping(3.0, 7.0))[0].start == pytest.approx(21 / 12)


@pytest.mark.parametrize(("pace", "spike"), [(1.5, 7.0), (3.0, 4.0)])
def test_a_swing_or_a_slip_of_the_flow_is_no_skip(pace, spike):
    assert judder(skipping(pace, spike), None).value == 1


def test_a_step_that_makes_up_for_a_repeat_is_no_skip():
    own = skipping(3.0, 7.0)
    change = own.frames.difference.copy()
    change[20] = 0.0
    assert judder(with_change(own, change), None).parts["skips"] == 0


def test_a_still_picture_cannot_stutter():
    with pytest.raises(NotApplicable, match="hardly differ"):
        judder(with_change(clip(8.0), np.zeros(32)), None)


def shaken(pixels, *, rate=12.0, seed=5):
    """A camera that pans, sways like a hand (1 Hz, 6 px of 320), and jitters."""
    own = clip(rate)
    t = own.facts.times
    path = np.column_stack([40 * t + 6 * np.sin(2 * np.pi * t), 6 * np.cos(2 * np.pi * t)])
    jitter = np.random.default_rng(seed).normal(0, 1, (len(t), 2))
    return with_pan(own, (path + pixels * jitter) / 367)


def test_a_hand_is_no_jerk_and_jitter_is():
    scores = [jerk(shaken(px), None).value for px in (0, 1, 3, 5, 7, 9)]
    assert scores[0] > 0.95
    assert all(np.diff(scores) < 0)
    assert scores[-1] < 0.35
    assert jerks(shaken(0)) == ()
    assert len(jerks(shaken(9))) > 20


@RATES
def test_jitter_costs_much_the_same_at_any_rate(rate):
    assert jerk(shaken(3, rate=rate), None).value == pytest.approx(0.46, abs=0.08)


def test_repeats_are_no_jerks():
    """A picture that stays while the camera pans is judder."""
    own = clip(12.0)
    places = 0.02 * np.arange(48)
    fresh = np.arange(48) % 5 != 3
    held = places[np.maximum.accumulate(np.where(fresh, np.arange(48), 0))]
    found = with_change(with_pan(own, np.column_stack([held, 0 * held])), np.where(fresh, 4.0, 0.0))
    assert jerk(found, None).value > 0.99
    assert judder(found, None).value < 0.85


def test_a_cut_is_no_jerk():
    own = clip(12.0)
    places = np.column_stack([np.where(np.arange(48) < 24, 0.0, 0.3), np.zeros(48)])
    jump = with_pan(own, places)
    assert jerk(jump, None).value < 1
    cut = replace(jump, coherence=replace(jump.coherence, shot_cuts=(2.0,)))
    assert jerk(cut, None).value == 1


def test_a_subject_that_fills_the_frame_may_jump():
    """Only a fifth of the frame goes along: not the camera."""
    wild = shaken(9)
    assert jerk(replace(wild, camera=replace(wild.camera, together=np.full(47, 0.2))), None).value == 1


def test_all_events_stand_in_one_list_by_time():
    change = np.full(48, 4.0)
    change[12] = 0
    own = with_change(stepped(12.0, at=(3.0,)), change)
    assert [event.kind for event in events_of(own)] == ["judder", "quality_drop"]
    (late,) = hiccups(own)
    assert (late.start, late.end) == (pytest.approx(1.0), pytest.approx(13 / 12))
