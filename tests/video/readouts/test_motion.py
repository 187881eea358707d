"""How fast things move whatever the camera does: the disc of specs/video.md, section 5."""

from types import SimpleNamespace

import numpy as np
import pytest

from beholder.core.measure import NotApplicable
from beholder.video.readouts.footage import footage
from beholder.video.readouts.motion import motion, pace
from beholder.video.types import Clip
from video_disc import DIAGONAL, RADIUS, RATE, disc, seen


def found(speed, pan):
    return motion(*seen(disc(speed, pan=pan)))


@pytest.mark.parametrize("pan", [0, 6])
def test_the_speed_of_an_object_is_linear_and_no_matter_of_the_pan(pan):
    """D is about three quarters of the truth at each speed, because flow bleeds over the rim of the disc."""
    shares = [found(speed, pan)[0].speed.mean() / (speed * RATE / DIAGONAL) for speed in (1, 2, 4)]
    assert min(shares) > 0.7
    assert max(shares) < 0.9
    assert max(shares) - min(shares) < 0.08


@pytest.mark.parametrize("pan", [0, 3, 6])
def test_nothing_moves_on_its_own_under_a_pan(pan):
    """0 px/frame: 0 at every pan (the prototype: .006 at 6 px/frame); mean flow follows the camera."""
    moving, tracks = found(0, pan)
    assert moving.speed.max() == 0
    assert tracks == ()
    assert moving.whole.mean() == pytest.approx(pan * RATE / DIAGONAL, rel=0.05, abs=0.001)


def test_the_disc_is_one_track_that_follows_it():
    moving, tracks = found(4, 3)
    assert len(tracks) == 1
    (track,) = tracks
    assert len(track.times) == len(moving.times)
    middle = (track.boxes[:, 0] + track.boxes[:, 2]) / 2
    assert np.diff(middle).mean() * 320 == pytest.approx(1, abs=0.4)  # 4 px of its own less 3 of the camera
    assert track.areas.mean() == pytest.approx(np.pi * RADIUS**2 / (320 * 180), rel=0.5)


def test_left_out_frames_are_steps_at_once():
    """A pan of 2 px a frame, of which two frames are left out after the fourth."""
    _, pairs = seen(disc(0, path=[[-2.0 * t, 0] for t in (0, 1, 2, 3, 6, 7, 8, 9)]))
    assert pace(pairs)[3] == pytest.approx(3, abs=0.1)
    assert pace(pairs)[[0, 1, 5, 6]] == pytest.approx(1, abs=0.1)


def test_a_jolt_that_is_made_up_for_is_no_leap():
    """Found by a review: a camera that pans by 4 px a frame and is jolted by 5 once. Two frames left out are one."""

    def paces(*steps):
        return pace([SimpleNamespace(forward=np.full((64, 64, 2), step, np.float32)) for step in steps])

    assert paces(4, 4, 9, -1, 4, 4)[2] == 1
    assert paces(4, 4, 12, 4, 4, 4)[2] == pytest.approx(3, abs=0.1)


@pytest.mark.parametrize("shape", [(24, 200), (64, 3200)])
def test_a_clip_too_narrow_to_be_analysed_is_not_applicable(shape):
    """The second is large enough as it is, and 6 px high at 320 px of width: DIS would crash."""
    with pytest.raises(NotApplicable, match="are too small: motion is found from 32 px on"):
        footage(Clip(pixels=np.zeros((3, *shape, 3), np.uint8), rate=8.0))
