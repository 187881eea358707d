import pickle
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from beholder.core.measure import NotApplicable
from beholder.evaluation.run import run
from beholder.stereo.benchmarks.consistency import consistency
from beholder.stereo.datasets.planes import planes
from beholder.stereo.datasets.random_dots import random_dots
from beholder.stereo.measures.consistency import inconsistency
from beholder.stereo.models.flat import flat
from beholder.stereo.scenes.pairs import MOST, Share, few, pairs


@pytest.fixture(scope="module")
def scores():
    return run(consistency(planes(2, size=96)), jobs=0, repeats=1)


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


def test_by_hand():
    # d/f of the pairs: 4, 6 and 8; 1/f: 1, 2 and 2
    maps = [np.array([4.0]), np.array([3.0]), np.array([4.0])]
    shares = [Share(1.0), Share(0.5), Share(-0.5)]
    # |4 − 6|/√5 = 0.89, |4 − 8|/√5 = 1.79, |6 − 8|/√8 = 0.71
    found = inconsistency(maps, shares)
    assert found.value == pytest.approx(100 / 3)
    assert found.parts["median"] == pytest.approx(2 / 5**0.5)
    assert found.parts["compared"] == 1
    assert inconsistency(maps, shares, delta=0.8).value == pytest.approx(200 / 3)


def test_holes_are_not_compared_and_a_pair_counts_once():
    one, half = np.array([4.0, np.nan, 4.0]), np.array([2.0, 9.0, np.nan])
    found = inconsistency([one, half], [Share(1.0), Share(0.5)])
    assert (found.value, found.parts["compared"]) == (0, pytest.approx(1 / 3))
    twice = inconsistency([one, half, half], [Share(1.0), Share(0.5), Share(0.5)])
    assert twice == found
    with pytest.raises(NotApplicable, match="one pair only"):
        inconsistency([one, one], [Share(1.0), Share(1.0)])
    with pytest.raises(NotApplicable, match="no pixel has an estimate in two"):
        inconsistency([one * np.nan, half], [Share(1.0), Share(0.5)])


def test_noise_of_one_matching_error_has_the_same_spread_whatever_the_baselines():
    rng = np.random.default_rng(0)
    scene = rng.uniform(10, 20, 50_000)
    for f, g in ((1.0, 0.5), (0.25, 1.5), (-2.0, 0.5)):
        maps = [abs(h) * scene + 0.5 * rng.standard_normal(scene.size) for h in (f, g)]
        # |δ| of a normal of spread 0.5 has the median 0.5 · 0.6745
        assert inconsistency(maps, [Share(f), Share(g)]).parts["median"] == pytest.approx(0.337, abs=0.01)


def test_the_same_pixels_of_all_pairs_are_kept():
    rng = np.random.default_rng(1)
    full = rng.random((375, 450)).astype(np.float32)
    seen, share = few(full, Share(1.0, full))
    mirrored, _ = few(full[:, ::-1], Share(-0.5, full))
    assert_array_equal(seen, mirrored)
    assert share.disparity is None
    assert seen.size <= MOST
    assert len(pickle.dumps((seen, share))) < 64 * 1024  # what a pooled measure may keep of a sample


def test_the_truth_agrees_with_itself_and_so_does_what_is_always_wrong(scores):
    own = scores[scores["measure"] == "inconsistency"].groupby("model")["value"].mean()
    assert own["truth"] == 0
    assert own["zero"] == 0  # consistent is not correct
    assert 0 < own["sgbm"] < 20
    assert own["random"] > 60
    assert set(scores["unit"]) == {"planes0", "planes1"}
    assert set(scores["state"]) == {"ok"}


def test_intervals_are_over_pairs(scores):
    one = scores[(scores["model"] == "sgbm") & (scores["measure"] == "inconsistency")]
    assert (one["n"] == 4).all()
    assert (one["lo"] < one["hi"]).all()


def test_a_constant_disparity_contradicts_itself():
    bench = consistency(planes(1, size=96))
    scores = run(bench, {"five": partial(flat, disparity=5)}, jobs=0, repeats=1)
    found = scores[(scores["model"] == "five") & (scores["measure"] == "inconsistency")]["value"].item()
    assert found == pytest.approx(500 / 6)  # 5/0.5 from the left and from the right agree, the other five pairs do not


def test_a_scene_with_one_pair_does_not_apply():
    scores = run(consistency(random_dots(1, size=64)), jobs=0, repeats=1)
    assert set(scores["state"]) == {"na"}
    assert "one pair only" in scores["reason"].iloc[0]


def test_it_travels():
    bench = pickle.loads(pickle.dumps(consistency(planes(1, size=96))))
    assert bench.dataset.name == "planes|pairs"
    assert bench.dataset[0].tags["scene"] == "planes0"
