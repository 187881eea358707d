import pickle
from functools import partial

import pytest

from beholder.core.scores import labels
from beholder.engines.parcels import pack
from beholder.evaluation.run import run
from beholder.stereo.benchmarks.consistency import consistency
from beholder.stereo.datasets.planes import planes
from beholder.stereo.datasets.random_dots import random_dots
from beholder.stereo.models.flat import flat


@pytest.fixture(scope="module")
def scores():
    return run(consistency(planes(2, size=96)), jobs=0, repeats=1)


def test_the_truth_agrees_with_itself_and_so_does_what_is_always_wrong(scores):
    own = scores[labels(scores) == "inconsistency"].groupby("model")["value"].mean()
    assert own["truth"] == 0
    assert own["zero"] == 0  # consistent is not correct
    assert 0 < own["sgbm"] < 20
    assert own["random"] > 60
    assert set(scores["unit"]) == {"planes0", "planes1"}
    assert set(scores["state"]) == {"ok"}


def test_intervals_are_over_pairs(scores):
    one = scores[(scores["model"] == "sgbm") & (labels(scores) == "inconsistency")]
    assert (one["n"] == 4).all()
    assert (one["lo"] < one["hi"]).all()


def test_a_constant_disparity_contradicts_itself():
    bench = consistency(planes(1, size=96))
    scores = run(bench, {"five": partial(flat, disparity=5)}, jobs=0, repeats=1)
    found = scores[(scores["model"] == "five") & (labels(scores) == "inconsistency")]["value"].item()
    assert found == pytest.approx(500 / 6)  # 5/0.5 from the left and from the right agree, the other five pairs do not


def test_a_scene_with_one_pair_does_not_apply():
    scores = run(consistency(random_dots(1, size=64)), jobs=0, repeats=1)
    assert set(scores["state"]) == {"na"}
    assert "only one pair" in scores["reason"].iloc[0]


def test_it_travels():
    bench = pickle.loads(pack(consistency(planes(1, size=96))))
    assert bench.dataset.name == "planes|pairs"
    assert bench.dataset[0].tags["scene"] == "planes0"
