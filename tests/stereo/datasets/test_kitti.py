import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from PIL import Image

import stereo_folders
from beholder.engines.parcels import pack
from beholder.errors import Misuse
from beholder.registry.load import dataset as dataset_from
from beholder.stereo.datasets.kitti import kitti


def test_kitti_2015(tmp_path):
    folder = stereo_folders.kitti_folder(tmp_path)
    dataset = dataset_from("stereo.datasets", f"kitti:{folder}")
    assert (dataset.name, dataset.ids, dataset.cite) == ("kitti_2015", ("000000_10", "000001_10"), "Menze2015")
    sample = dataset[1]
    true = stereo_folders.true_map(1)
    assert_array_equal(sample.stimulus.left, stereo_folders.picture(1))
    assert_array_equal(sample.stimulus.right, stereo_folders.picture(101))
    assert sample.stimulus.max_disparity == 256
    assert_array_equal(sample.reference.disparity, true)
    known, car = np.isfinite(true), np.arange(30) > 20
    assert_array_equal(sample.reference.regions["all"], known)
    assert_array_equal(sample.reference.regions["nonocc"], known & (np.arange(30) >= 5))
    assert_array_equal(sample.reference.regions["fg"], known & car)
    assert_array_equal(sample.reference.regions["bg"], known & ~car)
    assert pickle.loads(pack(dataset)).fingerprint == kitti(folder / "training").fingerprint == dataset.fingerprint


def test_kitti_2012(tmp_path):
    dataset = kitti(stereo_folders.kitti_folder(tmp_path, 2012, 1))
    assert (dataset.name, dataset.cite) == ("kitti_2012", "Geiger2012")
    assert dataset[0].stimulus.left.ndim == 2
    assert set(dataset[0].reference.regions) == {"all", "nonocc"}
    before = dataset.fingerprint
    colour = tmp_path / "training"
    for side in "01":
        stereo_folders.save(stereo_folders.picture(int(side)), colour / f"colored_{side}" / "000000_10.png")
    assert kitti(tmp_path)[0].stimulus.left.ndim == 3
    assert kitti(tmp_path).fingerprint != before


def test_kitti_that_is_none(tmp_path):
    with pytest.raises(Misuse, match=r"without pairs; expected image_2, image_3, disp_occ_0, disp_noc_0 \(2015\)"):
        kitti(tmp_path)
    folder = stereo_folders.kitti_folder(tmp_path)
    Image.new("L", (30, 12), 5).save(folder / "training" / "disp_occ_0" / "000000_10.png")
    with pytest.raises(ValueError, match="scale would be a guess"):
        kitti(folder)[0]
