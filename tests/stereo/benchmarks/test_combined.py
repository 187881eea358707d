import numpy as np
import pytest

from beholder.core.scores import labels
from beholder.evaluation.run import run
from beholder.stereo.benchmarks.combined import combined
from beholder.stereo.datasets.planes import planes
from beholder.stereo.datasets.random_dots import random_dots
from beholder.stereo.measures.disparity import bad_pixels
from beholder.stereo.measures.prediction import view_rmse
from beholder.stereo.readouts import Prediction
from beholder.stereo.types import Truth


@pytest.fixture(scope="module")
def scores():
    return run(combined(planes(2)), jobs=0, repeats=1)


def test_one_vector_holds_region_errors_and_prediction_errors(scores):
    judged = scores[(scores["model"] == "sgbm") & (scores["part"] == "")]
    found = {(m, c) for m, c in zip(labels(judged), judged["criterion"], strict=True)}
    assert found == {(m, c) for m in ("bad_pixels", "view_rmse") for c in ("nonocc", "all", "disc")}
    verdict = combined(planes(2)).judge(scores)
    assert "6 criteria (means)" in " ".join(map(str, verdict.notes))  # each over two scenes


def test_the_truth_is_best_in_each_component(scores):
    judged = scores[labels(scores).isin(["bad_pixels", "view_rmse"])]
    for _, own in judged.groupby(["measure", "criterion", "unit"]):
        best = own[own["value"] == own["value"].min()]
        assert "truth" in set(best["model"])


def test_prediction_is_confined_to_the_region():
    # One wrong colour, in the left half: the prediction errs there only.
    left, still = np.full((1, 4), 50, np.uint8), np.zeros((1, 4), np.float32)
    view = np.array([[60, 50, 50, 50]], np.uint8)
    half = np.array([[True, True, False, False]])
    truth = Truth(still, {"nonocc": ~half, "all": np.ones_like(half), "disc": half}, views={1.0: view})
    criteria = {c.name: c.select for c in combined(planes(1)).criteria}
    found = {name: view_rmse(*select(Prediction(left, still), truth)).value for name, select in criteria.items()}
    assert found == {"nonocc": 0, "all": 5, "disc": pytest.approx(50**0.5)}
    assert {name: bad_pixels(*select(still, truth)) for name, select in criteria.items()} == {
        "nonocc": 0,
        "all": 0,
        "disc": 0,
    }


def test_scenes_without_further_views_are_judged_by_their_regions_alone():
    scores = run(combined(random_dots(2, size=64)), jobs=0, repeats=1)
    states = scores.groupby(labels(scores))["state"].agg(set)
    assert states["view_rmse"] == {"na"}
    assert states["bad_pixels"] == {"ok"}
    verdict = combined(random_dots(2, size=64)).judge(scores)
    assert verdict.best
    assert "6 of 12 components do not apply" in " ".join(map(str, verdict.notes))
