"""The camera, read from homographies whose motion is known."""

from dataclasses import replace

import numpy as np
import pytest

from beholder.video.readouts.camera import at_point, camera, in_step, magnification, rotation
from beholder.video.readouts.flow import Pair
from video_disc import DIAGONAL, RATE, disc, seen

CENTRE = np.array([159.5, 89.5])


def about_centre(matrix):
    """The homography that applies a 2 × 2 matrix about the centre of the frame."""
    found = np.eye(3)
    found[:2, :2], found[:2, 2] = matrix, CENTRE - matrix @ CENTRE
    return found[None]


def test_a_pan_is_told_in_diagonals_per_second():
    own, pairs = seen(disc(0, pan=3))  # the picture goes left by 3 px a frame
    found = camera(own, pairs)
    assert found.pan[:, 0] == pytest.approx(-3 / DIAGONAL * RATE, rel=0.02)
    assert np.abs(found.pan[:, 1]).max() < 0.002
    assert found.inliers.min() > 0.9
    assert found.times == pytest.approx(np.arange(1, 8) / RATE)


def test_a_picture_that_grows_by_a_tenth_has_a_zoom_of_log_one_point_one():
    shift, jacobian = at_point(about_centre(1.1 * np.eye(2)), CENTRE)
    assert np.abs(shift).max() < 1e-9
    assert magnification(jacobian) == pytest.approx(np.log(1.1))
    assert rotation(jacobian) == pytest.approx(0)


def test_a_picture_that_turns_left_has_a_positive_roll():
    """Counter-clockwise as one sees it: what was right of the centre is above it afterwards, in a smaller row."""
    angle = np.radians(5)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    assert (turn @ [1, 0])[1] < 0
    assert rotation(at_point(about_centre(turn), CENTRE)[1]) == pytest.approx(5)


def test_perspective_is_read_at_the_centre():
    """Against the same by finite differences."""
    matrix = np.array([[[1.02, 0.01, 3], [-0.02, 0.98, -2], [1e-4, -5e-5, 1.0]]])

    def moved(x, y):
        found = matrix[0] @ [x, y, 1]
        return found[:2] / found[2]

    shift, jacobian = at_point(matrix, CENTRE)
    x, y = CENTRE
    assert shift[0] == pytest.approx(moved(x, y) - CENTRE)
    assert jacobian[0][:, 0] == pytest.approx((moved(x + 0.01, y) - moved(x - 0.01, y)) / 0.02, rel=1e-5)
    assert jacobian[0][:, 1] == pytest.approx((moved(x, y + 0.01) - moved(x, y - 0.01)) / 0.02, rel=1e-5)


def test_a_shaken_camera_takes_the_whole_frame_along():
    rng = np.random.default_rng(4)
    own, pairs = seen(disc(0, path=4 * rng.standard_normal((8, 2))))
    assert camera(own, pairs).together.min() > 0.9


def test_a_shaken_subject_does_not():
    """Half of the frame jumps to and fro, against a camera that follows it."""
    flow = np.zeros((90, 160, 2), np.float32)
    flow[:40] = (8, 0)
    follows = np.array([[1, 0, 8.0], [0, 1, 0], [0, 0, 1]])
    to, fro = Pair(flow, -flow, follows, 0.4), Pair(-flow, flow, np.linalg.inv(follows), 0.4)
    assert in_step(to, fro) == pytest.approx(40 / 90, abs=0.05)


def test_a_leap_that_flow_cannot_follow_is_found():
    """30 px of 320 at once; DIS follows some 16."""
    own, pairs = seen(disc(0, path=[[0, 0], [1, 0], [31, 0], [32, 0], [33, 0]]))
    found = camera(own, pairs)
    assert found.pan[:, 0] * DIAGONAL / RATE == pytest.approx([1, 30, 1, 1], abs=0.5)
    assert np.isfinite(found.together).all()


def test_a_cut_is_no_leap():
    first, second = disc(0, frames=4, seed=1), disc(0, frames=4, seed=2)
    own, pairs = seen(replace(first, pixels=np.concatenate([first.pixels, second.pixels])))
    found = camera(own, pairs)
    assert not found.together[4] > 0.35  # NaN or a subject: at the first frame after the cut
