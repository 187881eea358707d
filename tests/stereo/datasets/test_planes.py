from dataclasses import fields

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from beholder.errors import Misuse
from beholder.stereo.datasets.planes import MAX_DISPARITY, VIEWS, natural, planes
from beholder.stereo.measures.disparity import bad_pixels
from beholder.stereo.models.sgbm import sgbm
from beholder.stereo.regions import middlebury, region
from beholder.stereo.scenes.surfaces import Surface, view
from beholder.stereo.types import Pair


@pytest.fixture(scope="module")
def samples():
    return list(planes(6))


def test_a_sample_does_not_depend_on_the_others(samples):
    alone = planes(4)[3]
    assert_array_equal(alone.stimulus.right, samples[3].stimulus.right)
    assert_array_equal(alone.reference.views[1.5], samples[3].reference.views[1.5])
    assert not np.array_equal(planes(4, seed=1)[3].stimulus.left, samples[3].stimulus.left)
    assert planes(seed=1).fingerprint != planes().fingerprint == planes()[:2].fingerprint


def test_the_pair_does_not_hold_the_views():
    assert {f.name for f in fields(Pair)} == {"left", "right", "max_disparity"}
    assert set(VIEWS).isdisjoint({0, 1})


def test_disparities_lie_in_the_range_and_are_slanted(samples):
    for sample in samples:
        d = sample.reference.disparity
        assert d.min() > 0
        assert d.max() < MAX_DISPARITY
        assert (np.diff(d, axis=1) != 0).mean() > 0.9
        assert sample.tags["planes"] in ("2", "3")
        assert not sample.reference.regions["nonocc"].all()


def test_planes_are_planes(samples):
    # second differences vanish wherever three neighbours are on one plane
    for sample in samples:
        d = sample.reference.disparity.astype(np.float64)
        second = np.abs(np.diff(d, 2, axis=1))
        assert np.median(second) < 1e-5
        assert (second > 1e-4).mean() < 0.06


def test_exact_occlusion_is_nearly_what_the_rule_finds(samples):
    for sample in samples:
        made = middlebury(sample.reference.disparity)
        assert (sample.reference.regions["nonocc"] != made["nonocc"]).mean() < 0.002


@pytest.mark.parametrize("factor", [1.0, *VIEWS])
def test_every_view_shows_the_left_pixel_where_its_disparity_says(samples, factor):
    for sample in samples[:3]:
        d, left = sample.reference.disparity.astype(float), sample.stimulus.left.astype(float)
        other = sample.stimulus.right if factor == 1 else sample.reference.views[factor]
        columns = np.arange(d.shape[1])
        at = columns - factor * d
        sampled = np.array([np.interp(x, columns, row) for x, row in zip(at, other.astype(float), strict=True)])
        inside = (at >= 0) & (at <= d.shape[1] - 1)
        right_factor = np.median(np.abs(sampled - left)[inside])
        shifted = np.array([np.interp(x - 2, columns, row) for x, row in zip(at, other.astype(float), strict=True)])
        assert right_factor < 6 < np.median(np.abs(shifted - left)[inside])


def test_a_view_of_a_flat_plane_is_a_shift():
    everywhere = np.ones((2, 30), bool)
    texture = np.random.default_rng(0).random((2, 30 + 2 * 16))
    for factor in (-0.5, 0.5, 1.0, 1.5):
        seen = view([Surface(everywhere, np.full(2, 4.0))], [texture], factor)
        start = 16 + int(4 * factor)
        np.testing.assert_allclose(seen.luminance, texture[:, start : start + 30], atol=1e-12)
        assert (seen.front == 0).all()


def test_the_texture_falls_as_one_over_frequency():
    power = np.abs(np.fft.rfft2(natural((256, 256), np.random.default_rng(0)) - 0.5)) ** 2
    frequency = np.hypot(np.fft.fftfreq(256)[:, None], np.fft.rfftfreq(256))
    inside = (frequency > 0.02) & (frequency < 0.3)
    slope = np.polyfit(np.log(frequency[inside]), np.log(power[inside]), 1)[0]
    assert slope == pytest.approx(-2, abs=0.15)


def test_a_matcher_finds_the_planes(samples):
    for sample in samples[:2]:
        found = bad_pixels(*region("nonocc").select(sgbm(sample.stimulus), sample.reference))
        assert found < 8


@pytest.mark.parametrize("wrong", [{"count": 0}, {"size": 50}])
def test_misuse(wrong):
    with pytest.raises(Misuse, match="expected 1 or more"):
        planes(**wrong)
