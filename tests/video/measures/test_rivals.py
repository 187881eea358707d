"""The rivals: each formula on drawn frames whose answer is known, SSIM beside scikit-image's."""

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest
from skimage.metrics import structural_similarity

from beholder.core.measure import NotApplicable, card, result
from beholder.video.measures import rivals
from beholder.video.readouts.rivals import (
    midpoint,
    occluded,
    rival_evidence,
    similarity,
    top_motion,
    warping_error,
)
from beholder.video.types import Clip

SHAPE = (120, 160)


def texture(height=SHAPE[0], width=SHAPE[1], seed=0):
    rng = np.random.default_rng(seed)
    blurred = cv2.GaussianBlur(rng.uniform(0, 255, (height, width, 3)).astype(np.float32), (0, 0), 2)
    return np.clip(128 + 4 * (blurred - blurred.mean()), 0, 255).astype(np.uint8)


def panned(speed, frames=9):
    """A texture that moves to the left by so many px a frame."""
    wide = texture(width=SHAPE[1] + 200)
    return np.stack([wide[:, speed * t : speed * t + SHAPE[1]] for t in range(frames)])


def flowing(u, v=0.0, shape=SHAPE):
    return np.tile(np.array([u, v], np.float32), (*shape, 1))


@pytest.fixture(scope="module")
def pan():
    return rival_evidence(Clip(pixels=panned(3), rate=8.0), None)


def test_ssim_is_that_of_scikit_image():
    rng = np.random.default_rng(0)
    first = cv2.cvtColor(texture(), cv2.COLOR_RGB2GRAY)
    for noise in (0, 3, 20):
        second = np.clip(first + rng.normal(0, noise, first.shape), 0, 255).astype(np.uint8)
        theirs = structural_similarity(
            first, second, gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=255
        )
        assert similarity(first, second) == pytest.approx(theirs, abs=2e-5)


def test_a_still_clip_is_perfect_to_all_but_those_that_ask_for_motion():
    still = rival_evidence(Clip(pixels=np.repeat(texture()[None], 6, axis=0), rate=8.0), None)
    found = {name: result(getattr(rivals, name)(still, None)).value for name in NAMES}
    assert found == {
        "ssim": pytest.approx(1), "mean_flow": pytest.approx(0, abs=1e-6), "flicker": 1, "dynamic_degree": 0,
        "warping_error": pytest.approx(0, abs=1e-9), "interpolation_error": pytest.approx(0, abs=1e-6),
    }  # fmt: skip


NAMES = ("ssim", "mean_flow", "flicker", "warping_error", "interpolation_error", "dynamic_degree")


def test_mean_flow_is_in_diagonals_a_second_and_in_px_a_frame(pan):
    found = rivals.mean_flow(pan, None)
    assert found.value == pytest.approx(3 * 8 / 200, rel=0.05)  # a frame of 120 × 160 has a diagonal of 200 px
    assert found.parts["px_per_frame"] == pytest.approx(3, rel=0.05)


def test_px_per_frame_are_those_of_the_clip_not_of_the_analysed_frame(pan):
    larger = replace(pan, shape=(4 * SHAPE[0], 4 * SHAPE[1]))
    assert rivals.mean_flow(larger, None).parts["px_per_frame"] == pytest.approx(12, rel=0.05)
    assert rivals.mean_flow(larger, None).value == rivals.mean_flow(pan, None).value


def test_flicker_is_the_difference_of_all_channels():
    grey = np.full((2, *SHAPE, 3), 100, np.uint8)
    grey[1, ..., 0] += 51  # one channel of three by a fifth of 255
    assert rivals.flicker(rival_evidence(Clip(pixels=grey, rate=8.0), None), None) == pytest.approx(1 - 0.2 / 3)


def test_what_flow_explains_is_no_warping_error(pan):
    unexplained = np.mean([((a - b) ** 2).sum(-1).mean() for a, b in _pairs(panned(3) / 255)])
    assert rivals.warping_error(pan, None) < 0.02 * unexplained


def _pairs(frames):
    return pairwise(frames)


def test_warping_error_sums_channels_and_leaves_out_what_is_occluded():
    first = np.full((*SHAPE, 3), 100, np.uint8)
    second = first + np.array([51, 0, 0], np.uint8)  # (51/255)² = 0.04 in one channel
    rest = flowing(0)
    assert warping_error(first, second, rest, rest) == pytest.approx(0.04)
    backward = flowing(0)
    backward[:, 80:] = (9, 0)  # the way back of the right half leads elsewhere
    second[:, 80:] = 255
    assert warping_error(first, second, rest, backward) == pytest.approx(0.04)
    assert warping_error(first, second, rest, flowing(9)) == 0.0  # all occluded


def test_occlusion_where_ways_disagree_and_at_edges_of_motion():
    # |f + b|² > 0.01 (|f|² + |b|²) + 0.5 with f = 3: b = −3 + e, e² > 0.01 (9 + (3 − e)²) + 0.5
    assert not occluded(flowing(3), flowing(-3.8)).any()  # 0.64 < 0.734
    assert occluded(flowing(3), flowing(-4.0)).all()  # 1 > 0.75
    step = flowing(0)
    step[:, 80:] = (0.05, 0)  # 0.0025 > 0.01 · 0 + 0.002
    edge = occluded(step, -step)
    assert np.flatnonzero(edge.any(axis=0)).tolist() == [79]  # a difference to the right
    step[:, 80:] = (0.04, 0)  # 0.0016
    assert not occluded(step, -step).any()


def test_the_frame_half_way_of_a_steady_motion_is_the_one_that_was_there():
    frames = panned(4, 3)
    made = midpoint(frames[0], frames[2], flowing(-8), flowing(8))
    inside = np.s_[:, 10:-10]
    assert np.abs(made[inside] - frames[1][inside]).max() < 1e-3


def test_interpolation_error_sees_a_jump_that_flow_cannot_guess(pan):
    jumping = panned(3)
    jumping[3] = texture(seed=5)
    jumped = rival_evidence(Clip(pixels=jumping, rate=8.0), None)
    assert len(pan.interpolation) == 4  # odd frames of nine
    assert rivals.interpolation_error(pan, None).value < 0.01
    assert int(jumped.interpolation.argmax()) == 1
    found = rivals.interpolation_error(jumped, None)
    assert found.parts["motion_smoothness"] == pytest.approx(1 - found.value)


def test_the_fastest_twentieth_of_the_pixels():
    flow = flowing(0)
    flow[:6] = (3, 4)  # 6 of 120 rows: exactly 5 %
    assert top_motion(flow) == pytest.approx(5)
    flow[:3] = (6, 8)
    assert top_motion(flow) == pytest.approx(7.5)


@pytest.mark.parametrize(
    ("speed", "rate", "frames", "expected"),
    # The threshold of 120 × 160 px is 6 · 120/256 = 2.81 px between frames that are an eighth of a second apart.
    [(2, 8.0, 9, 0.0), (3, 8.0, 9, 1.0), (2, 16.0, 18, 1.0), (1, 16.0, 18, 0.0), (3, 4.0, 9, 0.0), (6, 4.0, 9, 1.0)],
)
def test_dynamic_degree_looks_eight_times_a_second(speed, rate, frames, expected):
    found = rivals.dynamic_degree(rival_evidence(Clip(pixels=panned(speed, frames), rate=rate), None), None)
    assert (found.value, found.parts["share"]) == (expected, expected)


def test_dynamic_degree_asks_for_a_quarter_of_the_frames(pan):
    moves = np.full(15, 1.0)
    moves[:4] = 9.0  # of 16 frames, round(16/4) = 4 pairs
    found = replace(pan, fastest=moves, sampled=16)
    assert rivals.dynamic_degree(found, None).value == 1.0
    moves[3] = 1.0
    assert rivals.dynamic_degree(found, None).value == 0.0
    assert rivals.dynamic_degree(found, None).parts["share"] == pytest.approx(3 / 15)


def test_where_nobody_says_the_rate_what_depends_on_it_is_doubtful():
    found = rival_evidence(Clip(pixels=panned(3, 3)), None)
    states = {name: result(getattr(rivals, name)(found, None)).state for name in NAMES}
    assert [name for name, state in states.items() if state == "low"] == ["mean_flow", "dynamic_degree"]


def test_short_clips_have_no_number_but_a_reason():
    with pytest.raises(NotApplicable, match="1 frame: there is nothing to compare"):
        rival_evidence(Clip(pixels=panned(3, 1), rate=8.0), None)
    with pytest.raises(NotApplicable, match="fewer than three"):
        rivals.interpolation_error(rival_evidence(Clip(pixels=panned(3, 2), rate=8.0), None), None)


def test_flat_clips_are_refused_before_opencv_falls_over_them():
    # DIS, fast preset, OpenCV 4.14: a frame of 320 × 20 px ends the process (SIGSEGV); 320 × 32 is fine
    with pytest.raises(NotApplicable, match="only 20 px high or wide"):
        rival_evidence(Clip(pixels=np.zeros((4, 20, 320, 3), np.uint8), rate=8.0), None)
    rival_evidence(Clip(pixels=np.zeros((4, 32, 320, 3), np.uint8), rate=8.0), None)


def test_directions_are_those_of_the_sources():
    lower = [name for name in NAMES if card(getattr(rivals, name)).better == "lower"]
    assert lower == ["warping_error", "interpolation_error"]
