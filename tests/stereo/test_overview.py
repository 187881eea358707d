"""What is said of a folder of pairs before anything runs."""

import numpy as np
import pytest

import stereo_folders as folders
from beholder.registry.find import find
from beholder.stereo.datasets.motorcycle import motorcycle
from beholder.stereo.datasets.pairs import pairs
from beholder.stereo.overview import overview


def test_counts_sizes_and_ranges(tmp_path):
    found = find("stereo", "overview")(pairs(folders.lab_by_folder(tmp_path)))
    assert found.facts == {
        "pairs": "2",
        "size": "48 × 24 px",
        "colours": "colour",
        "disparity": "3 … 3 px, median 3",
        "range told to models": "16 px",
        "truth known": "92 % of pixels".replace(" %", "%"),
        "occluded": "6% of known pixels",
        "regions": "nonocc, all, disc, textureless",
    }
    assert found.doubts == ()
    figure = found.draw()
    assert [axes.get_title() for axes in figure.axes][:3] == ["shot_01: left", "right", "true disparity; grey: unknown"]


@pytest.mark.parametrize("scale", [256, 16, 100])
def test_a_wrong_scale_is_named_and_the_mended_folder_has_no_doubts(tmp_path, scale):
    folders.lab_by_scene(tmp_path)
    for name in ("Kitchen", "hall"):
        np.save(tmp_path / name / "dispL.npy", folders.constant() * scale)
    (said,) = overview(pairs(tmp_path)).doubts
    assert said == f"As they are stored, disparities reach {3 * scale} px; the images fit better with scale={scale}"
    assert overview(pairs(tmp_path, scale=scale)).doubts == ()


def test_16_bits_that_are_not_kittis(tmp_path):
    folders.lab_by_scene(tmp_path)
    for name in ("Kitchen", "hall"):
        (tmp_path / name / "dispL.npy").unlink()
        folders.eight_bits(16 * folders.constant(), tmp_path / name / "dispL.png", np.uint16)
    (said,) = overview(pairs(tmp_path)).doubts
    assert said == "With the usual 256, disparities reach only 0.19 px; the images fit better with scale=16"
    assert overview(pairs(tmp_path, scale=16)).doubts == ()


def test_swapped_sides_are_seen(tmp_path):
    folders.lab_by_scene(tmp_path, "imR.png", "imL.png")
    (said,) = overview(pairs(tmp_path)).doubts
    assert said.startswith("left and right seem swapped")
    assert overview(pairs(tmp_path, swap=True)).doubts == ()


def test_what_cannot_be_read_is_a_doubt_with_its_sentence(tmp_path):
    folders.lab_by_scene(tmp_path)
    np.save(tmp_path / "Kitchen" / "dispL.npy", np.ones((12, 24)))
    found = overview(pairs(tmp_path))
    assert "got a map of 24 × 12 px for images of 48 × 24 px; expected one size" in found.doubts[0]
    assert found.facts["pairs"] == "2"


def test_a_real_pair_raises_no_doubt():
    found = overview(motorcycle())
    assert found.doubts == ()
    assert found.facts["disparity"].startswith("5.") or "59.9" in found.facts["disparity"]
