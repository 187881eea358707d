import json
import pickle
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from beholder.engines.parcels import pack
from beholder.io import disparity, image
from beholder.stereo.benchmarks.dense import blind, dense, oracles, show
from beholder.stereo.datasets.random_dots import random_dots
from beholder.stereo.types import Pair


def scores(benchmark, model, sample):
    answer = benchmark.accept(model(sample.stimulus), sample.stimulus)
    return {c.name: benchmark.measures[0](*c.select(answer, sample.reference)) for c in benchmark.criteria}


def test_what_it_is():
    benchmark = dense()
    assert (benchmark.name, benchmark.version, benchmark.official) == ("stereo/dense", 1, ("bad_pixels",))
    assert benchmark.dataset.name == "random_dots+motorcycle"
    assert [c.name for c in benchmark.criteria] == ["nonocc", "all", "disc"]
    assert len(benchmark.dataset) == 9
    assert dense(random_dots(2)).dataset.name == "random_dots"


def test_matchers_beat_the_blind_models_and_the_truth_beats_all():
    benchmark = dense(random_dots(2))
    rng = np.random.default_rng(0)
    unseeing = {name: benchmark.provide("blind", name) for name in benchmark.provided("blind")}
    unseeing["random"] = partial(unseeing["random"], rng=rng)
    truth = oracles(benchmark.dataset)["truth"]
    for sample in benchmark.dataset:
        perfect = scores(benchmark, lambda pair, id=sample.id: truth.recall(id), sample)
        assert perfect == {"nonocc": 0, "all": 0, "disc": 0}
        best_blind = {r: min(scores(benchmark, m, sample)[r] for m in unseeing.values()) for r in perfect}
        for baseline in benchmark.lineup.baselines.values():
            found = scores(benchmark, baseline, sample)
            assert all(0 < found[r] < best_blind[r] for r in found)


def test_the_truth_is_loaded_when_asked_for():
    dataset = random_dots(3, size=64)
    recorded = pickle.loads(pickle.dumps(oracles(dataset[:2])["truth"]))
    assert list(recorded.answers) == ["rds0", "rds1"]
    assert_array_equal(recorded.recall("rds1"), dataset[1].reference.disparity)
    with pytest.raises(LookupError, match="no recorded answer"):
        recorded.recall("rds2")


def test_random_guesses_score_what_chance_gives():
    # uniform over 0 … 32, right within ±1 px: 2/32 of the pixels
    benchmark = dense(random_dots(1))
    guess = partial(blind(benchmark.dataset)["random"], rng=np.random.default_rng(0))
    assert scores(benchmark, guess, benchmark.dataset[0])["all"] == pytest.approx(100 * (1 - 2 / 32), abs=0.5)


def test_stimuli_and_answers_stand_in_files(tmp_path):
    sample = random_dots(1, size=64)[0]
    show(sample.stimulus, tmp_path / "shown")
    assert_array_equal(image.read(tmp_path / "shown" / "left.png"), sample.stimulus.left)
    assert_array_equal(image.read(tmp_path / "shown" / "right.png"), sample.stimulus.right)
    assert json.loads((tmp_path / "shown" / "meta.json").read_text()) == {"max_disparity": 32}
    files = dense(random_dots(1)).files
    for suffix in files.suffixes:
        files.write(sample.reference.disparity, tmp_path / f"answer{suffix}")
        assert_array_equal(files.read(tmp_path / f"answer{suffix}"), sample.reference.disparity)
    assert files.read is disparity.read


def test_float_images_are_shown_as_bytes(tmp_path):
    show(Pair(np.full((2, 3), 0.2), np.full((2, 3), 1.0), 16), tmp_path)
    assert image.read(tmp_path / "left.png")[0, 0] == 51


def test_it_can_be_sent_to_another_process():
    benchmark = pickle.loads(pack(dense(random_dots(1, size=64))))
    assert benchmark.dataset.ids == ("rds0",)
