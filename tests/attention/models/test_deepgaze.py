"""Networks from a checkpoint: what goes in, what comes out, and each fault."""

import sys

import numpy as np
import pytest

from beholder.attention.models.deepgaze import deepgaze, loaded, log_density
from beholder.attention.types import Picture
from beholder.errors import Misuse

PICTURE = Picture(np.random.default_rng(0).integers(0, 256, (48, 64, 3)).astype(np.uint8), 17.5)


def test_a_network_sees_the_picture_at_its_own_scale_and_its_answer_comes_back():
    seen = {}

    def network(image, prior):
        seen.update(image=image, prior=prior)
        return prior + 3.0  # not normalised

    found = log_density(network, PICTURE, px_per_deg=35.0)
    assert seen["image"].shape == (1, 3, 96, 128)
    assert seen["image"].max() <= 255.5
    assert seen["image"].mean() == pytest.approx(PICTURE.pixels.mean(), rel=0.01)
    assert seen["prior"].shape == (1, 96, 128)
    assert np.exp(seen["prior"]).sum() == pytest.approx(1, abs=1e-4)
    assert found.log.shape == (48, 64)
    assert np.exp(found.log).sum() == pytest.approx(1)
    unknown = Picture(PICTURE.pixels)
    log_density(network, unknown)
    assert seen["image"].shape == (1, 3, 48, 64)


def test_a_network_that_answers_in_another_size_is_refused():
    with pytest.raises(ValueError, match="expected a log density of"):
        log_density(lambda image, prior: np.zeros((2, 2)), PICTURE)


def test_faults_of_a_checkpoint(tmp_path, monkeypatch):
    with pytest.raises(Misuse, match="deepgaze got no checkpoint"):
        deepgaze(PICTURE)
    with pytest.raises(Misuse, match="is not a file"):
        loaded(str(tmp_path / "none.pt"))
    (tmp_path / "some.pt").write_bytes(b"no network")
    monkeypatch.setitem(sys.modules, "torch", None)  # as if it were not installed
    with pytest.raises(Misuse, match="needs torch, which is not installed"):
        loaded(str(tmp_path / "some.pt"))
    with pytest.raises(Misuse, match="expected more than 0"):
        deepgaze(PICTURE, checkpoint="x", px_per_deg=0)
