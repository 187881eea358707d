"""motion/multistable: the law of alternations, and who follows it."""

import numpy as np
import pytest

import beholder as bh
from beholder.core.scores import labels
from beholder.motion.benchmarks.multistable import lawful, multistable, random, steady
from beholder.motion.datasets.line_plaids import line_plaids
from beholder.motion.figures.timelines import timelines
from beholder.motion.measures.multistable import alternation_facts
from motion_movies import drawn_once

DATASET = drawn_once(line_plaids)


@pytest.fixture(scope="module")
def rows():
    return bh.run(
        multistable(drawn_once(line_plaids)),
        {"flow": lambda film: np.zeros((len(film.frames) - 1, 2))},
        jobs=0,
        repeats=4,
    )


def test_who_follows_the_law(rows):
    scores = rows[labels(rows) == "alternation_facts"].groupby("model")["value"].mean()
    assert scores["lawful"] == 1
    assert scores["rivalry"] > 0.9
    assert scores["steady"] == 0
    assert scores["random"] < 0.7
    held = rows[(rows["model"] == "rivalry") & (labels(rows) == "alternation_facts")]
    assert set(held["provenance"]) == {"memory"}  # that the angle strengthens transparency is remembered
    assert held["lo"].notna().all()


def test_a_model_of_flow_has_nothing_to_say_and_the_others_are_judged(rows):
    flow = rows[rows["model"] == "flow"]
    assert set(flow["state"]) == {"na"}
    assert flow["reason"].str.contains("answers with velocities").all()
    verdict = multistable().judge(rows)
    assert verdict.best == ("rivalry",)
    assert "flow" not in verdict.standing.index


def test_shares_and_switches_stand_beside(rows):
    own = rows[rows["model"] == "lawful"]
    values = own.set_index(labels(own))["value"]
    assert values["alternation_facts.switches_a_minute"] == pytest.approx(15, rel=0.2)  # periods of about 4 s
    assert 0.4 < values["alternation_facts.coherent_share"] < 0.6


@pytest.mark.parametrize("swap", ["other", "own"])
def test_breaking_the_law_costs_the_check(swap):
    """Periods of the lawful observer, with one percept's periods swapped between the ends of each series."""
    answers = [lawful(sample) for sample in DATASET]
    first, last = (DATASET.ids.index(id) for id in ("line_plaid3", "line_plaid4"))  # the slowest and the fastest
    if swap == "other":
        answers[first], answers[last] = answers[last], answers[first]
    else:
        answers[last] = type(answers[last])(answers[last].words, answers[last].seconds[::-1].copy())
    ours = slice(0, 5)
    found = alternation_facts(answers[ours], [sample.reference for sample in DATASET][ours])
    assert found.parts["speed_own"] == 0
    assert found.parts["speed_other"] == (0 if swap == "other" else found.parts["speed_other"])
    assert found.parts["angle_other"] == found.parts["angle_own"] == 1


def test_blind_models_fill_the_trial():
    film = DATASET[0].stimulus
    assert steady(film).seconds.tolist() == [60]
    drawn = random(film, rng=np.random.default_rng(0))
    assert drawn.seconds.sum() == pytest.approx(60)
    assert set(drawn.words) == {"coherent", "transparent"}


def test_the_picture_has_a_strip_for_each_model(tmp_path):
    sample = DATASET[0]
    figure = timelines(sample, {"lawful": lawful(sample), "steady": steady(sample.stimulus)})
    figure.savefig(tmp_path / "a.png")
    axes = figure.axes[1]
    assert len(axes.patches) == len(lawful(sample).words) + 1
    assert [text.get_text() for text in axes.texts][1::2] == ["lawful", "steady"]
