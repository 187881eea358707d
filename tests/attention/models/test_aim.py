"""Attention by information maximisation: rare in this picture is salient."""

import numpy as np
from numpy.testing import assert_allclose

from beholder.attention.maps.patches import load_learnt, project
from beholder.attention.maps.scaling import colours
from beholder.attention.models.aim import aim, self_information
from beholder.attention.types import Picture
from saliency_displays import DISPLAYS, WHITE, disc, display, share_of_odd


def test_the_odd_one_pops_out():
    assert {name: share_of_odd(aim(shown)) for name, shown in DISPLAYS.items()} == dict.fromkeys(DISPLAYS, 1)


def test_a_bright_one_pops_out_wherever_it_is():
    for at in [(1, 1), (4, 6)]:
        shown = display((disc(12), WHITE), (disc(12), (140, 140, 140)), at=at)
        assert share_of_odd(aim(shown), at=at) == 1


def test_self_information_is_that_of_numpys_histogram():
    values = np.random.default_rng(0).standard_normal((40, 50)).astype(np.float32)
    counts, edges = np.histogram(values.astype(np.float64), bins=50)
    at = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, 49)
    found = self_information(values, bins=50)
    wanted = -np.log(counts[at] / values.size + 1e-6)
    assert np.mean(np.isclose(found, wanted, atol=1e-5)) > 0.999  # a value at an edge may fall on either side


def test_a_scale_and_an_offset_of_a_component_tell_nothing():
    values = np.arange(200, dtype=np.float32).reshape(10, 20) ** 2
    assert_allclose(self_information(8 * values - 1024), self_information(values))


def test_the_map_without_blur_is_the_sum_over_components_with_a_border_of_half_a_patch():
    picture = Picture(np.random.default_rng(1).integers(0, 256, (40, 50, 3)).astype(np.uint8))
    whole = sum(self_information(each) for each in project(colours(picture), load_learnt("aim")["bases"]))
    found = aim(picture, sigma=0)
    assert_allclose(found[10:-10, 10:-10], whole, rtol=1e-5)
    assert_allclose(found[:10], whole.min(), rtol=1e-5)


def test_bases_are_some_dozens_of_unit_norm():
    bases = load_learnt("aim")["bases"]
    assert bases.shape == (29, 3 * 21**2)
    assert_allclose(np.linalg.norm(bases, axis=1), 1, atol=1e-3)
