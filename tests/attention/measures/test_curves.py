"""Curves over a dataset: points that are kept of each picture, their mean, and the picture of it."""

from dataclasses import replace

import numpy as np
import pytest

import toys
from beholder.attention.benchmarks.saliency import saliency
from beholder.attention.datasets.simulated import simulated
from beholder.attention.figures import overview
from beholder.attention.figures.curves import human_curves, shuffled_rates
from beholder.attention.maps import rates
from beholder.attention.maps.rates import AT, Rates, ThinMap, thin_map
from beholder.attention.measures.auc import auc, sauc
from beholder.attention.measures.curves import hits_of_draws, mean_hits
from beholder.attention.models.centre import centre
from beholder.attention.people.ceiling import shrink
from beholder.attention.people.gold_standard import gold_standard
from beholder.attention.readouts import surface
from beholder.attention.types import Salience
from beholder.core.benchmark import Criterion
from beholder.core.measure import NotApplicable
from beholder.core.scores import Score, labels, table
from beholder.errors import Misuse
from beholder.evaluation.run import run


@pytest.fixture(scope="module")
def sample():
    return simulated(4).load("astronaut")


@pytest.mark.parametrize("kind", ["map", "density"])
def test_the_areas_under_the_points_are_those_of_the_whole_map(sample, kind):
    rng = np.random.default_rng(0)
    dull = Salience(rng.random(sample.stimulus.shape).cumsum(axis=0))
    answer = dull if kind == "map" else centre(sample.stimulus)
    found = rates.curve_rates(thin_map(answer, sample.stimulus), sample.reference)
    across = (0.0, *AT, 1.0)
    whole = surface(answer, sample.stimulus)
    expected = auc(whole, sample.reference).value, sauc(whole, sample.reference).value
    areas = [np.trapezoid((0.0, *curve, 1.0), across) for curve in found]
    np.testing.assert_allclose(areas, expected, atol=0.015)


def test_without_other_pictures_there_is_no_roc(sample):
    alone = replace(sample.reference, controls=None)
    found = rates.curve_rates(thin_map(centre(sample.stimulus), sample.stimulus), alone)
    assert np.isnan(found.roc).all()
    assert not any(name.startswith("roc") for name in mean_hits([found], [None]).parts)


def test_draws_at_once_are_those_one_by_one():
    rng = np.random.default_rng(1)
    found = [Rates(np.sort(rng.random(len(AT))), np.sort(rng.random(len(AT)))) for _ in range(5)]
    found[2] = Rates(*np.full((2, len(AT)), np.nan))
    often = rng.multinomial(5, np.full(5, 0.2), size=20)
    at_once = hits_of_draws(found, [None] * 5, often, kept=0.25)
    for row, value in zip(often, at_once, strict=True):
        drawn = [one for one, count in zip(found, row, strict=True) for _ in range(count)]
        assert value == pytest.approx(mean_hits(drawn, [None] * len(drawn), kept=0.25).value)


def test_the_criterion_hands_on_what_is_not_a_curve(sample):
    whole, part = (
        rates.reduce_to_rates(),
        rates.reduce_to_rates(Criterion("late", lambda found, lookers: (found, "late"))),
    )
    assert part.select("a map", sample.reference) == ("a map", "late")
    found, nobody = whole.select(thin_map(np.eye(384), sample.stimulus), sample.reference)
    assert nobody is None
    assert isinstance(found, Rates)
    with pytest.raises(NotApplicable, match="all fixations"):
        part.select(ThinMap(surface(np.eye(4), None)), sample.reference)
    with pytest.raises(Misuse, match="share of the picture"):
        mean_hits([found], [None], kept=2.0)


def left_out(lookers, who, picture):
    return rates.curve_rates(thin_map(gold_standard(lookers.without(who)), picture), lookers.only(who))


def test_the_parts_of_a_run_are_the_curves_of_people_and_models():
    dataset = simulated(4)
    few = dataset.only(["odd_size", "grass"])
    bench = toys.vary(saliency(few, parts=False), shown=(), measures=(mean_hits,), baselines={"middle": centre})
    scores = run(bench)
    own = scores[scores["model"] == "people"]
    own = own.set_index(labels(own))["value"]
    drawn = [human_curves(shrink(sample.reference), (shuffled_rates,))[0] for sample in few]
    assert own["mean_hits.roc_20"] == pytest.approx(np.mean(drawn, axis=0)[20], abs=0.02)  # densities made in 200 px
    exact = [left_out(one.reference, who, one.stimulus).roc[3] for one in few for who in one.reference.paths]
    assert own["mean_hits.roc_20"] == pytest.approx(np.mean(exact))
    found = overview.mean_curves(scores)
    assert {"people", "middle", "centre_bias", "uniform"} <= set(found)
    np.testing.assert_allclose(found["uniform"].hits, (0, *AT, 1))
    assert found["people"].hits[4] == own["mean_hits.hits_20"] == own["mean_hits"]


def test_the_picture_has_the_best_in_colours_and_says_how_many_others():
    def points(model, role, height):
        for kind in ("hits", "roc"):
            for at in AT:
                name = ("mean_hits", "", f"{kind}_{100 * at:02.0f}")
                told = ("all", "neither", at ** (1 / height), 0, 0, 1, "ok", "", "")
                yield Score("b", 1, model, role, "dataset", "*", 0, *name, *told)

    who = {f"m{n}": ("model", 1.1 + 0.1 * n) for n in range(7)} | {"people": ("ceiling", 3), "centre": ("blind", 1.3)}
    scores = table([row for name, own in who.items() for row in points(name, *own)])
    left, right = overview.curves(overview.mean_curves(scores)).get_axes()
    told = [text.get_text().partition("  ")[0] for text in left.get_legend().get_texts()]
    assert told == ["people, one left out", "m6", "m5", "m4", "m3", "3 other models", "centre (blind)", "chance"]
    assert right.get_visible()
    no_roc = scores[~scores["part"].str.contains("roc")]
    assert not overview.curves(overview.mean_curves(no_roc)).get_axes()[1].get_visible()
    assert overview.mean_curves(scores[scores["measure"] == "nss"]) == {}
