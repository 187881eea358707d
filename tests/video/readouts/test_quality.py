"""Quality of single frames: what lowers it, and what must not."""

import cv2
import numpy as np
import pytest

from beholder.video.readouts.quality import quality
from video_disc import texture


@pytest.fixture(scope="module")
def frame():
    return np.round(texture(np.random.default_rng(0), 180, 320)).clip(0, 255).astype(np.float32)


def test_blur_lowers_both_more_and_more(frame):
    seen = [quality(cv2.GaussianBlur(frame, (0, 0), s)) for s in (0.5, 1.0, 2.0)]
    assert quality(frame).sharpness > seen[0].sharpness > seen[1].sharpness > seen[2].sharpness
    assert quality(frame).detail >= seen[0].detail > seen[1].detail > seen[2].detail


def test_compression_lowers_detail(frame):
    """Sharpness hardly sees it: blocks have edges."""
    faint = np.round(0.2 * frame + 100)
    _, coded = cv2.imencode(".jpg", faint.astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 8])
    poor = quality(cv2.imdecode(coded, cv2.IMREAD_GRAYSCALE).astype(np.float32))
    assert quality(faint).detail - poor.detail > 0.3


def test_contrast_and_brightness_do_not_change_sharpness(frame):
    assert quality(0.6 * frame + 40).sharpness == pytest.approx(quality(frame).sharpness, abs=0.01)


def test_a_flat_frame_has_a_quality():
    assert np.isfinite(quality(np.full((60, 80), 7.0, np.float32))).all()
