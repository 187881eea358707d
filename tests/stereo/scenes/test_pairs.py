import pickle

import numpy as np
from numpy.testing import assert_array_equal

from beholder.stereo.datasets.planes import planes
from beholder.stereo.scenes.pairs import MOST, Share, on_common_grid, pairs


def test_every_view_makes_a_pair():
    dataset = pairs(planes(2, size=96))
    assert dataset.ids[:4] == ("planes0@-0.5", "planes0@0.5", "planes0@1", "planes0@1.5")
    assert len(dataset) == 8
    scene = planes(2, size=96).load("planes1")
    near, far, mirrored = (dataset.load(f"planes1@{f}") for f in ("0.5", "1", "-0.5"))
    assert_array_equal(near.stimulus.right, scene.reference.views[0.5])
    assert_array_equal(far.stimulus.right, scene.stimulus.right)
    assert_array_equal(mirrored.stimulus.left, scene.stimulus.left[:, ::-1])
    assert_array_equal(mirrored.stimulus.right, scene.reference.views[-0.5][:, ::-1])
    assert (near.stimulus.max_disparity, far.stimulus.max_disparity) == (20, 40)
    assert near.tags["scene"] == "planes1"


def test_mirrored_pairs_have_positive_disparities():
    # The left pixel x is at x − d in a pair, also in the mirrored one.
    sample = pairs(planes(1, size=96)).load("planes0@-0.5")
    true, (left, right) = sample.reference.disparity, (sample.stimulus.left, sample.stimulus.right)
    at = np.round(np.arange(96) - true).astype(int)
    seen = at >= 0
    rows = np.broadcast_to(np.arange(96)[:, None], true.shape)
    off = np.abs(left.astype(float) - right[rows, np.maximum(at, 0)])[seen]
    other = np.abs(left.astype(float) - right)[seen]
    assert np.median(off) < 0.6 * np.median(other)


def test_the_same_pixels_of_all_pairs_are_kept():
    rng = np.random.default_rng(1)
    full = rng.random((375, 450)).astype(np.float32)
    seen, share = on_common_grid(full, Share(1.0, full))
    mirrored, _ = on_common_grid(full[:, ::-1], Share(-0.5, full))
    assert_array_equal(seen, mirrored)
    assert share.disparity is None
    assert seen.size <= MOST
    assert len(pickle.dumps((seen, share))) < 64 * 1024  # what a pooled measure may keep of a sample
