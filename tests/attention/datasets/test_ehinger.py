"""Ehinger: the published files, or a table."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attention_folders as made
from beholder.attention.datasets.ehinger import ehinger
from beholder.errors import Misuse


def test_ehinger_may_be_a_table(tmp_path):
    dataset = ehinger(made.table_folder(tmp_path))
    assert dataset.name == "ehinger"
    assert "14 participants, search for a pedestrian, 912 pictures" in dataset.about
    assert "from your own table" in dataset.about
    assert_allclose(dataset[0].reference.paths["ann"].x, made.path(0, 0)[0])


def test_ehinger(tmp_path):
    dataset = ehinger(made.ehinger_folder(tmp_path))
    assert dataset.ids == made.NAMES
    assert [sample.tags["target"] for sample in dataset] == ["absent", "present", "present"]
    for at, sample in enumerate(dataset):
        for who, path in enumerate(sample.reference.paths.values()):
            assert_allclose(path.points, made.path(at, who)[:2].T)
    made.mat(tmp_path / "eyeData" / "p1.mat", p1={"subdata": {"fixXY": np.zeros((2, 3))}})
    with pytest.raises(Misuse, match=r"got fixXY of shape \(2, 3\) in subdata\(1\); expected n x 2"):
        ehinger(tmp_path)
    made.mat(tmp_path / "eyeData" / "p1.mat", p1={"a": 1})
    with pytest.raises(Misuse, match=r"p1\.mat: got no subdata"):
        ehinger(tmp_path)
