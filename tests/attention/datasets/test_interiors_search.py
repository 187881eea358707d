"""The Interiors set: people and models who search, from small files and, where they are, from the real ones."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import attention_folders as made
import attention_searches as hunts
from beholder.attention.benchmarks.scanpath import scanpath
from beholder.attention.datasets.interiors_search import interiors_search
from beholder.attention.files.recorded import recorded_models
from beholder.attention.models.stored import stored
from beholder.attention.paths.search import Box, search_criteria
from beholder.attention.types import Picture
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse
from beholder.registry.load import dataset as dataset_from

CRITERIA = ["found, merged within 32 px", "found, at the model's resolution"]


def test_values_come_back(tmp_path):
    dataset = dataset_from("attention.datasets", f"interiors_search:{hunts.visions_folder(tmp_path)}")
    assert (dataset.name, dataset.ids) == ("interiors_search", ("p1", "p3"))
    for id, at in (("p1", 0), ("p3", 2)):
        sample = dataset.load(id)
        top, left, height, width = hunts.TARGETS[id]
        assert_array_equal(sample.stimulus.pixels, made.picture(at))
        assert_array_equal(sample.stimulus.target, made.picture(at)[top : top + height, left : left + width])
        assert sample.reference.target == Box(left, top, left + width, top + height)
        assert sample.reference.found == {who for name, who in hunts.FOUND if name == id}
        for who, path in enumerate(sample.reference.paths.values()):
            x, y, duration = made.path(at, who)
            assert_array_equal(path.points, np.stack([x, y], axis=1))
            assert_array_equal(path.duration_ms, duration)  # those beyond the places are left away
    assert [sample.tags for sample in dataset] == [{"target": "clock"}, {}]
    assert set(dataset[0].reference.controls.picture) == {"p2", "p3"}
    assert "px per degree not known" in dataset.about
    assert "1 further pictures are not here, but their fixations serve as controls" in dataset.about
    assert pickle.loads(pickle.dumps(dataset)).fingerprint == dataset.fingerprint
    assert interiors_search(tmp_path, px_per_deg=30)[0].stimulus.px_per_deg == 30


def test_recorded_models_are_in_px_of_the_picture(tmp_path):
    dataset = interiors_search(hunts.visions_folder(tmp_path))
    models = recorded_models(dataset)
    assert list(models) == ["IVSN"]
    path = models["IVSN"].recall("p1")
    assert_array_equal(path.points, 5 * np.array(hunts.CELLS["p1"]).T + 2.5)  # the middle of a cell of 5 px
    assert np.isnan(path.duration_ms).all()
    assert models["IVSN"].found == {"p3"}
    with pytest.raises(NotApplicable, match="was not asked"):
        models["IVSN"].recall("p2")
    assert recorded_models(dataset[:1]) == models
    assert recorded_models(dataset_from("attention.datasets", f"table:{made.table_folder(tmp_path / 'other')}")) == {}


def test_its_criterion_stands_beside_the_whole(tmp_path):
    dataset = interiors_search(hunts.visions_folder(tmp_path))
    assert [criterion.name for criterion in search_criteria(dataset[:1])] == CRITERIA
    assert [criterion.name for criterion in scanpath(dataset).unjudged.criteria] == CRITERIA
    assert scanpath().unjudged.criteria == ()
    assert search_criteria(dataset_from("attention.datasets", f"table:{made.table_folder(tmp_path / 'other')}")) == ()


def test_the_other_sets_say_where_their_pictures_are(tmp_path):
    folder = hunts.FOLDERS["unrestricted_search"](tmp_path)  # its pictures are in stimuli, as dataset_info.json says
    dataset = dataset_from("attention.datasets", f"unrestricted_search:{folder}")
    assert (dataset.name, dataset.ids, list(recorded_models(dataset))) == (
        "unrestricted_search",
        ("p1", "p3"),
        ["IVSN"],
    )
    assert [criterion.name for criterion in search_criteria(dataset)] == ["found, merged within 45 px", CRITERIA[1]]


def test_a_recorded_model_by_its_spec(tmp_path):
    dataset = interiors_search(hunts.visions_folder(tmp_path))
    assert dataset.remarks[1:] == ("3 models are not here, so they do not take part: eccNET, nnIBS, IRL",)
    on = f"interiors_search:{tmp_path}"
    assert_array_equal(stored(dataset[1].stimulus, of="IVSN", on=on).points, [[77.5, 57.5], [2.5, 2.5]])
    with pytest.raises(NotApplicable, match="was not asked"):
        stored(Picture(made.picture(7)), of="IVSN", on=on)
    with pytest.raises(Misuse, match="got of='DeepGaze'; expected one of IVSN"):
        stored(dataset[0].stimulus, of="DeepGaze", on=on)
    with pytest.raises(Misuse, match="expected stored"):
        stored(dataset[0].stimulus)


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("human_scanpaths/subj01_scanpaths.json", '"X"', '"x"', "p1.jpg: got no X; expected X, Y"),
        ("human_scanpaths/subj01_scanpaths.json", "p1.jpg", "p9.jpg", "got the picture p9; expected one of trials_"),
        ("human_scanpaths/subj01_scanpaths.json", "{", "(", "not valid JSON"),
        ("human_scanpaths/subj01_scanpaths.json", '"X": [', '"X": [1, ', "p1: got 4 values of x"),
        ("trials_properties.json", "target_height", "height", "got no target_height in trial 1"),
        ("trials_properties.json", "[", '{"a":', "not valid JSON"),
    ],
)
def test_a_strange_file_is_told(tmp_path, file, old, new, said):
    where = hunts.visions_folder(tmp_path) / "Datasets" / "Interiors" / file
    where.write_text(where.read_text().replace(old, new, 1))
    with pytest.raises(Misuse, match=said):
        interiors_search(tmp_path)


def test_a_folder_that_is_none(tmp_path):
    with pytest.raises(Misuse, match="without Datasets/Interiors"):
        interiors_search(tmp_path)
    folder = hunts.visions_folder(tmp_path)
    for file in (folder / "Datasets" / "Interiors" / "human_scanpaths").iterdir():
        file.unlink()
    with pytest.raises(Misuse, match="without subj"):
        interiors_search(folder)
