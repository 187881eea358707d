"""Learning where eyes land: what made the saccades is found, and the shipped file is what is learnt."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from beholder.attention.learning import saccadic_prior as learning
from beholder.attention.maps.patches import load_learnt
from beholder.attention.types import Lookers, scanpath


def rng():
    return np.random.default_rng(1)


def test_scaling_finds_what_made_the_saccades(monkeypatch):
    monkeypatch.setattr(learning, "CELLS", (6, 8))
    monkeypatch.setattr(learning, "SMOOTH", 0.0)
    shift = learning.differences()
    wide, rng_ = (11, 15), rng()
    jump, bias = rng_.random(wide[0] * wide[1]) + 0.2, rng_.random(48) + 0.2
    pairs = np.full((48, 1), 1e5) * learning.conditional(jump, bias, shift)
    found = learning.conditional(*(each.ravel() for each in learning.scaled(pairs, 200)), shift)
    assert_allclose(found, learning.conditional(jump, bias, shift), rtol=0.02)


def test_learning_counts_mirrored_saccades(monkeypatch):
    monkeypatch.setattr(learning, "CELLS", (2, 4))
    path = scanpath([0.0, 99.0], [0.0, 9.0], duration_ms=[100.0, np.nan])
    starts, pairs, lasts = learning.counted([Lookers({"a": path}, (10, 100))])
    assert starts.tolist() == [[1, 0, 0, 1], [0, 0, 0, 0]]
    assert pairs[0, 7] == pairs[3, 4] == 1
    assert lasts.tolist() == [100]


@pytest.mark.slow
def test_the_shipped_file_is_what_is_learnt(data, tmp_path):
    learning.main([str(data / "eyecrowd_subset"), "--out", str(tmp_path)])
    with np.load(tmp_path / "saccadic_prior.npz") as anew:
        held = load_learnt("saccadic_prior")
        assert set(anew.files) == set(held)
        for name in anew.files:
            assert_allclose(anew[name].astype(np.float32), held[name], atol=0.02, err_msg=name)
