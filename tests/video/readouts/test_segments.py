"""Moving segments are followed as whole objects."""

import numpy as np

from beholder.video.readouts.flow import Pair
from beholder.video.readouts.segments import Follower, lasting, moving, tracks

SHAPE = (90, 160)


def pair(*boxes, shift=(6.0, 0.0)):
    """A pair of frames in which rectangles (left, top, right, bottom) move, and nothing else."""
    forward, backward = np.zeros((*SHAPE, 2), np.float32), np.zeros((*SHAPE, 2), np.float32)
    right, down = int(shift[0]), int(shift[1])
    for left, top, end, bottom in boxes:
        forward[top:bottom, left:end] = shift
        backward[top + down : bottom + down, left + right : end + right] = (-shift[0], -shift[1])
    return Pair(forward, backward, np.eye(3), 1.0)


def named(*pairs):
    """Segments of successive pairs, by lasting names, a tenth of a second apart."""
    follower, found = Follower(), []
    for at, one in enumerate(pairs):
        found.append(follower.name(moving(one, 184.0).labels, at / 10))
        follower.expect(found[-1], one, at / 10)
    return found


def test_two_things_are_two_segments():
    labels = moving(pair((10, 10, 40, 40), (100, 50, 130, 80)), 184.0).labels
    assert labels.max() == 2
    assert labels[10, 10] != labels[30, 55] != 0


def test_a_speck_is_noise():
    assert moving(pair((10, 10, 14, 14)), 184.0).labels.max() == 0


def test_less_than_a_third_of_a_pixel_is_noise():
    assert moving(pair((10, 10, 40, 40), shift=(0.1, 0.0)), 184.0).labels.max() == 0


def test_where_no_flow_can_be_trusted_nothing_moves():
    """As over a cut: forth and back do not agree anywhere."""
    chaos = np.full((*SHAPE, 2), 20.0, np.float32)
    assert moving(Pair(chaos, chaos, np.eye(3), 0.0), 184.0).labels.max() == 0


def test_an_object_keeps_its_name_as_it_moves():
    first, second, third = named(pair((10, 10, 40, 40)), pair((16, 10, 46, 40)), pair((22, 10, 52, 40)))
    assert first.max() == second.max() == third.max() == 1


def test_an_object_that_pauses_for_a_moment_is_the_same():
    still = pair()
    found = named(pair((10, 10, 40, 40)), still, pair((16, 10, 46, 40)))
    assert found[2].max() == 1
    long = named(pair((10, 10, 40, 40)), still, still, still, pair((16, 10, 46, 40)))
    assert long[4].max() == 2  # 0.4 s: forgotten


def test_what_moves_once_is_a_glitch():
    found = named(pair((10, 10, 40, 40)), pair((16, 10, 46, 40), (100, 50, 130, 80)), pair((22, 10, 52, 40)))
    assert lasting(found).tolist() == [False, True, False]
    (track,) = tracks(found, np.array([0, 0.1, 0.2]))
    assert track.times.tolist() == [0, 0.1, 0.2]
    assert np.abs(track.boxes[0] - [10 / 160, 10 / 90, 40 / 160, 40 / 90]).max() < 0.03
    assert abs(track.areas[0] - 900 / (90 * 160)) < 0.01
