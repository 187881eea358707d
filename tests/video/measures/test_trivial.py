"""The trivial measures on drawn frames whose answer is known."""

import cv2
import numpy as np
import pytest

from beholder.core.measure import NotApplicable
from beholder.video.measures import trivial
from beholder.video.readouts.trivial import narrowed, trivial_evidence
from beholder.video.types import Clip

WIDE = 256


def texture(width=WIDE, seed=0):
    rng = np.random.default_rng(seed)
    blurred = cv2.GaussianBlur(rng.uniform(0, 255, (96, width)).astype(np.float32), (0, 0), 3)
    grey = np.clip(128 + 6 * (blurred - blurred.mean()), 0, 255).astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)


def panned(speed, frames=6):
    wide = texture(WIDE + 100)
    return np.stack([wide[:, speed * t : speed * t + WIDE] for t in range(frames)])


def evidence(pixels):
    return trivial_evidence(Clip(pixels=pixels), None)


def test_frames_are_grey_and_256_px_wide():
    assert narrowed(np.zeros((480, 854, 3), np.uint8)).shape == (144, 256)
    assert narrowed(np.zeros((120, 64, 3), np.uint8)).shape == (480, 256)  # smaller ones are enlarged


def test_difference_is_in_levels():
    steps = np.zeros((3, 96, WIDE, 3), np.uint8)
    steps[1], steps[2] = 10, 14
    assert trivial.trivial_difference(evidence(steps), None) == 7.0


def test_flow_is_in_px_a_frame_and_explains_a_pan():
    found = evidence(panned(2))
    assert trivial.trivial_flow(found, None) == pytest.approx(2, rel=0.05)
    assert trivial.trivial_residual(found, None) < 0.15 * trivial.trivial_difference(found, None)
    assert trivial.trivial_flow_variation(found, None) < 0.02


def test_uneven_motion_varies():
    frames = panned(2, 9)[[0, 1, 2, 4, 6, 8]]  # 2, 2, 4, 4, 4 px
    expected = np.std([2, 2, 4, 4, 4]) / 3.2
    assert trivial.trivial_flow_variation(evidence(frames), None) == pytest.approx(expected, rel=0.05)


def test_sharpness_changes_when_a_frame_is_blurred():
    frames = panned(0, 3)
    frames[1] = cv2.GaussianBlur(frames[1], (0, 0), 4)
    first, blurred, last = (cv2.Laplacian(frame[..., 0], cv2.CV_64F).var() for frame in frames)
    expected = ((first - blurred) / first + (last - blurred) / blurred) / 2
    assert trivial.trivial_sharpness_change(evidence(frames), None) == pytest.approx(expected)


def test_nothing_to_measure():
    flat = evidence(np.full((3, 96, WIDE, 3), 90, np.uint8))
    for of in (trivial.trivial_flow_variation, trivial.trivial_sharpness_change):
        with pytest.raises(NotApplicable):
            of(flat, None)
    with pytest.raises(NotApplicable, match="1 frame"):
        evidence(panned(2, 1))
