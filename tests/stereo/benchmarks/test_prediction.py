from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from beholder.core.measure import card
from beholder.core.scores import labels
from beholder.evaluation.run import run
from beholder.stereo.benchmarks.prediction import prediction
from beholder.stereo.datasets.middlebury import middlebury
from beholder.stereo.datasets.planes import planes
from beholder.stereo.measures.prediction import view_rmse
from beholder.stereo.models.sgbm import sgbm
from beholder.stereo.readouts import Prediction, inside_region
from beholder.stereo.types import Truth


def test_the_benchmark_says_what_is_official():
    bench = prediction()
    assert bench.dataset.name == "planes"
    assert bench.official == ("view_rmse",)
    assert [card(m).label for m in bench.unjudged.measures] == [
        "view_mse",
        "view_psnr",
        "view_ssim",
        "view_rmse(way=forward)",
        "view_rmse(visible=own)",
        "view_rmse(visible=none)",
        "view_rmse(blend=0.2)",
    ]


def test_the_truth_wins_and_matchers_beat_the_blind_models():
    scores = run(prediction(planes(2)), jobs=0, repeats=1)
    assert set(scores["state"]) == {"ok"}
    means = scores[labels(scores) == "view_rmse"].groupby("model")["value"].mean()
    assert means["truth"] < means["sgbm"] < means["block"] < min(means["flat"], means["random"])
    assert set(labels(scores)) >= {"view_rmse.gaps", "view_rmse.hidden", "view_rmse(way=forward).gaps"}


def test_no_model_sees_the_views():
    sample = planes(1)[0]
    shown = (sample.stimulus.left, sample.stimulus.right)
    for view in sample.reference.views.values():
        assert not any(np.array_equal(view, image) or np.may_share_memory(view, image) for image in shown)


@pytest.fixture
def scenes(data):
    folder = data / "stereo" / "mb_v2"
    if not folder.is_dir():
        pytest.skip("no Middlebury scenes: set BEHOLDER_DATA to a folder that holds stereo/mb_v2")
    return middlebury(folder)


@pytest.fixture
def cones(scenes):
    return scenes.load("cones")


def error(sample, disparity, factor=0.5, **settings):
    """The RMSE of one view in the region "all"."""
    truth = replace(sample.reference, views={factor: sample.reference.views[factor]})
    mine, _ = inside_region(Prediction(sample.stimulus.left, disparity), truth, name="all")
    return view_rmse(mine, truth, **settings).value


@pytest.mark.data
@pytest.mark.parametrize(
    ("id", "factor", "all_pixels", "visible"),
    [("cones", 0.5, 14.63, 9.67), ("venus", 1.5, 11.44, 6.44), ("tsukuba", 2.0, 22.27, 9.85)],
)
def test_the_truth_scores_what_was_measured_before(scenes, id, factor, all_pixels, visible):
    # by the research behind this package, with its own code
    sample = scenes.load(id)
    truth = sample.reference.disparity
    assert error(sample, truth, factor, visible="none") == pytest.approx(all_pixels, abs=0.005)
    assert error(sample, truth, factor) == pytest.approx(visible, abs=0.005)


@pytest.mark.data
def test_on_cones_the_truth_loses_without_the_test_of_visibility_and_wins_with_it(cones):
    # The research behind this package measured 14.63 against 13.72, and 9.67 with the test.
    truth = cones.reference.disparity
    matched = {mode: sgbm(cones.stimulus, mode=mode) for mode in ("5", "hh", "3way")}
    assert error(cones, truth, visible="none") == pytest.approx(14.63, abs=0.005)
    assert error(cones, matched["5"], visible="none") == pytest.approx(13.72, abs=0.005)
    assert error(cones, truth) == pytest.approx(9.67, abs=0.005)
    assert all(error(cones, found) > error(cones, truth) + 1 for found in matched.values())


@pytest.mark.data
def test_the_factors_of_the_views_are_those_that_predict_them_best(cones):
    truth = cones.reference.disparity
    for factor, view in cones.reference.views.items():
        shifted = {f: Truth(truth, views={f: view}) for f in (factor - 0.05, factor, factor + 0.05)}
        found = {f: view_rmse(Prediction(cones.stimulus.left, truth), one).value for f, one in shifted.items()}
        assert min(found, key=found.__getitem__) == factor


@pytest.mark.data
@pytest.mark.parametrize("blend", [0.2])
def test_blending_forgives_what_sampling_does(cones, blend):
    truth = cones.reference.disparity
    assert error(cones, truth, blend=blend) < 0.6 * error(cones, truth)
    wrong = partial(error, cones, truth + 2)
    assert wrong(blend=blend) > error(cones, truth, blend=blend) + 5
