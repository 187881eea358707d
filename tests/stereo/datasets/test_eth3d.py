import numpy as np
import pytest
from numpy.testing import assert_array_equal

import stereo_folders
from beholder.errors import Misuse
from beholder.registry.load import dataset as dataset_from
from beholder.stereo.datasets.eth3d import eth3d


@pytest.mark.parametrize("apart", [True, False])
def test_eth3d(tmp_path, apart):
    dataset = dataset_from("stereo.datasets", f"eth3d:{stereo_folders.eth3d_folder(tmp_path, apart)}")
    assert dataset.ids == ("delivery_area_1l", "forest_2s")
    sample = dataset[1]
    true = stereo_folders.true_map(1)
    assert sample.stimulus.max_disparity == 32
    assert_array_equal(sample.stimulus.right, stereo_folders.picture(101, False))
    assert_array_equal(sample.reference.disparity, true)
    assert_array_equal(sample.reference.regions["all"], np.isfinite(true))
    assert_array_equal(sample.reference.regions["nonocc"], np.isfinite(true) & (stereo_folders.levels(1) == 255))


def test_eth3d_without_calibration_or_scenes(tmp_path):
    folder = stereo_folders.eth3d_folder(tmp_path, apart=False)
    (folder / "forest_2s" / "calib.txt").unlink()
    assert eth3d(folder)[1].stimulus.max_disparity == 64
    with pytest.raises(ValueError, match="expected less than 10; the scale is wrong, or give max_disparity="):
        eth3d(folder, max_disparity=10)[1]
    (folder / "forest_2s" / "mask0nocc.png").unlink()
    assert eth3d(folder).ids == ("delivery_area_1l",)
    with pytest.raises(Misuse, match="without pairs"):
        eth3d(folder / "forest_2s")
