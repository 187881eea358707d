"""Saliency using natural statistics: rare in the world is salient."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import gamma
from skimage import data as photographs

from beholder.attention.maps.scaling import colours
from beholder.attention.models.aim import aim
from beholder.attention.models.sun import statistics, sun
from beholder.attention.types import Picture
from saliency_displays import DISPLAYS, WHITE, disc, display, share_of_odd


@pytest.mark.parametrize("name", ["diagonal", "brightness", "saturation"])
def test_what_stands_out_from_its_ground_pops_out(name):
    assert share_of_odd(sun(DISPLAYS[name])) == 1


@pytest.mark.parametrize("name", ["colour", "orientation"])
def test_an_odd_one_that_the_world_has_as_often_as_the_others_does_not_pop_out(name):
    """The picture's own statistics, which make it pop out for `aim`, have no part in `sun`."""
    assert share_of_odd(sun(DISPLAYS[name])) < 0.5
    assert share_of_odd(aim(DISPLAYS[name])) == 1


def test_a_bright_one_pops_out_wherever_it_is():
    for at in [(1, 1), (4, 6)]:
        shown = display((disc(12), WHITE), (disc(12), (140, 140, 140)), at=at)
        assert share_of_odd(sun(shown), at=at) == 1


def test_one_patch_by_the_letter():
    """Σ (|F_i| / σ_i)^θ_i in the middle of a picture without blur, in plain sums of 64 bits."""
    picture = Picture(np.random.default_rng(0).integers(0, 256, (41, 51, 3)).astype(np.uint8))
    image, held = colours(picture).astype(np.float64), statistics()
    patch = np.moveaxis((image / image.std())[15:26, 20:31], 2, 0).ravel()
    wanted = ((np.abs(held["filters"].astype(np.float64) @ patch) / held["sigma"]) ** held["theta"]).sum()
    assert_allclose(sun(picture, sigma=0)[20, 25], wanted, rtol=1e-4)


def test_contrast_and_light_of_the_whole_picture_tell_nothing():
    pixels = photographs.coffee()[:200, :200]
    dim = Picture((pixels // 2).astype(np.uint8))
    doubled = Picture((pixels // 2 * 2).astype(np.uint8))
    brighter = Picture((pixels // 2 + 60).astype(np.uint8))
    assert_allclose(sun(dim), sun(doubled), rtol=1e-3)
    assert_allclose(sun(dim), sun(brighter), rtol=1e-3)


def test_filters_are_without_mean_and_their_answers_are_peaked():
    held = statistics()
    assert held["filters"].shape == (362, 3 * 11**2)
    assert_allclose(held["filters"].sum(axis=1), 0, atol=1e-5)
    assert np.median(held["theta"]) < 1  # as published, answers of nearly all are more peaked than Gauss', which has 2
    assert held["theta"].max() <= 2


def test_photographs_have_the_spread_that_was_learnt():
    """The standard deviation of a generalised Gaussian is σ √(Γ(3/θ) / Γ(1/θ)); four photographs scatter about it."""
    held = statistics()
    image = photographs.chelsea() / np.float32(255)
    windows = np.lib.stride_tricks.sliding_window_view(image / image.std(), (11, 11), axis=(0, 1))[::7, ::7]
    answers = windows.reshape(-1, 363) @ held["filters"].T
    known = held["sigma"] * np.sqrt(gamma(3 / held["theta"]) / gamma(1 / held["theta"]))
    assert 1 / 3 < np.median(answers.std(axis=0) / known) < 3
