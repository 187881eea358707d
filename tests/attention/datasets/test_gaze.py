"""What every dataset of recorded eye movements checks: names, changed pictures, fingerprints."""

import numpy as np
import pytest

import attention_folders as made
from beholder.attention.datasets.coco import coco
from beholder.errors import Misuse
from beholder.io import image
from beholder.registry.load import dataset as dataset_from


def test_two_pictures_of_one_name_are_refused(tmp_path):
    folder = made.coco_folder(tmp_path)
    image.write(made.picture(5), folder / "images" / "000000001.png")
    with pytest.raises(Misuse, match="expected one picture for each name"):
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
