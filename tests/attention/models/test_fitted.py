"""Maps of yours as densities."""

import numpy as np
import pytest

import beholder as bh
from attention_gallery import NAMES, bump, gallery, spot
from beholder.attention.datasets.table import table
from beholder.attention.measures.information import information_gain
from beholder.attention.models.fitted import fitted
from beholder.attention.readouts import surface
from beholder.attention.types import Picture
from beholder.errors import Misuse

PICTURE = Picture(np.random.default_rng(0).integers(0, 256, (48, 64, 3)).astype(np.uint8), 17.5)


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
    assert np.exp(plug.function(bench.files)(sample.stimulus).log).sum() == pytest.approx(1)
    with pytest.raises(Misuse, match="expected a model and a dataset"):
        fitted(sample.stimulus)
