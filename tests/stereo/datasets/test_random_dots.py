from dataclasses import fields

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from beholder.errors import Misuse
from beholder.stereo.datasets.random_dots import MAX_DISPARITY, NOISE, SHAPES, random_dots, rendered
from beholder.stereo.regions import middlebury
from beholder.stereo.scenes.surfaces import Surface
from beholder.stereo.types import Pair

ALL = 15  # samples until every shape has met every level of noise


@pytest.fixture(scope="module")
def samples():
    return list(random_dots(ALL))


def test_a_sample_does_not_depend_on_the_others(samples):
    alone = random_dots(ALL)[7:8][0]
    few = random_dots(8)[7]
    for other in (alone, few):
        assert other.id == "rds7"
        assert_array_equal(other.stimulus.left, samples[7].stimulus.left)
        assert_array_equal(other.stimulus.right, samples[7].stimulus.right)
        assert_array_equal(other.reference.disparity, samples[7].reference.disparity)


def test_seeds_and_samples_differ(samples):
    assert not np.array_equal(random_dots(1, seed=1)[0].stimulus.left, samples[0].stimulus.left)
    assert not np.array_equal(samples[5].stimulus.left, samples[0].stimulus.left)
    assert random_dots(seed=1).fingerprint != random_dots().fingerprint == random_dots()[:2].fingerprint


def test_every_shape_meets_every_noise(samples):
    met = {(s.tags["shape"], s.tags["noise"]) for s in samples}
    assert met == {(shape, str(noise)) for shape in SHAPES for noise in NOISE}


def test_the_stimulus_says_nothing_but_two_images_and_a_range(samples):
    assert {f.name for f in fields(Pair)} == {"left", "right", "max_disparity"}
    assert {s.stimulus.max_disparity for s in samples} == {MAX_DISPARITY}


def test_one_eye_alone_sees_nothing(samples):
    for sample in samples:
        front = sample.reference.disparity > np.median(sample.reference.disparity)
        for view in (sample.stimulus.left.astype(float), sample.stimulus.left.astype(float) ** 2):
            inside, outside = view[front], view[~front]
            noise = np.sqrt(inside.var() / inside.size + outside.var() / outside.size)
            assert abs(inside.mean() - outside.mean()) < 4 * noise


def test_disparities_lie_in_the_range_and_jump_enough(samples):
    for sample in samples:
        d = sample.reference.disparity
        assert d.min() >= 0
        assert d.max() < MAX_DISPARITY
        assert sample.reference.regions["disc"].any()
        assert not sample.reference.regions["nonocc"].all()


@pytest.mark.parametrize("size", [64, 192, 257])
def test_exact_occlusion_is_what_the_rule_finds(size):
    for sample in random_dots(ALL, size=size):
        made = middlebury(sample.reference.disparity)
        for name, mask in sample.reference.regions.items():
            assert_array_equal(mask, made[name], err_msg=f"{sample.id} {name}")


def test_visible_dots_match_and_hidden_ones_match_by_chance(samples):
    for sample in samples:
        if sample.tags["shape"] not in ("square", "disc", "stairs"):
            continue  # whole pixels only
        left, right = sample.stimulus.left, sample.stimulus.right
        at = np.arange(left.shape[1]) - sample.reference.disparity.astype(int)
        same = left == np.take_along_axis(right, np.maximum(at, 0), axis=1)
        seen = sample.reference.regions["nonocc"]
        changed = int(sample.tags["noise"]) / 200  # half of the dots drawn anew come out as they were
        assert same[seen].mean() == pytest.approx(1 - changed, abs=0.01 if changed else 0)
        assert same[~seen & (at >= 0)].mean() == pytest.approx(0.5, abs=0.1)


def test_fractions_of_a_pixel_are_exact():
    # a sheet of 5.25 px: the right pixel c shows the left dot c + 5 to three quarters and c + 6 to one quarter
    everywhere = np.ones((3, 80), bool)
    left, right, truth = rendered([Surface(everywhere, np.full(3, 5.25))], 0.5, np.random.default_rng(0))
    np.testing.assert_allclose(right[:, :74], 0.75 * left[:, 5:79] + 0.25 * left[:, 6:80], atol=1e-12)
    assert_array_equal(truth.regions["nonocc"], np.broadcast_to(np.arange(80) >= 5, (3, 80)))


def test_a_slanted_plane_is_compressed_as_geometry_demands():
    # d = 2 + x/4: x − d grows by 3/4 a column, so the right pixel c spans 4/3 dots around x = (c + 2)·4/3
    everywhere = np.ones((2, 40), bool)
    left, right, _ = rendered([Surface(everywhere, np.full(2, 2.0), 0.25)], 0.5, np.random.default_rng(0))
    fine = np.repeat(left, 900, axis=1)  # the dots, 900 points each; dot x spans x − ½ … x + ½
    for c in range(20):
        start, end = ((edge + 2) * 4 / 3 + 0.5 for edge in (c - 0.5, c + 0.5))
        np.testing.assert_allclose(right[:, c], fine[:, round(start * 900) : round(end * 900)].mean(axis=1), atol=1e-9)


@pytest.mark.parametrize("wrong", [{"count": 0}, {"size": 10}, {"density": 0.0}, {"density": 1.0}])
def test_misuse(wrong):
    with pytest.raises(Misuse, match="expected 1 or more"):
        random_dots(**wrong)
