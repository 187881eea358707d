"""attention/dynamics: how eyes move, with equally large histograms for people and models."""

import numpy as np
import pytest

import beholder as bh
import toys
from beholder.attention.benchmarks.dynamics import dynamics
from beholder.attention.datasets.simulated import simulated
from beholder.attention.gaze.saccades import moves
from beholder.attention.measures.dynamics import amplitude_divergence, joint_divergence
from beholder.core.measure import card
from beholder.core.randomness import rng_for
from beholder.core.scores import labels

OFFICIAL = tuple(f"{name}_divergence" for name in ("amplitude", "direction", "turning", "duration"))


@pytest.fixture(scope="module")
def ran():
    dataset = simulated(5)
    dataset = dataset.only(dataset.ids[:10])  # of fewer pictures, movements are too few
    bench = dynamics(dataset)
    kept = {name: bench.lineup.baselines[name] for name in ("levy", "saccadic_prior", "scanddm")}
    bench = toys.vary(bench, baselines=kept)
    people = {s.stimulus.pixels.tobytes(): [*s.reference.paths.values()] for s in dataset}
    shown = {
        "person": lambda p: people[p.pixels.tobytes()][0],
        "few": lambda p: people[p.pixels.tobytes()][1].at(slice(3)),  # right, but two saccades a picture
    }
    return bench, bh.run(bench, shown, jobs=0, repeats=4)


def values(table, model, measure):
    return table[(table["model"] == model) & (labels(table) == measure)]


def test_what_is_judged_and_beside():
    bench = dynamics()
    assert bench.official == OFFICIAL
    assert [card(of).label for of in bench.unjudged.measures] == ["joint_divergence"]
    assert set(bench.provided("blind")) == {"uniform", "centre_stare", "centre_gaussian", "shuffled_in_time"}
    assert set(bench.provided("oracle")) == {"another_picture"}


def test_one_person_a_picture_is_compared_with_all_others(ran):
    """Another person on each picture, so that what is pooled is as mixed as blind ones and models are."""
    bench, table = ran
    samples = list(bench.dataset)
    orders = [rng_for(0, sample.id).permutation(len(sample.reference.paths)).tolist() for sample in samples]
    each = []
    for place in range(len(orders[0])):
        chosen = [list(one.reference.paths)[order.index(place)] for one, order in zip(samples, orders, strict=True)]
        observed = [moves([one.reference.paths[who]]) for one, who in zip(samples, chosen, strict=True)]
        others = [one.reference.without(who) for one, who in zip(samples, chosen, strict=True)]
        each.append(amplitude_divergence(observed, others).value)
    (row,) = values(table, "people", "amplitude_divergence").itertuples()
    assert row.value == pytest.approx(np.mean(each))
    assert row.lo < row.value < row.hi


def test_a_model_is_compared_with_everybody_repeat_by_repeat(ran):
    bench, table = ran
    samples = list(bench.dataset)
    observed = [moves([next(iter(sample.reference.paths.values()))]) for sample in samples]
    wanted = amplitude_divergence(observed, [sample.reference for sample in samples]).value
    (row,) = values(table, "person", "amplitude_divergence").itertuples()
    assert row.value == pytest.approx(wanted)
    assert values(table, "scanddm", "joint_divergence")["repeat"].tolist() == [0, 1, 2, 3]


def test_people_are_nearer_to_people_than_the_blind(ran):
    _, table = ran
    people = values(table, "people", "amplitude_divergence")["value"].mean()
    for name in ("uniform", "centre_stare", "centre_gaussian"):
        assert people < values(table, name, "amplitude_divergence")["value"].mean()
    assert (values(table, "centre_stare", "direction_divergence")["state"] == "na").all()
    elsewhere = values(table, "another_picture", "amplitude_divergence")["value"].mean()
    assert elsewhere < values(table, "uniform", "amplitude_divergence")["value"].mean()


def test_one_without_durations_stands_in_the_first_verdict_only(ran):
    bench, table = ran
    assert set(values(table, "levy", "duration_divergence")["state"]) == {"na"}
    first, second = bench.verdicts(table)
    assert "levy" in first.standing.index
    assert "levy" not in second.standing.index
    assert "no fixation of known duration" in second.left_out["levy"]
    assert "duration_divergence (all)" in second.standing.columns
    assert "1 of 4 components do not apply to every model and were left out" in map(str, first.notes)


def test_one_who_moves_too_seldom_is_named_and_not_ranked(ran):
    bench, table = ran
    (row,) = values(table, "few", "amplitude_divergence").itertuples()
    assert row.state == "low"
    assert row.reason.startswith("only 20 saccades: a divergence of fewer than 50 is mostly chance; 40 bins")
    assert row.lo <= row.value <= row.hi
    for verdict in bench.verdicts(table):
        assert "few" not in verdict.standing.index
        assert verdict.left_out["few"].startswith("of low confidence: only")


def test_blind_movements_say_nothing_of_durations_that_are_peoples(ran):
    _, table = ran
    assert set(values(table, "shuffled_in_time", "duration_divergence")["state"]) == {"na"}
    even = values(table, "uniform", "duration_divergence")["value"].mean()
    assert values(table, "people", "duration_divergence")["value"].mean() < even


@pytest.mark.parametrize("by", ["kl", "kl_model_people", "js"])
@pytest.mark.parametrize("of", [amplitude_divergence, joint_divergence])
def test_draws_at_once_have_the_spread_of_draws_one_by_one(of, by, ran):
    bench, _ = ran
    samples = list(bench.dataset)
    observed = [moves([sample.reference.paths["simulated01"]]) for sample in samples]
    people = [sample.reference.without("simulated01") for sample in samples]
    picks = np.random.default_rng(0).integers(len(samples), size=(60, len(samples)))
    often = np.stack([np.bincount(row, minlength=len(samples)) for row in picks])
    at_once = card(of).resampling.at_once(observed, people, often, by=by)
    one_by_one = [of([observed[k] for k in row], [people[k] for k in row], by=by).parts["raw"] for row in picks]
    apart = np.array(one_by_one) - np.mean(one_by_one)
    np.testing.assert_allclose(at_once, apart + of(observed, people, by=by).value, atol=1e-12)
    raw = card(of).resampling.at_once(observed, people, often, by=by, excess=False)
    np.testing.assert_allclose(raw, apart + of(observed, people, by=by, excess=False).value, atol=1e-12)


def test_distances_without_bins_are_drawn_one_by_one():
    assert card(amplitude_divergence).resampling.at_once([], [], np.zeros((3, 0)), by="wasserstein") is None


@pytest.mark.slow
@pytest.mark.data
def test_on_real_people(data):
    dataset = bh.load("attention/dynamics", dataset=f"mit1003:{data / 'mit1003_subset'}").dataset
    bench = toys.vary(dynamics(dataset.only(dataset.ids[::2])), baselines={})
    table = bh.run(bench, jobs=0)
    people = {of: values(table, "people", of)["value"].mean() for of in OFFICIAL}
    stare = values(table, "centre_stare", "amplitude_divergence")["value"].mean()
    assert stare > 2 > 8 * people["amplitude_divergence"]
    assert people["amplitude_divergence"] < values(table, "uniform", "amplitude_divergence")["value"].mean() / 3
    elsewhere = values(table, "another_picture", "amplitude_divergence")["value"].mean()
    assert elsewhere == pytest.approx(people["amplitude_divergence"], abs=0.08)
