"""How fast things move whatever the camera does: the disc of specs/video.md, section 5."""

import numpy as np
import pytest

from beholder.video.readouts.motion import motion, pace
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
