"""Where the first pixel is: each loader states its convention, and brings places into pixels that its file means."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import attention_folders as made
from beholder.attention.maps.fixation_maps import pixels
from beholder.registry.load import dataset as dataset_from
from matlab_files import cell, mat

FROM_ONE = "in the file, coordinates count pixels from 1 at their centres"
FROM_ZERO = "coordinates count from 0"
MIDDLE = "a fixation is at the middle of its pixel"
CORNER = "pixels count from 0 at the upper left corner of the picture"
CONVENTIONS = {
    "mit1003": (made.nus_folder, FROM_ZERO),
    "osie": (made.one_based_nus_folder, FROM_ONE),
    "eyecrowd": (made.one_based_nus_folder, FROM_ONE),
    "cat2000": (made.cat2000_folder, FROM_ONE),
    "salicon": (made.salicon_folder, FROM_ONE),
    "doves": (made.doves_folder, FROM_ONE),
    "kootstra": (made.kootstra_folder, FROM_ONE),
    "toronto": (made.toronto_folder, MIDDLE),
    "coco": (made.coco_folder, FROM_ZERO),
    "fixatons": (made.fixatons_folder, FROM_ZERO),
    "eyelink": (made.eyelink_folder, FROM_ZERO),
    "table": (made.table_folder, CORNER),
    "ehinger": (made.ehinger_folder, CORNER),
}


@pytest.mark.parametrize("name", CONVENTIONS)
def test_each_loader_states_its_convention(tmp_path, name):
    make, said = CONVENTIONS[name]
    about = dataset_from("attention.datasets", f"{name}:{make(tmp_path)}").about
    assert said.lower() in about.lower()


@pytest.mark.parametrize("name", ["osie", "eyecrowd"])
def test_places_that_count_from_one_are_in_the_pixel_that_they_round_to(tmp_path, name):
    """They were floored after 1 was taken away: 1.6, which MATLAB rounds to the second pixel, fell into the first."""
    made.pictures(tmp_path / "stimuli", names=("p1",))
    x, y = np.array([1.0, 1.4, 1.6, 40.5, 79.9, 80.0]), np.array([1.0, 59.8, 60.0, 30.2, 2.6, 7.0])
    subject = {"fix_x": x, "fix_y": y, "fix_duration": np.full(6, 100.0)}
    mat(tmp_path / "eye" / "fixations.mat", fixations=cell({"img": "p1.png", "subjects": cell(subject, subject)}))
    paths = dataset_from("attention.datasets", f"{name}:{tmp_path}")[0].reference.paths
    rows, columns = pixels(paths["01"].points, made.SHAPE)
    assert_array_equal(columns, np.floor(x + 0.5) - 1)  # MATLAB's round, and its first pixel
    assert_array_equal(rows, np.floor(y + 0.5) - 1)
    assert_array_equal(paths["01"].points[0], [0.5, 0.5])  # the middle of the first pixel, not its corner


def test_a_table_says_where_the_corner_is(tmp_path):
    made.pictures(tmp_path, names=("p1",))
    (tmp_path / "t.csv").write_text("stimulus,observer,index,x,y\np1,a,0,1,1\np1,a,1,1.6,1\n")
    for offset, expected in ((0, [1, 1]), (0.5, [0, 1]), (-0.5, [1, 2])):
        reference = dataset_from("attention.datasets", f"table(offset={offset}):{tmp_path}")[0].reference
        assert_array_equal(pixels(reference.points, made.SHAPE)[1], expected)
