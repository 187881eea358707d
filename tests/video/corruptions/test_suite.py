"""The corruption suite: seeded, nested, and each kind really does what it says."""

import collections
from itertools import pairwise

import cv2
import numpy as np
import pytest

from beholder.errors import NotFound
from beholder.video.corruptions.kinds import CONTROLS, EVERY, HARD, KINDS
from beholder.video.corruptions.suite import corrupt
from beholder.video.readouts.flow import pair
from beholder.video.scenes.rendering import render
from beholder.video.scenes.writing import write
from beholder.video.types import Clip

SEED = 41
HEIGHT, WIDTH = 99, 175
AS_BEFORE = ("blur_burst", "repeats", "flicker", "noise", "compression", "wobble", "reverse", "shuffle", "painted_out")
PASTED = ("vanish", "emerge", "teleport", "exit", "shrink", "occlusion", "fade", "small", "half_transparent")


@pytest.fixture(scope="module")
def tiny():
    """Small enough for every kind at every severity."""
    return render(write(2, "walk", "hand_held").script, rate=12.0, seconds=2.0, size=(54, 97))


def change(a, b):
    """Which frames differ."""
    return np.flatnonzero((a.pixels != b.pixels).any((1, 2, 3)))


def test_the_map_is_the_one_that_was_committed():
    assert len(KINDS) == 21
    assert [name for name, kind in KINDS.items() if kind.gated] == [
        *("blur_burst", "repeats", "jitter", "vanish", "emerge", "teleport", "exit", "shrink", "occlusion"),
        *("limb_stretch", "wobble", "pan"),
    ]
    told = collections.Counter((kind.target, kind.expected) for kind in KINDS.values())
    assert told == {
        ("motion_smoothness", "falls"): 2,
        ("judder", "falls"): 3,
        ("jerk", "falls"): 1,
        ("temporal_coherence", "falls"): 3,
        ("temporal_coherence", "stays"): 3,
        ("object_integrity", "falls"): 2,
        ("perceptible_amplitude", "rises"): 1,
        ("perceptible_amplitude", "stays"): 3,
        ("", "none"): 3,
    }
    assert not set(KINDS) & {*HARD, *CONTROLS}


@pytest.mark.parametrize("kind", EVERY)
def test_it_is_the_same_each_time_and_leaves_the_clip_alone(tiny, kind):
    clip = tiny
    before = clip.pixels.copy()
    first, second = (corrupt(clip, kind, 3, seed=SEED) for _ in range(2))
    assert np.array_equal(clip.pixels, before)
    assert np.array_equal(first.pixels, second.pixels)
    assert first.pixels.dtype == np.uint8
    assert first.pixels.shape[1:] == clip.pixels.shape[1:]
    assert first.rate == clip.rate
    assert all(len(body.points) == len(first.pixels) for body in first.poses)
    other = corrupt(clip, kind, 3, seed=SEED + 1)
    if kind != "reverse":  # which has nothing random
        assert other.pixels.shape != first.pixels.shape or (other.pixels != first.pixels).any()


@pytest.mark.parametrize("kind", AS_BEFORE)
def test_severity_0_is_the_clip_itself(clip, kind):
    assert np.array_equal(corrupt(clip, kind, 0, seed=SEED).pixels, clip.pixels)


@pytest.mark.parametrize("kind", EVERY)
def test_every_severity_changes_the_clip(tiny, kind):
    made = [corrupt(tiny, kind, s, seed=SEED) for s in range(6)]
    assert len({m.pixels.shape for m in made}) == 1
    steps = [len(change(a, b)) for a, b in pairwise(made)]
    # A frame's chance to repeat may not come up between two severities of so short a clip.
    assert min(steps) > 0 or kind == "repeats"


@pytest.mark.parametrize("kind", ["blur_burst", "compression"])
def test_bursts_are_nested_and_apart(clip, kind):
    touched = [set(change(clip, corrupt(clip, kind, s, seed=SEED))) for s in range(6)]
    for lower, higher in pairwise(touched):
        assert lower < higher
    runs = np.split(sorted(touched[5]), np.flatnonzero(np.diff(sorted(touched[5])) > 1) + 1)
    assert len(runs) == 5


def test_repeats_are_nested(clip):
    same = [
        {n for n in range(1, 30) if np.array_equal(made.pixels[n], made.pixels[n - 1])}
        for made in (corrupt(clip, "repeats", s, seed=SEED) for s in range(6))
    ]
    assert all(lower <= higher for lower, higher in pairwise(same))
    assert len(same[5]) == pytest.approx(0.6 * 29, abs=8)


def index(clip, frame):
    """Which frame of the clip this is."""
    return int(np.argmin(np.abs(clip.pixels.astype(int) - frame).mean((1, 2, 3))))


def test_drops_leave_frames_out_and_stay_as_long(clip):
    orders = [[index(clip, frame) for frame in corrupt(clip, "drops", s, seed=SEED).pixels] for s in range(6)]
    assert orders[0] == list(range(len(orders[0])))
    assert len(orders[0]) >= 20
    for severity, order in enumerate(orders):
        assert np.count_nonzero(np.diff(order) > 1) == severity
        assert min(np.diff(order)) == 1


def test_shuffle_keeps_every_frame(clip):
    order = [index(clip, frame) for frame in corrupt(clip, "shuffle", 5, seed=SEED).pixels]
    assert sorted(order) == list(range(30))
    assert np.count_nonzero(np.diff(order) < 0) == 5


def test_reverse_turns_without_a_jump(clip):
    order = [index(clip, frame) for frame in corrupt(clip, "reverse", 5, seed=SEED).pixels]
    assert max(abs(np.diff(order))) <= 1
    assert order[0] == order[-1] == 0


def test_jitter_grows_with_severity(clip):
    def steps(severity):
        made = corrupt(clip, "jitter", severity, seed=SEED)
        grey = [cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY) for frame in made.pixels[:8]]
        middle = np.array([[[87.0, 49.0]]])
        homographies = [pair(a, b).homography for a, b in pairwise(grey)]
        return np.mean([np.linalg.norm(cv2.perspectiveTransform(middle, h) - middle) for h in homographies])

    assert steps(0) < 1 < steps(1) < steps(3) < steps(5)


@pytest.mark.parametrize("kind", EVERY)
def test_odd_sizes_short_clips_and_unknown_rates(kind):
    rng = np.random.default_rng(0)
    clip = Clip(rng.integers(0, 255, (9, 61, 83, 3), np.uint8))
    assert corrupt(clip, kind, 5, seed=1).pixels.shape[1:] == (61, 83, 3)


def test_misuse_is_told(clip, tmp_path):
    with pytest.raises(NotFound, match="vanish"):
        corrupt(clip, "vanishes", 1, seed=0)
    with pytest.raises(ValueError, match="0 to 5"):
        corrupt(clip, "vanish", 6, seed=0)
    with pytest.raises(ValueError, match="memory"):
        corrupt(Clip(path=tmp_path / "a.mp4"), "vanish", 1, seed=0)
