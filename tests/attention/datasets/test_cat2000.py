"""CAT2000: with observers, and with maps only."""

import pytest
from numpy.testing import assert_array_equal

import attention_folders as made
from beholder.attention.datasets.cat2000 import cat2000
from beholder.errors import Misuse


def test_cat2000(tmp_path):
    dataset = cat2000(made.cat2000_folder(tmp_path))
    assert dataset.ids == ("Action/001", "Art/001")
    first, second = dataset
    assert first.tags == {"kind": "Action"}
    assert list(first.reference.paths) == ["ak", "bl"]
    assert_array_equal(first.reference.paths["ak"].points, [[10.5, 20.5], [31, 40.5]])  # one of the repeated rows
    assert_array_equal(second.reference.paths["bl"].points, [[11.5, 21.5]])
    assert first.reference.dropped == 1  # the row of NaN
    with pytest.raises(Misuse, match="without Stimuli"):
        cat2000(tmp_path / "trainSet" / "Stimuli")


def test_cat2000_with_maps_only(tmp_path):
    dataset = cat2000(made.cat2000_maps_folder(tmp_path))
    assert_array_equal(dataset[1].reference.paths["everybody"].points, [[20.5, 11.5]])
    assert "does not tell people apart" in dataset.about


def test_observers_whose_short_names_are_the_same(tmp_path):
    made.pictures(tmp_path / "Stimuli", ".jpg", ("Action/001",))
    rows = made.CAT_ROWS
    twice = made.cell({"name": "1-2-ak.eye", "data": rows}, {"name": "3-4-ak.eye", "data": rows})
    made.map_file(tmp_path / "allFixData.mat", ["Action/001.jpg"], [twice])
    assert list(cat2000(tmp_path)[0].reference.paths) == ["1-2-ak", "3-4-ak"]
    same_name = made.cell(*[{"name": "1-2-ak.eye", "data": rows}] * 2)
    made.map_file(tmp_path / "allFixData.mat", ["Action/001.jpg"], [same_name])
    with pytest.raises(Misuse, match="Action/001: got the observer '1-2-ak' twice"):
        cat2000(tmp_path)
