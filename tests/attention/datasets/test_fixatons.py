"""FixaTons: what was written comes back, and what is wrong is named."""

import pytest
from numpy.testing import assert_allclose

import attention_folders as made
from beholder.attention.datasets.fixatons import fixatons
from beholder.errors import Misuse


def test_fixatons(tmp_path):
    dataset = fixatons(made.fixatons_folder(tmp_path))
    assert dataset.ids[0] == "SIENA12/p1"
    assert len(dataset) == 6
    for at, sample in enumerate(dataset):
        made.assert_paths(sample.reference.paths, at % 3)
        assert list(sample.reference.paths) == list(made.PEOPLE)
    one = fixatons(tmp_path / "TORINO", flip=True, px_per_deg=30)
    assert (one.name, one.ids) == ("fixatons_TORINO", made.NAMES)
    assert_allclose(one[0].reference.paths["ann"].y, 60 - made.path(0, 0)[1])
    (tmp_path / "TORINO" / "SCANPATHS" / "p1" / "ann").write_text("1 2 3\n")
    with pytest.raises(Misuse, match="ann: got lines that are not four numbers; expected x y start end"):
        fixatons(tmp_path)
    with pytest.raises(Misuse, match="without STIMULI and SCANPATHS"):
        fixatons(tmp_path / "TORINO" / "STIMULI")
