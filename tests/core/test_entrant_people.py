"""Answers that are one person's: people as models of the same size, lists as repeats, and draws all at once."""

import functools
from dataclasses import replace

import numpy as np
import pytest

import beholder as bh
import toys
from beholder.core.measure import card, fix, measure
from beholder.core.randomness import rng_for
from beholder.core.reader import Reader

JUST = ("item0", "item1", "item2", "item4")


def alone():
    bench = toys.opinions(toys.items().only(JUST))
    return toys.vary(bench, people=replace(bench.lineup.people, alone=True))


def one(scores, **where):
    rows = scores
    for column, wanted in where.items():
        rows = rows[rows[column] == wanted]
    (row,) = rows.itertuples()
    return row


def test_the_ceiling_is_the_mean_person():
    scores = bh.run(alone(), jobs=0)
    by = toys.rated("item0").reference.by
    each = [abs(by[who] - np.mean([by[other] for other in by if other != who])) for who in by]
    assert one(scores, model="people", unit="item0", measure="miss").value == pytest.approx(np.mean(each), abs=1e-12)
    persons = scores[(scores["role"] == "person") & (scores["unit"] == "item0") & (scores["measure"] == "miss")]
    assert persons["value"].mean() == pytest.approx(np.mean(each), abs=1e-12)


@measure(better="lower", bounds=(0, np.inf), cite="", per="dataset")
def spread(found, references):
    """How much answers differ from sample to sample."""
    return float(np.std(found))


def test_what_is_pooled_of_people_is_mixed_from_sample_to_sample():
    """Each has one answer to everything: who is pooled alone never differs from himself, a mixture does."""
    bench = alone()
    own = dict(zip(toys.RATERS, range(len(toys.RATERS)), strict=True))
    people = replace(bench.lineup.people, answer=lambda reference, patch: float(own[next(iter(reference.by))]))
    scores = bh.run(toys.vary(bench, measures=(spread,), people=people), jobs=0)
    assert one(scores, model="people", measure="spread").value > 0.5
    assert one(scores, model="person ann", measure="spread").value == 0


def test_models_are_scored_on_everybody_at_once():
    scores = bh.run(alone(), jobs=0)
    sample = toys.rated("item0")
    row = one(scores, model="brightness", unit="item0", measure="miss")
    assert row.value == pytest.approx(abs(sample.stimulus.mean() - np.mean(list(sample.reference.by.values()))))
    assert row.n == 1


def test_a_model_that_says_whom_it_left_out_is_scored_on_those():
    def biased(patch):
        return float(patch.mean())

    biased.leaves_out = ("ann", "dan")
    scores = bh.run(alone(), {"biased": biased}, jobs=0)
    sample = toys.rated("item0")
    by_hand = np.mean([abs(sample.stimulus.mean() - sample.reference.by[who]) for who in biased.leaves_out])
    assert one(scores, model="biased", unit="item0", measure="miss").value == pytest.approx(by_hand)


def several(answer):
    return answer if isinstance(answer, list) else [answer]


def listed(raw, patch):
    return [float(one) for one in raw] if isinstance(raw, list) else float(raw)


def test_each_answer_of_a_list_is_a_repeat():
    bench = toys.vary(alone(), split=several, accept=listed)
    scores = bh.run(bench, {"two": lambda patch: [0.0, 1.0], "plain": lambda patch: 1.0}, jobs=0)
    two = scores[(scores["model"] == "two") & (scores["measure"] == "miss") & (scores["unit"] == "item1")]
    plain = one(scores, model="plain", measure="miss", unit="item1")
    assert two["repeat"].tolist() == [0, 1]
    assert two["value"].tolist()[1] == plain.value
    assert sum(two["value"]) == pytest.approx(1.0)
    pooled = scores[(scores["model"] == "two") & (scores["measure"] == "pearson")]
    assert pooled["repeat"].tolist() == [0, 1]


def test_lists_of_a_stochastic_model_follow_one_another():
    def pairs(patch, *, rng):
        return [float(rng.random()), float(rng.random())]

    bench = toys.vary(alone(), split=several, accept=listed)
    scores = bh.run(bench, {"pairs": pairs}, jobs=0, repeats=3)
    own = scores[(scores["model"] == "pairs") & (scores["measure"] == "miss") & (scores["unit"] == "item1")]
    assert own["repeat"].tolist() == list(range(6))
    assert own["value"].nunique() == 6


def test_a_fault_in_a_list_is_a_row_for_the_whole():
    bench = toys.vary(alone(), split=several, accept=listed)
    scores = bh.run(bench, {"bad": lambda patch: [0.1, "x"]}, jobs=0)
    own = scores[(scores["model"] == "bad") & (scores["measure"] == "miss")]
    assert set(own["state"]) == {"failed"}
    assert len(own) == len(JUST)


def test_a_reader_of_one_answer_stays_itself():
    reader = Reader(None, "")
    reader.answer = [1.0]
    assert reader.split(several) == [reader]


TOLD = []


def mean_again(observed, references, often, *, power=1):
    TOLD.append(often.shape)
    values = np.abs(np.subtract(observed, references)) ** power
    return often @ values / often.sum(axis=1)


@measure(better="lower", bounds=(0, np.inf), cite="", per="dataset", resample="sample", draws=50, at_once=mean_again)
def mean_miss(observed, references, *, power=1):
    """Mean |o − r|^power over items."""
    return float(np.mean(np.abs(np.subtract(observed, references)) ** power))


@measure(better="lower", bounds=(0, np.inf), cite="", per="dataset", resample="sample", draws=50)
def slow_miss(observed, references, *, power=1):
    """The same, draw by draw."""
    return float(np.mean(np.abs(np.subtract(observed, references)) ** power))


@pytest.mark.parametrize("power", [1, 2])
def test_draws_at_once_are_those_one_by_one(power):
    bench = replace(toys.opinions(), measures=(fix(mean_miss, power=power), fix(slow_miss, power=power)))
    slow = replace(card(bench.measures[1]), name=card(bench.measures[0]).name)
    bench.measures[1].card = slow  # the name seeds the draws
    tables = [bh.run(replace(bench, measures=(of,)), jobs=0) for of in bench.measures]
    fast, by_one = (t.set_index(["model", "repeat"])[["value", "lo", "hi"]] for t in tables)
    np.testing.assert_allclose(fast.to_numpy(), by_one.to_numpy(), rtol=1e-12)
    assert (fast["lo"] < fast["hi"]).all()
    assert TOLD


def test_the_interval_is_that_of_the_mean_over_repeats_where_draws_are_had_at_once():
    def crowd(patch, *, rng, many):
        return (patch.mean() + 0.2 * rng.standard_normal(many)).tolist()

    bench = toys.vary(toys.opinions(), measures=(mean_miss, slow_miss), baselines={"crowd": crowd}, people=None)
    scores = bh.run(bench, jobs=0, repeats=20)
    fast, slow = (scores[(scores["model"] == "crowd") & (scores["measure"] == of)] for of in ("mean_miss", "slow_miss"))
    assert fast["value"].tolist() == slow["value"].tolist()
    assert ((fast["hi"] - fast["lo"]) < 0.6 * (slow["hi"] - slow["lo"]).mean()).all()
    assert (fast["hi"] - fast["value"]).std() == pytest.approx(0, abs=1e-12)
    assert (fast["lo"] < fast["value"]).all()
    assert (fast["value"] < fast["hi"]).all()
    of_means = np.abs(misses(bench)).mean(axis=0)  # items: the mean over repeats of each item's miss
    assert fast["lo"].mean() == pytest.approx(np.quantile(resampled(of_means), 0.025), abs=0.006)
    assert fast["hi"].mean() == pytest.approx(np.quantile(resampled(of_means), 0.975), abs=0.006)


def misses(bench):
    """Repeats × items, by asking the model as the runner does."""
    found = []
    for sample in bench.dataset:
        rng = rng_for(0, bench.dataset.name, sample.id)
        said = bench.provide("baseline", "crowd")(sample.stimulus, rng=rng, many=20)
        found.append(np.array(said) - np.mean(list(sample.reference.by.values())))
    return np.array(found).T


def resampled(values):
    rng = np.random.default_rng(1)
    return values[rng.integers(len(values), size=(4000, len(values)))].mean(axis=1)


def test_draws_that_cannot_be_had_at_once_are_drawn_one_by_one():
    found = fix(mean_miss, power=1)
    found.card = replace(card(found), resampling=card(found).resampling._replace(at_once=lambda *_, **__: None))
    scores = bh.run(replace(toys.opinions(), measures=(found,)), jobs=0)
    assert (scores["hi"] > scores["lo"]).all()


def test_many_answers_of_ours_are_asked_once_for_all_benchmarks(monkeypatch, tmp_path):
    asked = []

    def crowd(patch, *, rng, many):
        asked.append(many)
        return rng.random(many).tolist()

    toys.pass_for_ours(monkeypatch, crowd)
    monkeypatch.setenv("BEHOLDER_CACHE", str(tmp_path))
    monkeypatch.setattr("beholder.store.cache.SLOW", -1.0)  # every answer is worth keeping
    bench = toys.vary(alone(), baselines={"crowd": crowd})
    first = bh.run(bench, jobs=0, repeats=3)
    assert asked == [3] * len(JUST)
    again = bh.run(replace(bench, name="toy/others", measures=(toys.miss,)), jobs=0, repeats=3)
    assert len(asked) == len(JUST)
    own, other = (t[(t["model"] == "crowd") & (t["measure"] == "miss")]["value"].tolist() for t in (first, again))
    assert own == other
    bh.run(bench, jobs=0, repeats=4)
    assert len(asked) == 2 * len(JUST)
    bh.run(bench, jobs=0, repeats=3, seed=1)
    assert len(asked) == 3 * len(JUST)


def test_models_are_told_what_they_should_know_and_nulls_are_not():
    def shifted(patch, *, by=0.0):
        return float(patch.mean()) + by

    bench = toys.vary(alone(), inform=lambda model: functools.partial(model, by=5.0) if model is shifted else model)
    scores = bh.run(bench, {"shifted": shifted, "plain": lambda patch: float(patch.mean())}, jobs=0)
    mean = scores[scores["measure"] == "miss"].groupby("model")["value"].mean()
    assert mean["shifted"] > 4
    assert mean["plain"] < 1
