"""What was published on the Interiors set (data.md 3.3), from the files themselves, where they are."""

import json
from contextlib import suppress
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from beholder.attention.datasets import _visions
from beholder.attention.datasets._visions import MODELS
from beholder.attention.datasets.interiors_search import interiors_search
from beholder.attention.files.recorded import recorded_models
from beholder.attention.gaze.vectors import DIMENSIONS, saccade_vectors
from beholder.attention.measures.multimatch import Weights, multimatch, similarities
from beholder.attention.paths.search import (
    LEAST,
    RECEPTIVE,
    Box,
    Searchers,
    at_own_resolution,
    found_only,
    prepare_search,
)
from beholder.core.measure import NotApplicable

DATA, RESULTS = "Datasets/Interiors", "Results/Interiors_dataset"
SHAPE = (768, 1024)
GRIDS = {"IVSN": (768, 1024), "eccNET": (736, 896), "nnIBS": (24, 32), "IRL": (320, 512)}  # rows, columns
FIELDS = {"IVSN": 32, "eccNET": 32, "nnIBS": 1, "IRL": 16}  # the smaller of a model's receptive field and people's
SPATIAL = Weights(duration=0)


@pytest.fixture
def folder(data):
    if not (data / "interiors_search").is_dir():
        pytest.skip("the Interiors set is not here")
    return data / "interiors_search"


def on_grid(path, grid):
    """A path in whole cells of a model's grid."""
    return replace(path, x=np.trunc(path.x / SHAPE[1] * grid[1]), y=np.trunc(path.y / SHAPE[0] * grid[0]))


def box_on(target, grid):
    across, down = grid[1] / SHAPE[1], grid[0] / SHAPE[0]
    return Box(*(int(edge * by) for edge, by in zip(target, (across, down) * 2, strict=True)))


def walks(seen, trials, id, *, grid=SHAPE, size=RECEPTIVE):
    """The saccades of everybody who found the target of a picture, as that group compares them."""
    people = (path for who, path in seen[id].paths.items() if who in trials.found[id])
    box = box_on(trials.targets[id], grid)
    found = (prepare_search(on_grid(path, grid), box, size=size, lasting="first") for path in people)
    return [saccade_vectors(path) for path in found if len(path) >= LEAST]


def table(pairs, grid=SHAPE):
    return np.mean([similarities(a, b, diagonal=np.hypot(*grid)) for a, b in pairs], axis=0)


def test_people_are_as_the_report_counts_them(folder):
    seen, trials, files = _visions.read_pictures(folder / DATA)
    paths = [path for one in seen.values() for path in one.paths.values()]
    lengths = np.array([len(path) for path in paths])
    watched = [len(one.paths) for one in seen.values()]
    assert (len(files) - 1, len(seen), len(paths), lengths.sum()) == (57, 134, 7313, 43346)
    assert (min(watched), max(watched), np.median(watched)) == (40, 57, 56)
    assert lengths.mean() == pytest.approx(5.927, abs=5e-4)
    assert sum(map(len, trials.found.values())) / len(paths) == pytest.approx(0.5140, abs=5e-5)
    # data.md says 221: with the durations of fixations after the target was seen, whose places are not in the files
    assert np.median(np.concatenate([path.duration_ms for path in paths])) == 218
    assert interiors_search(folder, outside="raise").ids  # nobody looked outside


def test_who_found_the_target_saw_it(folder):
    seen, trials, _ = _visions.read_pictures(folder / DATA)
    for id, one in seen.items():
        saw = {who for who, path in one.paths.items() if trials.targets[id].near(path, RECEPTIVE).any()}
        assert saw == trials.found[id]


def test_people_resemble_one_another_as_published(folder):
    seen, trials, _ = _visions.read_pictures(folder / DATA)
    stored = json.loads((folder / RESULTS / "IVSN" / "multimatch_human_mean_per_image.json").read_text())
    assert len(stored) == 132
    for name, expected in stored.items():
        found = table(combinations(walks(seen, trials, name.removesuffix(".jpg")), 2))
        assert found == pytest.approx(expected, abs=1e-12), name


def test_without_the_merge_and_the_cut_they_would_not(folder):
    seen, trials, _ = _visions.read_pictures(folder / DATA)
    picture = "grayscale_11_oliva"
    people = [path for who, path in seen[picture].paths.items() if who in trials.found[picture]]
    plain = [saccade_vectors(on_grid(path, SHAPE)) for path in people if len(path) >= LEAST]
    direction = DIMENSIONS.index("direction")
    assert table(combinations(plain, 2))[direction] == pytest.approx(0.7692, abs=5e-5)
    merged = table(combinations(walks(seen, trials, picture), 2))
    assert merged[direction] == pytest.approx(0.7682, abs=5e-5)


@pytest.mark.parametrize("name", MODELS)
def test_models_resemble_people_as_published(folder, name):
    """At the resolution of each model, with its own word on what it found: AvgMM and its four dimensions."""
    seen, trials, _ = _visions.read_pictures(folder / DATA)
    model = _visions.read_model(folder / RESULTS / name / "Scanpaths.json", dict.fromkeys(seen, SHAPE), cite="")
    grid, size = GRIDS[name], FIELDS[name]
    rows = []
    for id in sorted(model.found):
        path = prepare_search(on_grid(model.recall(id), grid), box_on(trials.targets[id], grid), size=size)
        people = walks(seen, trials, id, grid=grid, size=size)
        if len(path) >= LEAST and people:
            rows.append(table([(saccade_vectors(path), one) for one in people], grid)[:4])
    printed = json.loads((folder / RESULTS / "Metrics.json").read_text())[name]
    assert np.mean(rows) == pytest.approx(printed["AvgMM"], abs=6e-4)
    for at, key in enumerate(("MMvec", "MMdir", "MMlen", "MMpos")):
        column = np.array(rows)[:, at]
        assert [column.mean(), column.std()] == pytest.approx(printed[key], abs=6e-4), key


@pytest.mark.parametrize("name", MODELS)
def test_the_criterion_of_a_run_gives_the_published_table(folder, name):
    """What attention/scanpath reports beside the whole is AvgMM and its dimensions, to the digits printed."""
    seen, trials, _ = _visions.read_pictures(folder / DATA)
    model = _visions.read_model(folder / RESULTS / name / "Scanpaths.json", dict.fromkeys(seen, SHAPE), cite="")
    criterion, rows = at_own_resolution(), []
    for id in model.found:
        people = Searchers(seen[id].paths, SHAPE, target=trials.targets[id], found=trials.found[id])
        with suppress(NotApplicable):
            found = multimatch(*criterion.select(model.recall(id), people), weights=SPATIAL)
            rows.append([found.value, *(found.parts[key] for key in DIMENSIONS[:4])])
    printed = json.loads((folder / RESULTS / "Metrics.json").read_text())[name]
    means = [printed["AvgMM"], *(printed[key][0] for key in ("MMvec", "MMdir", "MMlen", "MMpos"))]
    assert np.mean(rows, axis=0) == pytest.approx(means, abs=6e-4)


def test_the_criterion_gives_the_same_order(folder):
    """At the resolution of the pictures, and with one receptive field for all: on the twenty pictures that are here."""
    dataset = interiors_search(folder)
    criterion, found = found_only(), {}
    for name, model in recorded_models(dataset).items():
        values = []
        for sample in dataset:
            try:
                values.append(multimatch(*criterion.select(model.recall(sample.id), sample.reference), weights=SPATIAL))
            except NotApplicable:
                continue
        found[name] = np.mean([one.value for one in values])
    assert found["nnIBS"] > found["eccNET"] > found["IVSN"]
    assert found["nnIBS"] == pytest.approx(0.842, abs=0.02)
