"""Patches of photographs."""

import numpy as np
from numpy.testing import assert_array_equal

from beholder.attention.learning.patches import photographs, sample_patches


def test_patches_are_taken_evenly_and_by_the_generator():
    images = [np.full((9, 8, 3), value, np.float32) for value in (0, 1)]
    rows = sample_patches(images, 4, count=10, rng=np.random.default_rng(0))
    assert rows.shape == (10, 48)
    assert_array_equal(rows.mean(axis=1), [0] * 5 + [1] * 5)
    image = np.random.default_rng(1).random((20, 20, 3), np.float32)
    first, again, other = (sample_patches([image], 4, count=6, rng=np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert_array_equal(first, again)
    assert (first != other).any()


def test_photographs_are_four_in_two_sizes():
    shapes = [image.shape for image in photographs()]
    assert len(shapes) == 8
    assert shapes[:2] == [(512, 512, 3), (256, 256, 3)]
