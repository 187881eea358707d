"""Each kind really does what it says: things vanish, leave, shrink, hide; bones pulse; cameras move."""

import math
from itertools import pairwise

import cv2
import numpy as np
import pytest

from beholder.video.corruptions import pasted
from beholder.video.corruptions.following import camera_path
from beholder.video.corruptions.plans import take
from beholder.video.corruptions.suite import corrupt
from beholder.video.readouts.flow import pair
from beholder.video.scenes.rendering import render
from beholder.video.scenes.writing import write
from beholder.video.skeletons import FIGURE
from beholder.video.types import Clip

SEED = 41
HEIGHT, WIDTH = 99, 175


def change(a, b):
    """Which frames differ."""
    return np.flatnonzero((a.pixels != b.pixels).any((1, 2, 3)))


@pytest.mark.parametrize("kind", ["vanish", "emerge", "teleport"])
def test_unlawful_events_are_sudden_and_nested(clip, kind):
    """Each severity differs from the one below from (or until) one frame on, at five moments."""
    made = [corrupt(clip, kind, s, seed=SEED) for s in range(6)]
    moments = set()
    for lower, higher in pairwise(made):
        frames = change(lower, higher)
        assert (np.diff(frames) == 1).all()
        assert (frames[0] > 2 and frames[-1] == 29) if kind != "emerge" else (frames[0] == 0 and frames[-1] < 27)
        moments.add(frames[-1] if kind == "emerge" else frames[0])
    assert len(moments) == 5


def things(clip, kind, **window):
    return pasted.laid_out(take(clip, kind, SEED), **window)


def test_what_vanishes_was_wholly_in_the_frame_and_seen(clip):
    base = corrupt(clip, "vanish", 0, seed=SEED)
    for severity, thing in enumerate(things(clip, "vanish")):
        frame = math.ceil(thing.moment * 12)
        x, y = thing.place.real, thing.place.imag
        assert thing.radius < x < WIDTH - thing.radius
        assert thing.radius < y < HEIGHT - thing.radius
        lower, higher = (corrupt(clip, "vanish", severity + n, seed=SEED).pixels[frame].astype(int) for n in range(2))
        assert np.abs(lower - higher).sum(-1).max() > 60
    assert (base.pixels != clip.pixels).any()


def areas(made, clip):
    """How many pixels of each frame are not the clip's own."""
    return [(np.abs(a.astype(int) - b).sum(-1) > 30).sum() for a, b in zip(made.pixels, clip.pixels, strict=True)]


def test_what_leaves_goes_through_the_border_and_is_gone(clip):
    made = corrupt(clip, "exit", 5, seed=SEED)
    own = areas(made, clip)
    assert own[-1] == 0
    assert np.diff(own).min() > -0.2 * own[0]  # never all at once
    last = np.flatnonzero(own)[-1]
    y, x = np.nonzero(np.abs(made.pixels[last].astype(int) - clip.pixels[last]).sum(-1) > 30)
    assert min(y.min(), x.min(), HEIGHT - 1 - y.max(), WIDTH - 1 - x.max()) <= 2


def test_what_shrinks_ends_as_nothing(clip):
    own = areas(corrupt(clip, "shrink", 5, seed=SEED), clip)
    assert own[-1] <= 2
    assert np.diff(own).min() > -0.25 * own[0]  # never all at once


def test_occluders_cover_their_thing_and_go_on(clip):
    bare, hidden = (corrupt(clip, "occlusion", s, seed=SEED) for s in (0, 1))
    thing = things(clip, "occlusion")[0]
    frame = round(thing.moment * 12)
    at = thing.at(frame).shift
    covered = np.abs(bare.pixels.astype(int) - hidden.pixels).sum(-1) > 0
    near = np.hypot(*(np.mgrid[:HEIGHT, :WIDTH] - np.array([at.imag, at.real])[:, None, None])) < 0.8 * thing.radius
    assert covered[frame][near].mean() > 0.9
    assert covered[0][near].mean() < 0.5  # the first square sweeps


def test_fades_take_a_third_of_a_second(clip):
    lower, higher = (corrupt(clip, "fade", s, seed=SEED) for s in (0, 1))
    depth = np.abs(lower.pixels.astype(int) - higher.pixels).sum((1, 2, 3))
    start = np.flatnonzero(depth)[0]
    assert depth[start] < 0.35 * depth[start + 4]
    assert (np.diff(depth[start : start + 4]) > 0.1 * depth[start + 4]).all()


def bones(clip):
    """Lengths of the figure's bones in px (T, B), NaN where an end is not seen."""
    body = clip.poses[0]
    at = {name: n for n, name in enumerate(FIGURE.points)}
    points = body.points * np.array(clip.pixels.shape[2:0:-1])
    return np.stack([np.linalg.norm(points[:, at[a]] - points[:, at[b]], axis=-1) for a, b in FIGURE.bones], axis=1)


def test_two_bones_stretch_and_the_others_do_not(clip):
    for severity in (0, 2, 5):
        lengths = bones(corrupt(clip, "limb_stretch", severity, seed=SEED))
        spread = (np.nanmax(lengths, 0) - np.nanmin(lengths, 0)) / np.nanmean(lengths, 0) / 2
        assert np.count_nonzero(spread > 0.001) == 2 * bool(severity)
        assert spread.max() == pytest.approx(0.08 * severity, rel=0.1)


def test_fast_limbs_are_the_same_figure_sound_and_faster(clip):
    sound, fast = corrupt(clip, "limb_stretch", 0, seed=SEED), corrupt(clip, "fast_limbs", 5, seed=SEED)
    lengths = bones(fast)
    assert np.ptp(lengths, axis=0).max() < 1e-6
    assert np.allclose(lengths, bones(sound))
    speeds = [np.nanmean(np.abs(np.diff(c.poses[0].points, axis=0))) for c in (sound, fast)]
    assert speeds[1] > 1.5 * speeds[0]


def test_a_wobble_stays_in_its_ellipse(clip):
    made = corrupt(clip, "wobble", 5, seed=SEED)
    touched = (made.pixels != clip.pixels).any((0, 3))
    assert 0.03 < touched.mean() < 0.3


@pytest.mark.parametrize(("kind", "rate"), [("pan", 5 * 1.2 * 12 / 367), ("zoom", 0.25), ("roll", 15.0)])
def test_added_cameras_move_as_they_say(kind, rate):
    """On a still picture, in mid-clip, where the camera is under way."""
    still = np.repeat(render(write(2, "alone").script, rate=12, seconds=0.1, size=(180, 320)).pixels[:1], 30, axis=0)
    clip = Clip(still, rate=12.0)
    for severity, expected in ((0, 0.0), (5, rate)):
        made = corrupt(clip, kind, severity, seed=SEED)
        grey = [cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY) for frame in made.pixels[14:16]]
        homography = pair(*grey).homography
        points = np.array([[[159.5, 89.5]], [[169.5, 89.5]]])
        moved = cv2.perspectiveTransform(points, homography)
        turn = complex(*(moved[1, 0] - moved[0, 0])) / 10
        found = {
            "pan": np.linalg.norm(moved[0] - points[0]) / math.hypot(180, 320) * 12,
            "zoom": abs(math.log(abs(turn))) * 12,
            "roll": abs(math.degrees(math.atan2(turn.imag, turn.real))) * 12,
        }[kind]
        assert found == pytest.approx(expected, rel=0.12, abs=0.02 * rate)


def test_keypoints_go_with_an_added_camera(clip):
    """A body's points move in the picture as the picture does: at severity 0 they are merely enlarged."""
    made = corrupt(clip, "jitter", 0, seed=SEED)
    seen = ~np.isnan(made.poses[0].points[..., 0])
    ratio = (made.poses[0].points[seen] - 0.5) / (clip.poses[0].points[seen] - 0.5)
    assert np.ptp(ratio[np.abs(ratio) < 10]) < 1e-6
    assert np.median(ratio) == pytest.approx(1 / (1 - 2 * 2.15 * 0.03))


def test_a_faster_thing_moves_faster(clip):
    """Differences to the clip without it: where its middle is, frame by frame."""

    def speed(severity):
        made = corrupt(clip, "speed_change", severity, seed=SEED)
        where = [np.argwhere((a != b).any(-1)).mean(0) for a, b in zip(made.pixels, clip.pixels, strict=True)]
        own = np.diff(where, axis=0) - np.diff([[s.shift.imag, s.shift.real] for s in camera_path(clip)], axis=0)
        return np.linalg.norm(own, axis=1).mean()

    slow, fast = speed(0), speed(5)
    assert fast / slow == pytest.approx(4, rel=0.25)


def test_what_is_pasted_follows_the_camera():
    clip = render(write(3, "alone", "pan").script, rate=12.0, seconds=2.0, size=(180, 320))
    camera = write(3, "alone", "pan").script.camera
    path = camera_path(clip)
    drift = (path[-1].shift - path[0].shift) / math.hypot(180, 320) / (23 / 12)
    assert abs(drift - camera.pan) < 0.01


def test_it_is_the_same_fault_at_twice_the_rate_and_size():
    script = write(8, "crossing").script
    small = render(script, rate=12.0, seconds=2.5, size=(90, 160))
    large = render(script, rate=24.0, seconds=2.5, size=(180, 320))
    whens = [[thing.moment for thing in things(c, "vanish")] for c in (small, large)]
    assert whens[0] == pytest.approx(whens[1], abs=0.1)
    places = [[t.place / c.pixels.shape[1] for t in things(c, "vanish")] for c in (small, large)]
    assert np.abs(np.subtract(*places)).max() < 0.05
