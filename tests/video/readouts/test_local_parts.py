"""What local cuts are made of: repeats, light, search, mixtures."""

import cv2
import numpy as np
import pytest

from beholder.video.readouts.flow import places
from beholder.video.readouts.local_candidates import thick
from beholder.video.readouts.local_fades import _Motion, _unmixed, chained
from beholder.video.readouts.local_frames import fresh
from beholder.video.readouts.local_mismatch import mismatch, relit
from beholder.video.readouts.local_search import Region, likeness, nearby, still_there


def noise(seed, shape=(96, 160, 3), blur=2):
    rough = np.random.default_rng(seed).normal(0, 1, shape).astype(np.float32)
    rough = cv2.GaussianBlur(rough, (0, 0), blur)
    return np.clip(128 + 40 * rough / rough.std(), 0, 255).astype(np.uint8)


def picture(colours, contrast=40):
    return np.dstack([colours, np.full(colours.shape[:2], contrast, np.uint8)])


def test_repeats_are_told_from_small_things_that_move():
    """A 6 px dot moves over a flat frame: the mean change is tiny, but it is all in one place."""
    frames = [np.zeros((90, 160), np.uint8) for _ in range(6)]
    for t, frame in enumerate(frames):
        frame[40:46, 20 + 4 * (t // 2) : 26 + 4 * (t // 2)] = 200
    assert fresh(frames, np.arange(6) / 12) == (0, 2, 4)


def test_a_picture_at_rest_is_kept_twice():
    """Ten frames of one picture and ten of another at 12 a second: each rests for 0.75 s."""
    frames = [np.full((90, 160), 100 + 50 * (t >= 10), np.uint8) for t in range(20)]
    assert fresh(frames, np.arange(20) / 12) == (0, 9, 10, 19)
    assert fresh(frames[5:15], np.arange(10) / 12) == (0, 5)


def test_a_pixel_with_nothing_alike_has_the_mismatch_of_the_formula():
    """|A − B| = 60 everywhere and contrasts 3 and 4: 60 / (0.8 · 5 + 4) = 7.5."""
    here, there = picture(np.full((20, 30, 3), 100, np.uint8), 3), picture(np.full((20, 30, 3), 160, np.uint8), 4)
    ratio, levels = mismatch(here, there, (places((20, 30)),), 11)
    assert levels[10, 15] == pytest.approx(60)
    assert ratio[10, 15] == pytest.approx(7.5)


def test_what_leaves_the_frame_is_not_missed():
    here, there = picture(np.full((20, 30, 3), 100, np.uint8)), picture(np.full((20, 30, 3), 160, np.uint8))
    ratio, _ = mismatch(here, there, (places((20, 30)) + np.float32([10, 0]),), 11)
    assert ratio[:, 24:].max() == 0
    assert ratio[:, :15].min() > 0


def test_smooth_light_is_made_up_for_and_a_thing_is_not():
    """A gradient of light from 0.8 to 1.2; and a bright disc of 16 px, which is no light."""
    first = picture(noise(1))
    ramp = np.linspace(0.8, 1.2, 160)[None, :, None]
    second = picture(np.clip(first[..., :3] * ramp, 0, 255).astype(np.uint8))
    lit = relit(first, second, places((96, 160)), 16)
    assert np.abs(lit[..., :3].astype(int) - first[..., :3]).mean() < 4
    disc = np.hypot(*np.mgrid[-48:48, -80:80]) < 16
    second[disc] = 250
    lit = relit(first, second, places((96, 160)), 16)
    assert np.abs(lit[disc][:, :3].astype(int) - first[disc][:, :3]).mean() > 60


def test_a_piece_is_found_again_where_it_is():
    """In place 1; 12 px off it is found nearby but not in place; in another picture nowhere."""
    scene = noise(2)
    region = Region(60, 40, np.ones((16, 20), bool))
    assert still_there(region, scene, scene) == pytest.approx(1, abs=1e-3)
    moved = np.roll(scene, 12, axis=1)
    assert still_there(region, scene, moved) < 0.6
    assert nearby(region, scene, moved) > 0.98
    assert nearby(region, scene, noise(3)) < 0.8


def test_a_flat_piece_looks_like_nothing():
    flat = np.full((10, 10, 3), 90, np.uint8)
    assert likeness(flat, np.ones((10, 10), bool), noise(4)[:20, :20]).max() == 0


def test_a_region_at_the_corner_grows_within_the_frame():
    grown = Region(0, 0, np.ones((4, 4), bool)).grown((20, 20))
    assert (grown.left, grown.top, grown.mask.shape, grown.mask.all()) == (0, 0, (9, 9), True)


def test_components_are_kept_by_the_disc_they_hold():
    binary = np.zeros((40, 60), np.uint8)
    binary[5:25, 5:25] = 1  # holds a disc of radius 10
    binary[30:34, 5:55] = 1  # a strip of radius 2
    ((region, radius),) = thick(binary, 4.0)
    assert (region.left, region.top, region.mask.shape) == (5, 5, (20, 20))
    assert radius == pytest.approx(10, abs=0.6)


def test_flow_is_chained_along_the_path():
    """Two steps of 3 px right are one of 6; a field that grows with x is looked up where the first step leads."""
    steady = np.zeros((10, 40, 2), np.float32)
    steady[..., 0] = 3
    assert chained([steady, steady])[5, 10, 0] == 6
    growing = np.zeros_like(steady)
    growing[..., 0] = np.arange(40) / 10
    assert chained([steady, growing])[5, 10, 0] == pytest.approx(3 + 1.3)


def test_only_a_mixture_is_a_mixture():
    """Old and new laid over each other: 0. A frame of its own in between: what no mixture explains is about all."""
    old, new, other = (noise(seed, (30, 30, 3), 1).astype(np.float32) for seed in (5, 6, 7))
    inside, rest = np.ones((30, 30), bool), _Motion(np.zeros(2), np.zeros(2))
    fading = [old, 0.7 * old + 0.3 * new, 0.3 * old + 0.7 * new, new]
    assert _unmixed(fading, inside, rest) < 1e-6
    assert _unmixed([old, other, new], inside, rest) > 0.7
