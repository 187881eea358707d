"""Models with two eyes: the disparity they measure, and which line ends they count."""

import numpy as np
import pytest

from beholder.motion.datasets.depths import depths
from beholder.motion.eyes import changing, disparity, one_eye, owned_ends
from motion_movies import drawn_once


def test_two_eyes_measure_the_disparity():
    for sample in drawn_once(depths)[:3]:
        moves = changing(sample.stimulus.left)
        near = disparity(sample.stimulus, moves) - disparity(sample.stimulus, ~moves)
        assert near == 8 * float(sample.tags["disparity"])
    assert disparity(drawn_once(depths)[0].stimulus, np.zeros((112, 112), bool)) == 0


def test_line_ends_count_unless_they_belong_to_the_surround():
    def final(model, sample):
        u, v = model(sample.stimulus)[-5:].mean(axis=0)
        return np.degrees(np.arctan2(-v, u))

    before, level, behind = drawn_once(depths)[:3]
    assert final(owned_ends, behind) == pytest.approx(45, abs=5)
    for sample in (before, level):
        assert final(owned_ends, sample) == final(one_eye, sample) < 35
    assert final(one_eye, behind) < 35
