"""Layers that move over one another: flow and occlusion against what the pictures show, and a case by hand."""

import numpy as np
import pytest

from beholder.motion.datasets.moving_layers import moving_layers
from beholder.motion.true_flow.layers import Layer, flow
from beholder.motion.true_flow.parts import SPEEDS, within
from beholder.vision.warp import warped


@pytest.fixture(scope="module")
def samples():
    return list(moving_layers()[:2])


def shift(right):
    """The map that moves everything to the right."""
    return np.array([[1.0, 0, right], [0, 1, 0]])


def test_a_disc_on_a_still_ground_by_hand():
    ground = Layer("brick", np.zeros(2), shift(0), np.zeros(2))
    disc = Layer("grass", np.zeros(2), shift(5), np.array([10.0, 10.0]), 3.5)
    found, matched = flow([ground, disc], (20, 30))
    assert found[10, 7].tolist() == [5, 0]
    assert found[10, 6].tolist() == [0, 0]
    assert matched[10].tolist() == [not 14 <= x <= 18 for x in range(30)]  # what the disc comes to lie on
    away, gone = flow([ground, Layer("grass", np.zeros(2), shift(25), disc.centre, 3.5)], (20, 30))
    assert away[10, 10].tolist() == [25, 0]
    assert not gone[10, 7:14].any()  # it leaves the frame


def test_the_second_frame_shows_what_the_flow_says(samples):
    for sample in samples:
        first, second = sample.stimulus.frames
        away = np.abs(warped(second, sample.reference.flow) - first)
        matched = sample.reference.regions["matched"]
        assert np.median(away[matched]) < 2  # grey levels
        assert np.median(away[~matched]) > 15
        assert 0.03 < (~matched).mean() < 0.25


def test_every_second_pair_has_all_classes_of_speed(samples):
    slow, fast = ([within(one.reference, name).any() for name in SPEEDS] for one in samples)
    assert (slow, fast) == ([True, True, False], [True, True, True])
    assert [one.tags["fastest"] for one in samples] == ["s10-40", "s40+"]


def test_the_truth_is_told_without_drawing(samples):
    reference = moving_layers().reference("layers1")
    assert (reference.flow == samples[0].reference.flow).all()
