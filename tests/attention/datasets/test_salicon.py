"""SALICON: one file per picture, or one list."""

import json

import pytest

import attention_folders as made
from beholder.attention.datasets.salicon import salicon
from beholder.errors import Misuse


def test_salicon(tmp_path):
    dataset = salicon(made.salicon_folder(tmp_path))
    assert dataset.ids == made.NAMES
    for at, sample in enumerate(dataset):
        made.assert_paths(sample.reference.paths, at, times=False)
    everybody = [who for sample in dataset for who in sample.reference.paths]
    assert len(set(everybody)) == len(everybody)  # nobody is known to be the same
    made.mat(tmp_path / "fixations" / "train" / "p1.mat", gaze={"location": [1.0, 2.0]})
    with pytest.raises(Misuse, match=r"got no fixations in gaze\(1\)"):
        salicon(tmp_path)


def salicon_list(root, **changes):
    """The edition of the evaluation server: rows and columns from 1."""
    annotations = [
        {"image_id": 10 + at, "worker_id": 7 + who, "fixations": (made.path(at, who)[1::-1].T + made.FROM_ONE).tolist()}
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
        made.assert_paths(sample.reference.paths, at, times=False)
    assert "identified by numbers" in dataset.about
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
    with pytest.raises(Misuse, match=r"without \.mat files, one per picture, and without a list"):
        salicon(tmp_path)
    made.pictures(tmp_path / "images", ".jpg")
    salicon_list(tmp_path, **changes)
    with pytest.raises(Misuse, match=said):
        salicon(tmp_path)
    (tmp_path / "annotations" / "fixations_train2014.json").write_text("[1]")
    with pytest.raises(Misuse, match="got no images and annotations"):
        salicon(tmp_path)
