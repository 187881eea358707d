"""The plain table: what was written comes back, and what is wrong is named."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attention_folders as made
from beholder.attention.datasets.ehinger import ehinger
from beholder.attention.datasets.table import table
from beholder.errors import Misuse
from beholder.registry.load import dataset as dataset_from

HEAD = "stimulus,observer,index,x,y\n"


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_a_table(tmp_path, suffix):
    folder = made.table_folder(tmp_path, suffix)
    dataset = dataset_from("attention.datasets", f"table(px_per_deg=30):{folder}")
    assert (dataset.name, dataset.ids) == ("fixations_fixations", made.NAMES)
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
    dataset = table(tmp_path, offset=0.5)
    assert dataset.ids == ("007", "07")
    assert_array_equal(dataset[0].reference.paths["1"].points, [[4.5, 5.5]])
    assert_array_equal(dataset[1].reference.paths["01"].onset_ms, [200])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "stim,observer,a,y\np1,a,1,2\n",
            "got the columns stim, observer, a, y; which of them is x\\? Say it: --columns x=COLUMN "
            "\\(understood: stimulus=stim, observer=observer, y=y\\)",
        ),
        ("image,subject,index,x,y\np1,,0,1,2\n", "got 1 rows without image or subject"),
        ("image,subject,index,x,y\np1,a,0,1,2\np1,a,0,1,2\n", "got fixation 0 of subject a on p1 twice"),
        (HEAD + "p1,a,0,one,2\n", "got text in the column x"),
        (HEAD + "p1,,0,1,2\n", "got 1 rows without stimulus or observer"),
        (HEAD + "p1,a,0,1,2\np1,a,0,1,2\n", "got fixation 0 of observer a on p1 twice"),
        ("", "got no table that can be read"),
        (HEAD, "eye movements on 0 pictures"),
        (HEAD + "p9,a,0,1,2\n", "eye movements on 1 pictures, but without the pictures"),
    ],
)
def test_a_strange_table_is_told(tmp_path, text, said):
    made.pictures(tmp_path)
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(ValueError, match=said):
        table(tmp_path)


def test_a_folder_with_no_or_two_tables(tmp_path):
    with pytest.raises(Misuse, match=r"with none of .* expected one table; give the file itself"):
        table(tmp_path)
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(HEAD)
    with pytest.raises(Misuse, match=r"with a\.csv, b\.csv"):
        table(tmp_path)
    with pytest.raises(Misuse, match="or the folder eyeData as it is published"):
        ehinger(tmp_path)
