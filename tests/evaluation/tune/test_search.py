"""The search for one parameter set: seeded, resumable, through run(); and every way to ask for it wrongly."""

import math
from dataclasses import replace

import numpy as np
import pytest

import toys
from beholder.errors import Misuse
from beholder.evaluation.run import run
from beholder.evaluation.tune.ranges import Range, fit_ranges, parse_range
from beholder.evaluation.tune.search import Search, explore, spelt, tune
from beholder.store.ledger import Ledger

pytestmark = pytest.mark.slow  # whole runs

CALLS = []
BENCH = toys.vary(toys.opinions(), measures=(toys.miss,), baselines={}, people=None)
OVER = {"gain": Range(0.1, 10.0, log=True)}


def scaled(patch, *, gain=0.2, mode="plain", many=3):
    """Right with a gain of 1."""
    CALLS.append(gain)
    if gain > 5:
        raise ValueError("too loud")
    return gain * float(patch.mean())


def chancy(patch, *, gain=1.0, rng):
    return gain * rng.random()


def test_it_finds_the_best_setting_and_begins_with_the_model_as_it_is():
    found = tune(BENCH, scaled, Search(OVER, trials=24))
    assert found.trials[0].settings == {}
    assert 10 < len(found.trials) <= 24  # fewer where the steps have become too fine
    assert not found.higher
    assert found.best.settings["gain"] == pytest.approx(1, abs=0.1)
    assert found.best.score == min(t.score for t in found.trials if not math.isnan(t.score))
    assert found.trials[0].score == pytest.approx(0.4, abs=0.2)  # 0.8 of a mean of about 0.5


def test_the_score_is_the_mean_over_the_dataset():
    found = tune(BENCH, scaled, Search(OVER, trials=2))
    samples = [toys.rated(id) for id in BENCH.dataset.ids]
    by_hand = [abs(0.2 * s.stimulus.mean() - np.mean(list(s.reference.by.values()))) for s in samples]
    assert found.trials[0].score == pytest.approx(np.mean(by_hand))


def test_with_people_it_is_the_score_that_a_run_gives():
    """Models are scored on each observer apart, as they are beside the ceiling."""
    bench = toys.vary(BENCH, people=toys.opinions().lineup.people)
    table = run(toys.vary(bench, blind=None), {"mine": scaled}, jobs=0)
    mine = table[(table["model"] == "mine") & (table["measure"] == "miss")]["value"].mean()
    assert tune(bench, scaled, Search(OVER, trials=2)).trials[0].score == pytest.approx(mine)
    assert tune(BENCH, scaled, Search(OVER, trials=2)).trials[0].score != pytest.approx(mine)


def test_the_same_seed_gives_the_same_search_and_more_trials_go_on():
    short, long, other = (
        tune(BENCH, scaled, Search(OVER, trials, seed)).trials for trials, seed in ((9, 0), (14, 0), (9, 1))
    )
    assert long[:9] == short
    assert other[1:] != short[1:]


def test_what_the_ledger_holds_is_not_computed_again():
    book = Ledger()
    first = tune(BENCH, scaled, Search(OVER, trials=8), ledger=book)
    CALLS.clear()
    assert tune(BENCH, scaled, Search(OVER, trials=8), ledger=book) == first
    assert CALLS == []


def test_a_setting_that_fails_is_a_trial_without_a_score():
    found = tune(BENCH, scaled, Search({"gain": Range(0.9, 9.0)}, trials=10))
    failed = [trial for trial in found.trials if math.isnan(trial.score)]
    assert failed
    assert all(trial.settings["gain"] > 5 for trial in failed)
    assert "too loud" in failed[0].reason
    assert found.best.settings["gain"] < 2


def test_where_nothing_can_be_scored_there_is_no_best():
    found = tune(BENCH, scaled, Search({"gain": Range(6.0, 9.0)}, trials=3))
    assert found.best.settings == {}  # as it is, a gain of 0.2 does work
    assert tune(BENCH, toys_trouble, Search({"gain": Range(6.0, 9.0)}, trials=3)).best is None


def toys_trouble(patch, *, gain=1.0):
    raise RuntimeError("never")


@pytest.mark.parametrize("seed", range(5))
def test_the_refinement_reaches_a_summit_within_the_trials_and_asks_for_nothing_twice(seed):
    asked = []

    def ask(batch):
        asked.extend(tuple(settings.items()) for settings in batch)
        return [-((s.get("a", 0) - 0.3) ** 2) - (s.get("b", 0) - 7) ** 2 / 100 for s in batch]

    explore(Search({"a": Range(0, 1), "b": Range(0, 10)}, trials=60, seed=seed), np.array([np.nan, 0.5]), ask)
    assert len(asked) == len(set(asked)) <= 60
    merits = {settings: ask([dict(settings)])[0] for settings in list(asked)}
    assert max(merits.values()) > -1e-3


def test_whole_numbers_stay_whole_and_are_not_tried_twice():
    found = tune(BENCH, lambda patch, *, k=1: patch.mean() / k, Search({"k": Range(1, 4, whole=True)}, trials=30))
    tried = [trial.settings["k"] for trial in found.trials[1:]]
    assert len(tried) == len(set(tried)) > 2
    assert set(tried) <= {1, 2, 3, 4}
    assert all(isinstance(k, int) for k in tried)
    assert found.best.settings == {}  # the first of equals


def test_measures_of_two_directions_have_no_mean():
    mixed = replace(BENCH, measures=(toys.miss, toys.pearson))
    with pytest.raises(Misuse, match="of both directions"):
        tune(mixed, scaled, Search(OVER, trials=2))


@pytest.mark.parametrize(
    ("over", "model", "says"),
    [
        ({}, scaled, "nothing to search over"),
        ({"gian": Range(0, 1)}, scaled, "did you mean 'gain'?"),
        ({"mode": Range(0, 1)}, scaled, "mode='plain', which is not a number"),
        ({"gain": Range(0, 1)}, chancy, "is stochastic"),
    ],
)
def test_what_cannot_be_tuned(over, model, says):
    with pytest.raises(Misuse, match=says.replace("?", r"\?")):
        tune(BENCH, model, Search(over, trials=3))
    with pytest.raises(Misuse, match="expected 2 or more"):
        tune(BENCH, scaled, Search(OVER, trials=1))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("gain", "expected key=low..high"),
        ("gain=1", "expected key=low..high"),
        ("gain=1..2:lin", "expected key=low..high"),
        ("gain=a..b", "expected two numbers"),
        ("gain=2..1", "low end below the high one"),
        ("gain=1..nan", "low end below the high one"),
        ("gain=0..1:log", "low end above 0"),
    ],
)
def test_wrong_ranges(text, says):
    with pytest.raises(Misuse, match=says):
        parse_range(text)


@pytest.mark.parametrize(
    ("text", "low", "high", "log", "whole"),
    [
        ("k=3..15", 3, 15, False, True),
        ("k=-1.5..2", -1.5, 2, False, False),
        ("k=1e-3..1e2:log", 1e-3, 100, True, False),
        ("k=1..64:log", 1, 64, True, True),
    ],
)
def test_ranges_are_read_and_written_alike(text, low, high, log, whole):
    key, found = parse_range(text)
    assert (key, found) == ("k", Range(low, high, log, whole))
    assert parse_range(f"k={found}")[1] == found
    values = [found.at(share) for share in np.linspace(0, 1, 9)]
    assert (values[0], values[-1]) == (low, high)
    assert values == sorted(values)
    assert found.share(values[4]) == pytest.approx(0.5, abs=0.1)


def test_whole_bounds_of_a_parameter_that_is_not_whole():
    made = fit_ranges(scaled, {"gain": Range(1, 4, whole=True), "many": Range(1, 4, whole=True)}, "model scaled")
    assert (made["gain"].whole, made["many"].whole) == (False, True)


def test_specs_with_further_settings():
    assert spelt("my.py:flow(k=2)", {"gain": 0.5}) == "my.py:flow(k=2,gain=0.5)"
    assert spelt("block", {}) == "block"
