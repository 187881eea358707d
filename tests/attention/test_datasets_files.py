"""The other loaders of recorded eye movements: what was written comes back, and what is wrong is told."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attention_folders as made
from beholder.attention.datasets.cat2000 import cat2000
from beholder.attention.datasets.coco import coco
from beholder.attention.datasets.doves import doves
from beholder.attention.datasets.fixatons import fixatons
from beholder.attention.datasets.kootstra import kootstra
from beholder.attention.datasets.salicon import salicon
from beholder.attention.datasets.toronto import toronto
from beholder.errors import Misuse
from beholder.io import image
from beholder.registry.load import dataset as dataset_from


def same(paths, picture_at, times=True):
    """Whether some paths are those of one of the made-up pictures."""
    for who, path in enumerate(paths.values()):
        x, y, duration = made.path(picture_at, who)
        assert_allclose(path.x, x, atol=1e-9)
        assert_allclose(path.y, y, atol=1e-9)
        if times:
            assert_allclose(path.duration_ms, duration, atol=1e-9)
            assert_allclose(path.onset_ms, np.cumsum(duration) - duration, atol=1e-9)
        else:
            assert np.isnan(path.duration_ms).all()


def test_toronto(tmp_path):
    dataset = toronto(made.toronto_folder(tmp_path))
    assert dataset.ids == ("1", "2")
    sample = dataset[0]
    assert_array_equal(sample.reference.paths["everybody"].points, [[10, 5], [70, 7]])
    assert_array_equal(sample.reference.controls.points, [[40, 30]])
    assert "20 participants" in dataset.about
    assert "up to 11" in dataset.about
    with pytest.raises(Misuse, match=r"without origfixdata\.mat"):
        toronto(tmp_path / "eyetrackingdata" / "fixdens" / "Original Image Set")
    made.mat(tmp_path / "eyetrackingdata" / "fixdens" / "origfixdata.mat", white=made.cell("a", "b"))
    with pytest.raises(Misuse, match=r"map 1: got .* expected a map of fixated pixels"):
        toronto(tmp_path)


def test_kootstra(tmp_path):
    dataset = kootstra(made.kootstra_folder(tmp_path))
    assert dataset.ids == ("animals/animals_01", "nature/nature_01")
    assert [sample.tags for sample in dataset] == [{"kind": "animals"}, {"kind": "nature"}]
    for at, sample in enumerate(dataset):
        assert list(sample.reference.paths) == ["00", "01"]
        same(sample.reference.paths, at, times=False)
        assert_array_equal(sample.stimulus.pixels, made.picture(at))
    made.mat(tmp_path / "eyeTrackData.mat", eyeTrackData={"animals": {"animals_01": {"subject_01": {"x": 1}}}})
    with pytest.raises(Misuse, match="animals_01, subject_01: got no fixX and fixY"):
        kootstra(tmp_path)


def test_cat2000(tmp_path):
    dataset = cat2000(made.cat2000_folder(tmp_path))
    assert dataset.ids == ("Action/001", "Art/001")
    first, second = dataset
    assert first.tags == {"kind": "Action"}
    assert list(first.reference.paths) == ["ak", "bl"]
    assert_array_equal(first.reference.paths["ak"].points, [[10, 20], [30.5, 40]])  # from 0, one of the repeated rows
    assert_array_equal(second.reference.paths["bl"].points, [[11, 21]])
    assert first.reference.dropped == 1  # the row of NaN
    with pytest.raises(Misuse, match="without Stimuli"):
        cat2000(tmp_path / "trainSet" / "Stimuli")


def test_cat2000_with_maps_only(tmp_path):
    dataset = cat2000(made.cat2000_maps_folder(tmp_path))
    assert_array_equal(dataset[1].reference.paths["everybody"].points, [[20, 11]])
    assert "cannot be told apart" in dataset.about


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


def test_doves(tmp_path):
    dataset = doves(made.doves_folder(tmp_path))
    assert dataset.ids == ("img00001", "img00002")
    sample = dataset[1]
    assert sample.stimulus.pixels.shape == (768, 1024)
    assert sample.stimulus.pixels.max() == 255
    same({"ann": sample.reference.paths["ann"]}, 1)
    assert_array_equal(sample.reference.paths["bob"].points, [[1, 2]])
    assert_array_equal(sample.reference.paths["bob"].duration_ms, [200])  # 40 samples of 200 Hz
    found = doves(tmp_path, detector="velocity")
    assert found.name == "doves_velocity"
    assert_allclose(found[1].reference.paths["bob"].points, [[500, 400], [100, 101], [900, 600]], atol=1)
    with pytest.raises(Misuse, match="without Fixations or fixations"):
        doves(tmp_path / "Images")


def test_salicon(tmp_path):
    dataset = salicon(made.salicon_folder(tmp_path))
    assert dataset.ids == made.NAMES
    for at, sample in enumerate(dataset):
        same(sample.reference.paths, at, times=False)
    everybody = [who for sample in dataset for who in sample.reference.paths]
    assert len(set(everybody)) == len(everybody)  # nobody is known to be the same
    made.mat(tmp_path / "fixations" / "train" / "p1.mat", gaze={"location": [1.0, 2.0]})
    with pytest.raises(Misuse, match=r"got no fixations in gaze\(1\)"):
        salicon(tmp_path)


def salicon_list(root, **changes):
    """The edition of the evaluation server: rows and columns from 1."""
    annotations = [
        {"image_id": 10 + at, "worker_id": 7 + who, "fixations": (made.path(at, who)[1::-1].T + 1).tolist()}
        for at in range(len(made.NAMES))
        for who in range(2)
    ]
    names = [f"{name}.jpg" for name in made.NAMES]
    images = [{"id": 10 + at, "file_name": name, "height": 60, "width": 80} for at, name in enumerate(names)]
    held = {"type": "fixations", "images": images, "annotations": annotations} | changes
    (root / "annotations").mkdir(exist_ok=True)
    (root / "annotations" / "fixations_train2014.json").write_text(json.dumps(held))


def test_salicon_as_a_list(tmp_path):
    made.pictures(tmp_path / "images", ".jpg")
    salicon_list(tmp_path)
    dataset = salicon(tmp_path)
    assert (dataset.name, dataset.ids) == ("salicon_json", made.NAMES)
    for at, sample in enumerate(dataset):
        assert list(sample.reference.paths) == ["7", "8"]
        same(sample.reference.paths, at, times=False)
    assert "known by their numbers" in dataset.about
    one = {"image_id": 10, "worker_id": 7, "fixations": [[1, 2]]}
    salicon_list(tmp_path, annotations=[one, one])
    assert list(salicon(tmp_path)[0].reference.paths) == ["7", "7#1"]  # a worker who came again


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"annotations": [{"image_id": 10}]}, "got annotation 0 without image_id and fixations"),
        ({"annotations": [{"image_id": 10, "fixations": [[1, 2, 3]]}]}, r"got fixations of shape \(1, 3\)"),
    ],
)
def test_a_strange_list_of_salicon_is_told(tmp_path, changes, said):
    with pytest.raises(Misuse, match=r"without \.mat files, one a picture, and without a list"):
        salicon(tmp_path)
    made.pictures(tmp_path / "images", ".jpg")
    salicon_list(tmp_path, **changes)
    with pytest.raises(Misuse, match=said):
        salicon(tmp_path)
    (tmp_path / "annotations" / "fixations_train2014.json").write_text("[1]")
    with pytest.raises(Misuse, match="got no images and annotations"):
        salicon(tmp_path)


def test_fixatons(tmp_path):
    dataset = fixatons(made.fixatons_folder(tmp_path))
    assert dataset.ids[0] == "SIENA12/p1"
    assert len(dataset) == 6
    for at, sample in enumerate(dataset):
        same(sample.reference.paths, at % 3)
        assert list(sample.reference.paths) == list(made.PEOPLE)
    one = fixatons(tmp_path / "TORINO", flip=True, px_per_deg=30)
    assert (one.name, one.ids) == ("fixatons_TORINO", made.NAMES)
    assert_allclose(one[0].reference.paths["ann"].y, 60 - made.path(0, 0)[1])
    (tmp_path / "TORINO" / "SCANPATHS" / "p1" / "ann").write_text("1 2 3\n")
    with pytest.raises(Misuse, match="ann: got lines of other than four numbers; expected x y start end"):
        fixatons(tmp_path)
    with pytest.raises(Misuse, match="without STIMULI and SCANPATHS"):
        fixatons(tmp_path / "TORINO" / "STIMULI")


@pytest.mark.parametrize("task", ["", "clock"])
def test_coco(tmp_path, task):
    dataset = dataset_from("attention.datasets", f"coco(split=train):{made.coco_folder(tmp_path, task)}")
    prefix = f"{task}/" if task else ""
    assert dataset.ids == (f"{prefix}000000001", f"{prefix}000000002")
    assert dataset.name == ("coco_search18_train" if task else "coco_freeview_train")
    for at, sample in enumerate(dataset):
        same(sample.reference.paths, at)
        assert sample.tags == {"split": "train"} | ({"task": task} if task else {})
    assert ("search for clock" if task else "free viewing") in dataset.about


def test_coco_that_is_none(tmp_path):
    with pytest.raises(Misuse, match=r"without \.json files"):
        coco(tmp_path)
    folder = made.coco_folder(tmp_path)
    trials = json.loads((folder / "trials.json").read_text())
    with pytest.raises(Misuse, match="of the split 'test'"):
        coco(folder, split="test")
    (folder / "trials.json").write_text(json.dumps([*trials, trials[0]]))
    with pytest.raises(Misuse, match="000000001: got the observer '1' twice"):
        coco(folder)
    trials[0]["T"] = [1]
    (folder / "trials.json").write_text(json.dumps(trials))
    with pytest.raises(Misuse, match="000000001, subject 1: got 3 values of x and"):
        coco(folder)
    (folder / "trials.json").write_text('{"a": 1}')
    with pytest.raises(Misuse, match="got no list of trials with X, Y, name, subject"):
        coco(folder)
    (folder / "trials.json").write_text("[")
    with pytest.raises(Misuse, match=r"trials\.json: got no JSON"):
        coco(folder)


def test_two_pictures_of_one_name_are_refused(tmp_path):
    folder = made.coco_folder(tmp_path)
    image.write(made.picture(5), folder / "images" / "000000001.png")
    with pytest.raises(Misuse, match="expected one picture of a name"):
        coco(folder)


def test_a_picture_that_changed_since_is_told(tmp_path):
    folder = made.coco_folder(tmp_path)
    dataset = coco(folder)
    image.write(made.picture(5, (30, 40)), folder / "images" / "000000001.jpg")
    with pytest.raises(ValueError, match=r"got \(30, 40\) rows and columns; expected \(60, 80\); was it changed"):
        dataset[0]


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [("kootstra", "offset=1", "offset=0"), ("doves", "offset=1", "offset=0"), ("fixatons", "flip=false", "flip=true")],
)
def test_what_changes_the_paths_changes_the_fingerprint(tmp_path, name, first, second):
    folder = made.FOLDERS[name](tmp_path)
    one, other = (dataset_from("attention.datasets", f"{name}({setting}):{folder}") for setting in (first, second))
    assert one.fingerprint != other.fingerprint
    assert not np.array_equal(one[0].reference.points, other[0].reference.points)
