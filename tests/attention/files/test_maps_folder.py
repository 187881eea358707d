"""One call scores a folder of maps: each kind of file gives a row, and a failure names its file."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from PIL import Image

import beholder as bh
from beholder.attention.datasets.simulated import simulated
from beholder.attention.files import maps as files
from beholder.attention.measures.nss import nss
from beholder.core.benchmark import Benchmark, Files
from beholder.core.scores import labels
from beholder.judges.mean_score import mean_score

IDS = ("astronaut", "camera", "chelsea", "coffee", "coins", "moon", "rocket")


def blob(shape):
    """A map with its top left of the middle, of 0 … 1."""
    y, x = np.mgrid[: shape[0], : shape[1]]
    return np.exp(-((x - 0.45 * shape[1]) ** 2 + (y - 0.4 * shape[0]) ** 2) / (0.1 * shape[0] ** 2))


@pytest.fixture
def scored(tmp_path):
    dataset = simulated(4).only(IDS)
    maps = {sample.id: blob(sample.reference.shape) for sample in dataset}
    np.save(tmp_path / "astronaut.npy", maps["astronaut"])
    Image.fromarray((255 * maps["camera"]).astype(np.uint8)).save(tmp_path / "camera.png")
    Image.fromarray((65535 * maps["chelsea"]).astype(np.uint16)).save(tmp_path / "chelsea.png")
    np.save(tmp_path / "coffee.npy", np.full_like(maps["coffee"], 3.0))  # constant
    np.save(tmp_path / "coins.npy", maps["coins"][:-1])  # of another size
    np.save(tmp_path / "moon.npy", np.where(maps["moon"] > 0.9, np.nan, maps["moon"]))
    formats = Files(files.SUFFIXES, files.read, files.write, files.show)
    bench = Benchmark("attention/folder", 1, dataset, (nss,), (mean_score,), accept=files.accept_answer, files=formats)
    table = bh.run(bench, {"mine": bh.model(f"dir:{tmp_path}", bench)}, jobs=0)
    return dataset, maps, table[labels(table) == "nss"].set_index("unit")


def test_each_file_gives_what_it_must(scored):
    dataset, maps, rows = scored
    expected = dict.fromkeys(IDS, "failed") | dict.fromkeys(IDS[:4], "ok")
    assert {id: rows.loc[id, "state"] for id in IDS} == expected
    assert rows.loc["coins", "reason"].count("coins.npy: got a map of shape (302, 384); expected (303, 384)") == 1
    assert "moon.npy: got " in rows.loc["moon", "reason"]
    assert "not finite" in rows.loc["moon", "reason"]
    missing = rows.loc["rocket", "reason"]
    assert re.search(r"no recorded answer for this sample: expected \S*rocket", missing), missing
    assert rows.loc["coffee", "value"] == 0  # chance
    for id in IDS[:3]:
        z = (maps[id] - maps[id].mean()) / maps[id].std()
        x, y = dataset.load(id).reference.points.T.astype(int)
        assert_allclose(rows.loc[id, "value"], z[y, x].mean(), rtol=1e-9 if id == "astronaut" else 0.02)
