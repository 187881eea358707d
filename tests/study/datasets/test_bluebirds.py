"""Labels of birds, from their folder and from the package."""

import shutil

import numpy as np
import pytest

from beholder.errors import Misuse
from beholder.study.data.carried import carried
from beholder.study.datasets.bluebirds import bluebirds, numbers
from beholder.study.ratings import ratings_of
from study_files import bluebirds_folder, write


def test_a_folder(tmp_path):
    found = bluebirds(bluebirds_folder(tmp_path))
    assert (found.name, found.ids) == ("bluebirds", ("11", "12", "13"))
    assert found.load("12").reference.ratings == {"bluebirds": {"39": 0.0, "40": 1.0}}
    assert [sample.stimulus.columns["truth"] for sample in found] == [1, 0, 1]
    assert [sample.tags["cluster"] for sample in found] == ["11", "12", "13"]
    ducks = bluebirds(tmp_path, which="ducks")
    assert ducks.load("1").reference.ratings == {"ducks": {"0": 0.0, "2": 0.0}}
    assert [sample.stimulus.columns["truth"] for sample in ducks] == [1, 0]


@pytest.mark.parametrize(
    ("file", "text", "sentence"),
    [
        ("bluebirds/gt.yaml", "{11: true, 12: maybe, 13: true}", "got the label 'maybe'; expected true or false"),
        ("bluebirds/gt.yaml", "{11: true}", "got labels but no truth for image 12"),
        ("bluebirds/labels.yaml", "nothing", "got no map"),
        ("ducks/labels.txt", "2 3 9\n0 0 0\n", "got 1 labels"),
        ("ducks/labels.txt", "2 3 1\n0 0 7\n", "got the label '7'"),
    ],
)
def test_bad_files(tmp_path, file, text, sentence):
    write(bluebirds_folder(tmp_path) / file, text)
    with pytest.raises(Misuse) as told:
        bluebirds(tmp_path, which=file.partition("/")[0])
    assert sentence in str(told.value)


def test_the_folder_that_is_fetched_has_no_ducks(tmp_path):
    shutil.rmtree(bluebirds_folder(tmp_path) / "ducks")
    assert len(bluebirds(tmp_path)) == 3
    with pytest.raises(Misuse, match=r"without labels\.txt"):
        bluebirds(tmp_path, which="ducks")


def test_bad_words(tmp_path):
    with pytest.raises(Misuse, match="got which='geese'; expected bluebirds or ducks"):
        bluebirds(which="geese")
    with pytest.raises(Misuse, match=r"without gt\.yaml"):
        bluebirds(tmp_path)


def test_the_carried_numbers_are_those_of_the_source():
    # data.md 3.14
    held = ratings_of(bluebirds())
    table, truth = held.table, held.columns["truth"]
    assert (len(truth), table["rater"].nunique(), len(table)) == (108, 39, 108 * 39)
    votes = table.groupby("item")["value"].mean()
    right = table["value"] == table["item"].map(truth)
    majority = (votes > 0.5) == (truth[votes.index] == 1)
    shares = [round(float(each.mean()), 6) for each in (table["value"], truth, majority)]
    assert shares == [0.379155, 0.444444, 0.759259]
    assert round(float(right.groupby(table["rater"]).mean().mean()), 4) == 0.6356
    ducks = ratings_of(bluebirds(which="ducks")).table
    assert (ducks["item"].nunique(), ducks["rater"].nunique(), len(ducks)) == (240, 53, 9600)
    assert (ducks.groupby("item").size() == 40).all()


@pytest.mark.data
def test_the_carried_numbers_equal_those_of_the_folder(data):
    if not (data / "bluebirds").is_dir():
        pytest.skip("bluebirds is not here: set BEHOLDER_DATA")
    held = numbers(data / "bluebirds")
    assert set(held) == set(carried("bluebirds"))
    for name, array in held.items():
        np.testing.assert_array_equal(carried("bluebirds")[name], array)
    for which in ("bluebirds", "ducks"):
        assert bluebirds(which=which).fingerprint == bluebirds(data / "bluebirds", which=which).fingerprint
