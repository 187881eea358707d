"""A network in TorchScript, saved, loaded and run: where torch is installed."""

import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import beholder as bh
import toys
from beholder.attention.datasets.simulated import simulated
from beholder.attention.models.centre import centre
from beholder.attention.models.deepgaze import deepgaze, loaded
from beholder.attention.types import Picture
from beholder.errors import Misuse

pytestmark = pytest.mark.deep

GAIN = 0.02
PICTURE = Picture(np.random.default_rng(0).integers(0, 256, (36, 48, 3)).astype(np.uint8))  # px per degree not known
CODE = f"""
def forward(self, image: Tensor, centerbias: Tensor) -> Tensor:
    seen = {GAIN} * image.mean(1) + centerbias
    return seen - seen.flatten(1).logsumexp(1).reshape(-1, 1, 1)
"""
QUIET = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")  # torch says that of its own


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    """A file of a network like DeepGaze's: colours and a centre bias go in, a log density comes out."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    network = torch.jit.ScriptModule()
    network.define(CODE)
    file = tmp_path_factory.mktemp("checkpoint") / "network.pt"
    torch.jit.save(network, str(file))
    return file


def expected(picture):
    """What that network says, by hand."""
    seen = GAIN * picture.pixels.mean(axis=2) + centre(picture).log
    return seen - np.log(np.exp(seen).sum())


@QUIET
def test_its_density_is_the_one_by_hand(checkpoint):
    found = deepgaze(PICTURE, checkpoint=str(checkpoint))
    assert_allclose(found.log, expected(PICTURE), atol=2e-5)  # float32
    assert np.exp(found.log).sum() == pytest.approx(1, abs=1e-9)


@QUIET
def test_a_picture_of_another_scale_is_brought_to_that_of_the_network_and_back(checkpoint):
    flat = Picture(np.full((36, 48, 3), 90, np.uint8), px_per_deg=17.5)
    found = deepgaze(flat, checkpoint=str(checkpoint))
    assert found.log.shape == (36, 48)
    assert_allclose(found.log, centre(flat).log, atol=0.02)  # the centre bias alone, which hardly depends on the scale


@QUIET
def test_a_file_is_read_once_and_again_when_it_has_changed(checkpoint, tmp_path):
    own = Path(shutil.copy(checkpoint, tmp_path))
    first = loaded(str(own))
    assert loaded(str(own)) is first
    os.utime(own, (1, 1))
    assert loaded(str(own)) is not first


@QUIET
def test_what_is_no_torchscript_is_told(tmp_path):
    pytest.importorskip("torch", reason="torch is not installed")
    (tmp_path / "some.pt").write_bytes(b"no network")
    with pytest.raises(Misuse, match=r"some\.pt cannot be read as TorchScript"):
        loaded(str(tmp_path / "some.pt"))


@QUIET
def test_it_is_scored_by_its_spec(checkpoint):
    dataset = simulated(2).only(("camera",))
    bench = toys.vary(bh.load("attention/saliency", parts=False).on(dataset), baselines={}, people=None, blind=None)
    scores = bh.run(bench, {"net": f"deepgaze(checkpoint={checkpoint})"}, jobs=0)
    assert set(scores["state"]) == {"ok"}
    gain = scores[scores["measure"].str.startswith("information_gain")]
    assert len(gain)
    assert np.isfinite(gain["value"]).all()
