"""Recordings of the user's own: the long table, EyeLink and BIDS."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attention_folders as made
from beholder.attention.datasets.bids import bids
from beholder.attention.datasets.ehinger import ehinger
from beholder.attention.datasets.eyelink import eyelink
from beholder.attention.datasets.table import table
from beholder.errors import Misuse
from beholder.registry.load import dataset as dataset_from

HEAD = "stimulus,observer,index,x,y\n"


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_a_table(tmp_path, suffix):
    folder = made.table_folder(tmp_path, suffix)
    dataset = dataset_from("attention.datasets", f"table(px_per_deg=30):{folder}")
    assert (dataset.name, dataset.ids) == ("table_fixations", made.NAMES)
    assert dataset.fingerprint == table(folder / f"fixations{suffix}", px_per_deg=30).fingerprint
    for at, sample in enumerate(dataset):
        assert_array_equal(sample.stimulus.pixels, made.picture(at))
        assert sample.reference.groups == dict.fromkeys(made.PEOPLE, "g")
        for who, person in enumerate(made.PEOPLE):
            x, y, duration = made.path(at, who)
            path = sample.reference.paths[person]
            assert_allclose(path.x, x)  # the rows stand in reverse; the index orders them
            assert_allclose(path.y, y)
            assert_array_equal(path.duration_ms, duration)
            assert_allclose(path.onset_ms, np.cumsum(duration) - duration)
            assert_array_equal(path.signals["pupil"], np.full(len(x), 3.5))
    assert "1 of them empty; 0 fixations outside" in dataset.about


def test_a_table_with_names_like_numbers_and_words_of_others(tmp_path):
    made.pictures(tmp_path, names=("007", "07"))
    (tmp_path / "t.csv").write_text("image,subject,index,x,y,onset_ms\n007,1,0,5,6,100\n07,01,0,7,8,200\n")
    dataset = table(tmp_path, offset=1)
    assert dataset.ids == ("007", "07")
    assert_array_equal(dataset[0].reference.paths["1"].points, [[4, 5]])
    assert_array_equal(dataset[1].reference.paths["01"].onset_ms, [200])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "stimulus,observer,x,y\np1,a,1,2\n",
            "got the columns stimulus, observer, x, y; expected stimulus, observer, index",
        ),
        (HEAD + "p1,a,0,one,2\n", "got texts in the column x"),
        (HEAD + "p1,,0,1,2\n", "got 1 rows without stimulus or observer"),
        (HEAD + "p1,a,0,1,2\np1,a,0,1,2\n", "got fixation 0 of observer a on p1 twice"),
        ("", "got no table that can be read"),
        (HEAD, "eye movements on 0 pictures"),
        (HEAD + "p9,a,0,1,2\n", "eye movements on 1 pictures, and none of these"),
    ],
)
def test_a_strange_table_is_told(tmp_path, text, said):
    made.pictures(tmp_path)
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(ValueError, match=said):
        table(tmp_path)


def test_a_folder_with_no_or_two_tables(tmp_path):
    with pytest.raises(Misuse, match=r"with none of .* expected one table; name the file"):
        table(tmp_path)
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(HEAD)
    with pytest.raises(Misuse, match=r"with a\.csv, b\.csv"):
        table(tmp_path)
    with pytest.raises(Misuse, match="or the folder eyeData as it is published"):
        ehinger(tmp_path)


def test_ehinger_may_be_a_table(tmp_path):
    dataset = ehinger(made.table_folder(tmp_path))
    assert dataset.name == "ehinger"
    assert "14 participants, search for a pedestrian, 912 pictures" in dataset.about
    assert "from a table of yours" in dataset.about
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


def test_eyelink_with_the_trackers_fixations(tmp_path):
    dataset = eyelink(made.eyelink_folder(tmp_path))
    assert dataset.ids == made.NAMES
    for at, sample in enumerate(dataset):
        for who, person in enumerate(made.PEOPLE):
            x, y, duration = made.path(at, who)
            path = sample.reference.paths[person]
            assert_allclose(path.points, np.stack([x, y], axis=1))  # the picture stands in the middle of the screen
            assert_array_equal(path.duration_ms, duration)
            assert_array_equal(path.onset_ms, 30 + np.cumsum(duration) - duration)  # not the one from before
            assert_array_equal(path.signals["pupil"], np.full(len(x), 1200))
    assert "1 of them empty" in dataset.about


def test_eyelink_with_a_detector(tmp_path):
    folder = made.eyelink_folder(tmp_path)
    dataset = eyelink(folder, detector="velocity", px_per_deg=30)
    assert dataset.name == "eyelink_velocity"
    assert_allclose(dataset.load("p2").reference.paths["bob"].points, [[40, 30], [70, 21]], atol=0.6)
    with pytest.raises(Misuse, match="got nan px per degree"):
        eyelink(folder, detector="velocity")


def test_eyelink_that_is_none(tmp_path):
    with pytest.raises(Misuse, match=r"without \.asc files"):
        eyelink(tmp_path)
    folder = made.eyelink_folder(tmp_path)
    for file in (folder / "stimuli").iterdir():
        file.unlink()
    with pytest.raises(Misuse, match="no message that names one of 0 pictures"):
        eyelink(folder)


def test_eyelink_without_a_screen_or_with_a_second_look(tmp_path):
    folder = made.eyelink_folder(tmp_path)
    text = (folder / "ann.asc").read_text()
    (folder / "ann.asc").write_text(text.replace("DISPLAY_COORDS", "DISPLAY"))
    with pytest.raises(Misuse, match=r"ann\.asc: got no GAZE_COORDS or DISPLAY_COORDS"):
        eyelink(folder)
    (folder / "ann.asc").write_text(text.replace("p2.png", "p1.png"))
    with pytest.raises(Misuse, match=r"p1\.png: got the observer 'ann' twice"):
        eyelink(folder)


def test_bids(tmp_path):
    dataset = dataset_from("attention.datasets", f"bids:{made.bids_folder(tmp_path)}")
    assert (dataset.name, dataset.ids) == ("bids_velocity", ("p1", "p2"))
    assert dataset[0].stimulus.px_per_deg == pytest.approx(1000 * 0.57 * np.tan(np.pi / 180), abs=1e-6)
    for at, sample in enumerate(dataset):
        for who, person in enumerate(("01", "02")):
            path = sample.reference.paths[person]
            assert_allclose(path.points, [[40, 30], [70, 20 + 3 * at + who]], atol=0.6)
            assert_allclose(path.onset_ms, [0, 508], atol=10)
    assert bids(tmp_path, detector="acceleration", task="look").name == "bids_acceleration"


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("task-look_events.json", "ScreenSize", "Size", "got no ScreenSize in StimulusPresentation"),
        ("task-look_events.json", '"top"', '"bottom"', "got the ScreenOrigin"),
        (
            "sub-01/beh/sub-01_task-look_recording-eye1_physio.json",
            "SamplingFrequency",
            "Rate",
            "got no SamplingFrequency",
        ),
        ("sub-01/beh/sub-01_task-look_recording-eye1_physio.json", '"pixel"', '"deg"', "got x_coordinate in deg"),
    ],
)
def test_bids_that_lacks_something(tmp_path, file, old, new, said):
    folder = made.bids_folder(tmp_path)
    (folder / file).write_text((folder / file).read_text().replace(old, new))
    with pytest.raises(ValueError, match=said):
        bids(folder)


def test_bids_that_is_none(tmp_path):
    with pytest.raises(Misuse, match=r"without sub-\*_recording-eye1_physio\.tsv\.gz"):
        bids(tmp_path)
    folder = made.bids_folder(tmp_path)
    with pytest.raises(Misuse, match="recording-eye2"):
        bids(folder, eye="eye2")
    for file in (folder / "stimuli").iterdir():
        file.unlink()
    with pytest.raises(Misuse, match="without events whose stim_file is one of 0 pictures"):
        bids(folder)
