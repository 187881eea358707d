"""Smoothing as a confound: models at their best common blur."""

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

import toys
from beholder.attention.benchmarks.saliency import SMOOTHED, saliency
from beholder.attention.datasets.simulated import simulated
from beholder.attention.maps.blurs import BLURS, Smoothed, blurred_maps, score_blurs
from beholder.attention.measures.auc import auc, sauc
from beholder.attention.measures.nss import nss
from beholder.attention.measures.smoothing import at_best_blur, bests_of_draws
from beholder.attention.models.image_signature import image_signature
from beholder.attention.readouts import surface
from beholder.attention.types import Salience
from beholder.core.measure import NotApplicable, card
from beholder.core.scores import labels
from beholder.errors import Misuse
from beholder.evaluation.run import run


@pytest.fixture(scope="module")
def sample():
    return simulated(4).load("astronaut")


def test_scores_at_each_blur_are_those_of_the_whole_map(sample):
    values = image_signature(sample.stimulus, sigma=0.0)
    found = score_blurs(blurred_maps(Salience(values), sample.stimulus), sample.reference)
    for at, degrees in enumerate(BLURS):
        sigma = degrees * sample.stimulus.px_per_deg
        smooth = gaussian_filter(values, sigma, mode="reflect") if sigma else values
        whole = surface(Salience(smooth), sample.stimulus)
        expected = [of(whole, sample.reference).value for of in (auc, sauc, nss)]
        np.testing.assert_allclose([one[at] for one in found], expected, rtol=0.03, atol=0.01)
    assert found.auc.argmax() > 0  # a map of sharp dots gains by blur alone


def test_a_map_that_says_nothing_gains_nothing(sample):
    found = score_blurs(blurred_maps(Salience(np.ones(sample.stimulus.shape)), sample.stimulus), sample.reference)
    np.testing.assert_allclose(found.auc, 0.5, atol=1e-9)
    np.testing.assert_allclose(found.sauc, 0.5, atol=1e-9)
    np.testing.assert_allclose(found.nss, 0, atol=1e-6)


def test_one_blur_serves_all_pictures():
    rng = np.random.default_rng(0)
    found = [Smoothed(*rng.random((3, len(BLURS)))) for _ in range(5)]
    table = np.array([one.sauc for one in found])
    best = at_best_blur(found, [None] * 5, by="sauc")
    assert best.value == pytest.approx(table.mean(axis=0).max())
    assert best.parts["blur"] == BLURS[table.mean(axis=0).argmax()]
    often = np.array([[1, 1, 1, 1, 1], [5, 0, 0, 0, 0]])
    at = table.mean(axis=0).argmax()
    np.testing.assert_allclose(bests_of_draws(found, [None] * 5, often, by="sauc"), [best.value, table[0, at]])
    with pytest.raises(Misuse, match="by='cc'"):
        at_best_blur(found, [None] * 5, by="cc")
    with pytest.raises(NotApplicable, match="no picture has fixations"):
        at_best_blur([], [], by="auc")


def test_the_benchmark_shows_models_at_their_best_blur_and_does_not_judge_them():
    def dots(picture):
        return image_signature(picture, sigma=0.0)

    def smooth(picture):
        return gaussian_filter(dots(picture), 0.5 * picture.px_per_deg, mode="reflect")

    few = simulated(3).only(("astronaut", "coffee"))
    bench = saliency(few, parts=False)
    judged = tuple(of for of in bench.measures if card(of).name == "auc")
    bench = toys.vary(bench, measures=judged, shown=SMOOTHED, baselines={"dots": dots, "smooth": smooth})
    table = run(bench, jobs=0)
    own = table[table["part"] == ""].assign(label=labels).pivot_table(index="model", columns="label", values="value")
    assert own.loc["smooth", "auc(preset=beholder)"] > own.loc["dots", "auc(preset=beholder)"] + 0.02
    best = own["at_best_blur(by=auc)"]
    assert best["dots"] == pytest.approx(best["smooth"], abs=0.01)  # they know the same
    assert set(SMOOTHED) <= set(saliency().unjudged.measures)
    assert best["people"] > best["smooth"]
