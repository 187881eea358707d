"""COCO-FreeView and COCO-Search18: what was written comes back, and what is wrong is named."""

import json

import pytest

import attention_folders as made
from beholder.attention.datasets.coco import coco
from beholder.errors import Misuse
from beholder.registry.load import dataset as dataset_from


@pytest.mark.parametrize("task", ["", "clock"])
def test_coco(tmp_path, task):
    dataset = dataset_from("attention.datasets", f"coco(split=train):{made.coco_folder(tmp_path, task)}")
    prefix = f"{task}/" if task else ""
    assert dataset.ids == (f"{prefix}000000001", f"{prefix}000000002")
    assert dataset.name == ("coco_search18_train" if task else "coco_freeview_train")
    for at, sample in enumerate(dataset):
        made.assert_paths(sample.reference.paths, at)
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
    with pytest.raises(Misuse, match=r"trials\.json: not valid JSON"):
        coco(folder)
