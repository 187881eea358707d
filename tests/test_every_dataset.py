"""Laws that every dataset of the package obeys: above all, that the stimulus does not hold the answer."""

import dataclasses
import math
from collections.abc import Mapping
from pathlib import Path, PurePath

import numpy as np
import pytest

import attention_films
import attention_folders
import attention_searches
import flow_folders
import stereo_folders
import study_files
import video_media
from beholder.core.cite import library
from beholder.core.sample import STATUSES, Dataset, Sample
from beholder.registry.find import domains, find, names
from beholder.registry.load import dataset as dataset_from
from beholder.store.digest import digest
from beholder.study.ratings import Item

EVERY = [(f"{domain}.datasets", name) for domain in domains() for name in names(f"{domain}.datasets")]
each_dataset = pytest.mark.parametrize(("place", "name"), EVERY, ids=lambda word: word)

# Datasets that read a folder or a file, and what they read below the folder of real data: {"domain.datasets/name":
# "path"}.
PATHS: dict[str, str] = {
    "stereo.datasets/middlebury": "stereo/mb_v2",
    "motion.datasets/huperflow": "huperflow",
    "motion.datasets/second_order": "multi_order_motion",
    "motion.datasets/sintel_slow": "multi_order_motion",
    "motion.datasets/perceived_flow_temporal": "perceived_flow_temporal",
}
# Datasets that read a folder which is not at hand, and what writes a small one of the same layout.
FOLDERS = {
    "stereo.datasets/kitti": stereo_folders.kitti_folder,
    "stereo.datasets/eth3d": stereo_folders.eth3d_folder,
    "stereo.datasets/pairs": stereo_folders.lab_by_folder,
}
for made in (attention_folders, attention_searches, attention_films):
    FOLDERS |= {f"attention.datasets/{name}": folder for name, folder in made.FOLDERS.items()}
FOLDERS |= {f"attention.datasets/{name}": folder for name, folder in attention_folders.TOLD.items()}
FOLDERS |= {f"motion.datasets/{name}": folder for name, folder in flow_folders.FOLDERS.items()}
FOLDERS |= {f"study.datasets/{name}": folder for name, folder in study_files.FOLDERS.items()}
FOLDERS |= {f"video.datasets/{name}": folder for name, folder in video_media.FOLDERS.items()}
SOME = 6  # samples of a dataset that are looked at


@pytest.fixture
def dataset(place, name, request):
    """The dataset on its own material, on a small folder of its layout, or on the real data where that is at hand."""
    if f"{place}/{name}" in FOLDERS:
        return dataset_from(place, f"{name}:{FOLDERS[f'{place}/{name}'](request.getfixturevalue('tmp_path'))}")
    if f"{place}/{name}" in PATHS:
        return dataset_from(place, f"{name}:{request.getfixturevalue('data') / PATHS[f'{place}/{name}']}")
    try:
        return find(place, name)()
    except TypeError:
        return pytest.fail(f"{name} needs a path: add PATHS['{place}/{name}'] to tests/test_every_dataset.py")


def some(dataset):
    """Ids from all over the dataset."""
    return dataset.ids[:: max(1, math.ceil(len(dataset) / SOME))]


def leaves(thing, path="stimulus"):
    """Everything inside a thing, with its path."""
    yield path, thing
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        for field in dataclasses.fields(thing):
            yield from leaves(getattr(thing, field.name), f"{path}.{field.name}")
    elif isinstance(thing, Mapping):
        for key, value in thing.items():
            yield from leaves(key, f"{path} key")
            yield from leaves(value, f"{path}[{key!r}]")
    elif isinstance(thing, (list, tuple, set, frozenset)):
        for at, value in enumerate(thing):
            yield from leaves(value, f"{path}[{at}]")
    elif hasattr(thing, "__dict__") and not callable(thing):
        for key, value in vars(thing).items():
            yield from leaves(value, f"{path}.{key}")


def arrays(thing):
    return [(path, value) for path, value in leaves(thing) if isinstance(value, np.ndarray)]


def telling(array):
    """Whether an array could give anything away: one that is the same all over cannot."""
    known = array[~np.isnan(array)] if array.dtype.kind == "f" else array
    return known.size > 1 and bool((known != known.flat[0]).any())


def leaks(sample):
    """Where the stimulus holds the id, a tag's value or the reference."""
    secrets = {sample.id, sample.id.rpartition("/")[2], *sample.tags.values()} - {""}
    if isinstance(sample.stimulus, Item):  # what is rated is its name in a table; the secret is what people say of it
        secrets = set()
    for path, value in leaves(sample.stimulus):
        if isinstance(value, str) and value in secrets:
            yield f"{path} is {value!r}"
        if isinstance(value, PurePath) and {value.name, value.stem, str(value)} & secrets:
            yield f"{path} is the path {value}"
        if value is sample.reference and value is not None:
            yield f"{path} is the reference"
    for path, shown in arrays(sample.stimulus):
        for where, true in arrays(sample.reference):
            if np.may_share_memory(shown, true):
                yield f"{path} shares memory with the reference ({where})"
            if (
                shown.shape == true.shape
                and telling(true)
                and np.array_equal(shown, true, equal_nan=true.dtype.kind == "f")
            ):
                yield f"{path} equals the reference ({where})"


@each_dataset
def test_its_ids_are_unique_and_stable(dataset, place, name):
    assert isinstance(dataset, Dataset)
    assert len(dataset) > 0
    assert len(set(dataset.ids)) == len(dataset.ids)
    assert all(id and id == id.strip() for id in dataset.ids)
    assert not any(part in ("", ".", "..") for id in dataset.ids for part in id.split("/")), (
        "ids are names of files too"
    )
    if f"{place}/{name}" not in PATHS | FOLDERS:
        again = find(place, name)()
        assert (again.ids, again.fingerprint) == (dataset.ids, dataset.fingerprint)


@each_dataset
def test_it_says_where_it_comes_from_and_what_may_be_done_with_it(dataset):
    assert dataset.licence
    assert dataset.about
    assert dataset.status in STATUSES
    keys = [key.strip() for key in dataset.cite.split(",") if key.strip()]
    assert keys
    assert all(key in library() for key in keys)


@each_dataset
def test_a_sample_is_the_same_whenever_it_is_loaded(dataset):
    first = {id: digest(dataset.load(id)) for id in some(dataset)}
    again = {id: digest(dataset.load(id)) for id in reversed(some(dataset))}
    assert again == first
    assert all(isinstance(dataset.load(id), Sample) and dataset.load(id).id == id for id in some(dataset)[:2])


@each_dataset
def test_slicing_does_not_change_a_sample(dataset):
    for id in some(dataset)[-2:]:
        at = dataset.ids.index(id)
        assert digest(dataset[at:][0]) == digest(dataset.only([id])[0]) == digest(dataset[at])


@each_dataset
def test_samples_differ(dataset):
    shown = arrays(dataset[0].stimulus)
    if dataset[0].stimulus is None or (shown and not any(array.size for _, array in shown)):
        pytest.skip("it shows nothing: its answers were recorded elsewhere")
    seen = [digest(dataset.load(id).stimulus) for id in some(dataset)]
    assert len(set(seen)) == len(seen)


@each_dataset
def test_the_stimulus_does_not_hold_the_answer(dataset):
    for id in some(dataset):
        assert list(leaks(dataset.load(id))) == []


@each_dataset
def test_what_is_shown_is_finite(dataset):
    for id in some(dataset):
        found = arrays(dataset.load(id).stimulus)
        assert all(np.isfinite(array).all() for _, array in found if array.dtype.kind in "fc")


@each_dataset
def test_tags_are_texts_and_references_say_a_known_status(dataset):
    for id in some(dataset):
        sample = dataset.load(id)
        assert all(isinstance(word, str) for item in sample.tags.items() for word in item)
        assert getattr(sample.reference, "status", "") in STATUSES


@dataclasses.dataclass
class Shown:
    """A stimulus that tells too much, or not."""

    image: np.ndarray
    more: object = None


TRUE = np.arange(6.0)


@pytest.mark.parametrize(
    ("stimulus", "count"),
    [
        (Shown(np.zeros(6)), 0),
        (Shown(np.zeros(6), "a picture"), 0),
        (Shown(np.zeros(6), "s1"), 1),
        (Shown(np.zeros(6), ["x", {"k": ("s1",)}]), 1),
        (Shown(np.zeros(6), {"s1": 0}), 1),
        (Shown(np.zeros(6), "easy"), 1),
        (Shown(np.zeros(6), Path("clips/s1.mp4")), 1),
        (Shown(TRUE.copy()), 1),
        (Shown(TRUE[::-1]), 1),  # a view of it
        (Shown(TRUE.astype(np.float32)), 1),
        (Shown(np.zeros(6), {"map": TRUE.copy()}), 1),
    ],
)
def test_leaks_are_found(stimulus, count):
    assert len(list(leaks(Sample("set/s1", stimulus, {"true": TRUE}, {"level": "easy"})))) == count
