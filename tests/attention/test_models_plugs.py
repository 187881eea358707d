"""Networks from a checkpoint, and maps of yours as densities: what goes in, what comes out, and each fault."""

import sys

import numpy as np
import pytest

import beholder as bh
from attention_gallery import NAMES, bump, gallery, spot
from beholder.attention.datasets.table import table
from beholder.attention.measures.information import information_gain
from beholder.attention.models.deepgaze import deepgaze, loaded, log_density
from beholder.attention.models.fitted import fitted
from beholder.attention.readouts import surface
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


def test_a_folder_of_maps_becomes_densities(tmp_path):
    dataset, maps = gallery(tmp_path / "dataset"), tmp_path / "maps"
    maps.mkdir()
    for name in NAMES:
        np.save(maps / f"{name}.npy", bump(*spot(name)))
    sample = table(dataset, px_per_deg=6.0)[0]
    found = fitted(sample.stimulus, of=f"dir:{maps}", on=f"table(px_per_deg=6):{dataset}")
    assert information_gain(surface(found, sample.stimulus), sample.reference).value > 1
    with pytest.raises(LookupError, match="this picture is not in the dataset"):
        fitted(PICTURE, of=f"dir:{maps}", on=f"table(px_per_deg=6):{dataset}")


def test_it_is_a_model_of_the_command_line(tmp_path):
    dataset = gallery(tmp_path / "dataset", NAMES[:3])
    bench = bh.load("attention/saliency", dataset=f"table:{dataset}")
    plug = bh.model(f"fitted(of='image_signature', on='table:{dataset}')", bench)
    sample = bench.dataset[0]
    assert np.exp(plug.open(bench.files)(sample.stimulus).log).sum() == pytest.approx(1)
    with pytest.raises(Misuse, match="expected a model and a dataset"):
        fitted(sample.stimulus)
