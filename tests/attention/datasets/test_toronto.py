"""Toronto: what was written comes back, and what is wrong is named."""

import pytest
from numpy.testing import assert_array_equal

import attention_folders as made
from beholder.attention.datasets.toronto import toronto
from beholder.errors import Misuse


def test_toronto(tmp_path):
    dataset = toronto(made.toronto_folder(tmp_path))
    assert dataset.ids == ("1", "2")
    sample = dataset[0]
    assert_array_equal(sample.reference.paths["everybody"].points, [[10.5, 5.5], [70.5, 7.5]])
    assert_array_equal(sample.reference.controls.points, [[40, 30]])
    assert "20 participants" in dataset.about
    assert "up to 11" in dataset.about
    with pytest.raises(Misuse, match=r"without origfixdata\.mat"):
        toronto(tmp_path / "eyetrackingdata" / "fixdens" / "Original Image Set")
    made.mat(tmp_path / "eyetrackingdata" / "fixdens" / "origfixdata.mat", white=made.cell("a", "b"))
    with pytest.raises(Misuse, match=r"map 1: got .* expected a map of fixated pixels"):
        toronto(tmp_path)
