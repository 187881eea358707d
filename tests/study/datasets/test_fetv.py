"""FETV's ratings, from its folder and from the package."""

from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from pandas.testing import assert_frame_equal

from beholder.errors import Misuse
from beholder.study.data.__main__ import main
from beholder.study.data.carried import carried
from beholder.study.datasets.bluebirds import bluebirds
from beholder.study.datasets.fetv import fetv, numbers
from beholder.study.ratings import ratings_of
from study_files import fetv_folder, write

# data.md 3.10: means of the three raters, static / temporal / alignment
MEANS = {
    "cogvideo": (3.239, 3.303, 3.103),
    "text2video-zero": (4.109, 2.043, 3.416),
    "modelscope-t2v": (3.782, 4.070, 3.787),
    "zeroscope": (3.523, 3.715, 3.574),
    "ground-truth": (4.766, 4.884, 4.887),
}


def test_a_folder(tmp_path):
    found = fetv(fetv_folder(tmp_path))
    assert found.ids == ("cogvideo/000", "cogvideo/001", "modelscope-t2v/000", "modelscope-t2v/001")
    sample = found.load("modelscope-t2v/001")
    assert sample.stimulus.columns == {"CLIPScore": 1.2}
    assert sample.reference.ratings["temporal"] == {"human0": 3.0, "human1": 4.0}
    assert sample.tags == {"system": "modelscope-t2v", "group": "001", "cluster": "001"}
    assert "2 real videos are left out" in found.about
    assert len(fetv(tmp_path, real=True)) == 6


def test_a_lacking_metric_and_a_lacking_rating_are_said(tmp_path):
    fetv_folder(tmp_path)
    (tmp_path / "auto_eval_results/CLIPScore/auto_eval_results_cogvideo.json").unlink()
    write(tmp_path / "manual_eval_results/human0/manual_eval_results_cogvideo.json", '{"0": {"alignment": 2}}')
    found = fetv(tmp_path)
    assert found.remarks == ("2 items are without the value of at least one metric: cogvideo/000, cogvideo/001",)
    assert found.load("cogvideo/000").reference.ratings["static"] == {"human1": 2.0}


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('{"0": {"alignment": 6}}', "prompt 0: got the rating 6; expected 1 … 5"),
        ('{"0": {"alignment": true}}', "got the rating True"),
        ('{"0": 3}', "expected the number of a prompt and its ratings"),
        ('{"0": {}}\n{"0": {}}', "got the prompt 0 twice"),
        ('{"0": {}', "line 1: not valid JSON"),
    ],
)
def test_bad_lines(tmp_path, line, sentence):
    write(fetv_folder(tmp_path) / "manual_eval_results/human0/manual_eval_results_cogvideo.json", line)
    with pytest.raises(Misuse) as told:
        fetv(tmp_path)
    assert sentence in str(told.value)


def test_folders_without_ratings(tmp_path):
    with pytest.raises(Misuse, match="without manual_eval_results"):
        fetv(tmp_path)
    with pytest.raises(Misuse, match="which is not a folder; expected the folder of FETV-EVAL"):
        fetv(tmp_path / "none")


def test_the_carried_numbers_are_those_of_the_source():
    found = fetv(real=True)
    table = ratings_of(found).table
    assert len(found) == 619 * 4 + 541
    assert len(fetv()) == 619 * 4
    assert (table.groupby(["item", "dimension"]).size() == 3).all()
    means = table.groupby(["system", "dimension"])["value"].mean()
    got = {name: tuple(means[name, part].round(3) for part in ("static", "temporal", "alignment")) for name in MEANS}
    assert got == MEANS
    assert list(ratings_of(found).columns) == ["BLIPScore", "CLIPScore", "CLIPScore-ft", "Otter-VQA", "UMTScore"]
    assert ratings_of(found).columns.notna().all(axis=None)


def test_what_is_carried_is_small_and_holds_no_sentence():
    folder = resources.files("beholder.study.data")
    assert sum(file.stat().st_size for file in Path(str(folder)).iterdir() if file.is_file()) < 500_000
    texts = [str(word) for name in ("fetv", "bluebirds") for held in carried(name).values() if held.dtype.kind == "U"
             for word in held]  # fmt: skip
    assert texts
    assert not any(" " in text for text in (*texts, *fetv(real=True).ids, *bluebirds().ids))


def test_the_script_writes_what_the_loader_reads(tmp_path):
    folder = fetv_folder(tmp_path / "in")
    main(["--fetv", str(folder), "--out", str(tmp_path)])
    with np.load(tmp_path / "fetv.npz") as held:
        assert {name: held[name].tolist() for name in held.files} == {
            name: array.tolist() for name, array in numbers(folder).items()
        }
    with pytest.raises(SystemExit):
        main([])


@pytest.mark.data
def test_the_carried_numbers_equal_those_of_the_folder(data):
    if not (data / "fetv_ratings").is_dir():
        pytest.skip("fetv_ratings is not here: set BEHOLDER_DATA")
    for real in (False, True):
        ours, theirs = fetv(real=real), fetv(data / "fetv_ratings", real=real)
        assert (ours.ids, ours.fingerprint, ours.about) == (theirs.ids, theirs.fingerprint, theirs.about)
        assert_frame_equal(ratings_of(ours).table, ratings_of(theirs).table)
        assert_frame_equal(ratings_of(ours).columns, ratings_of(theirs).columns)
    for name, array in numbers(data / "fetv_ratings").items():
        np.testing.assert_array_equal(carried("fetv")[name], array)
