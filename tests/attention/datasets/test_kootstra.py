"""Kootstra: what was written comes back, and what is wrong is named."""

import pytest
from numpy.testing import assert_array_equal

import attention_folders as made
from beholder.attention.datasets.kootstra import kootstra
from beholder.errors import Misuse


def test_kootstra(tmp_path):
    dataset = kootstra(made.kootstra_folder(tmp_path))
    assert dataset.ids == ("animals/animals_01", "nature/nature_01")
    assert [sample.tags for sample in dataset] == [{"kind": "animals"}, {"kind": "nature"}]
    for at, sample in enumerate(dataset):
        assert list(sample.reference.paths) == ["00", "01"]
        made.assert_paths(sample.reference.paths, at, times=False)
        assert_array_equal(sample.stimulus.pixels, made.picture(at))
    made.mat(tmp_path / "eyeTrackData.mat", eyeTrackData={"animals": {"animals_01": {"subject_01": {"x": 1}}}})
    with pytest.raises(Misuse, match="animals_01, subject_01: got no fixX and fixY"):
        kootstra(tmp_path)
