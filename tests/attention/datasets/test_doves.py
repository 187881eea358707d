"""DOVES: what was written comes back, and what is wrong is named."""

import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attention_folders as made
from beholder.attention.datasets.doves import doves
from beholder.errors import Misuse


def test_doves(tmp_path):
    dataset = doves(made.doves_folder(tmp_path))
    assert dataset.ids == ("img00001", "img00002")
    sample = dataset[1]
    assert sample.stimulus.pixels.shape == (768, 1024)
    assert sample.stimulus.pixels.max() == 255
    made.assert_paths({"ann": sample.reference.paths["ann"]}, 1)
    assert_array_equal(sample.reference.paths["bob"].points, [[1.5, 2.5]])
    assert_array_equal(sample.reference.paths["bob"].duration_ms, [200])  # 40 samples of 200 Hz
    found = doves(tmp_path, detector="velocity")
    assert found.name == "doves_velocity"
    assert_allclose(found[1].reference.paths["bob"].points, [[500, 400], [100, 101], [900, 600]], atol=1)
    with pytest.raises(Misuse, match="without Fixations or fixations"):
        doves(tmp_path / "Images")
