"""run(): every contract of the design on rows, roles, repeats, people and pooling; what is lost: test_lost.py."""

import math
import os
import threading
import time
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats

import beholder as bh
import toys
from beholder.core.benchmark import Recorded
from beholder.core.scores import COLUMNS
from beholder.errors import Misuse
from beholder.store.ledger import Ledger


@pytest.fixture(scope="module")
def opinions():
    return bh.run(toys.opinions(), jobs=0)


@pytest.fixture(scope="module")
def glances():
    return bh.run(toys.glances(), jobs=0)


def value(scores, **where):
    rows = scores
    for column, wanted in where.items():
        rows = rows[rows[column] == wanted]
    assert len(rows) == 1, rows
    return rows.iloc[0]


def test_columns_are_frozen(opinions):
    assert tuple(opinions.columns) == COLUMNS
    assert (
        *("benchmark", "version", "model", "role", "dataset", "unit", "repeat", "measure", "settings", "part"),
        *("criterion", "better", "value", "lo", "hi", "n", "state", "reason", "provenance"),
    ) == COLUMNS


def test_roles(opinions, glances):
    roles = dict(zip(opinions["model"], opinions["role"], strict=True))
    assert roles == {
        "brightness": "baseline",
        "contrast": "baseline",
        "people": "ceiling",
        **{f"person {who}": "person" for who in toys.RATERS},
        "constant": "blind",
    }
    assert dict(zip(glances["model"], glances["role"], strict=True))["people"] == "oracle"


def test_models_are_scored_on_the_same_held_out_observers(opinions):
    sample = toys.rated("item0")
    by_hand = np.mean([abs(sample.stimulus.mean() - sample.reference.by[r]) for r in toys.RATERS])
    row = value(opinions, model="brightness", unit="item0", measure="miss")
    assert row["value"] == pytest.approx(by_hand, abs=1e-12)
    assert row["n"] == 4
    assert value(opinions, model="brightness", unit="item3", measure="miss")["n"] == 3  # dan missed it


def test_ceiling_is_the_others_on_the_one_left_out(opinions):
    by = toys.rated("item0").reference.by
    by_hand = np.mean([abs(np.mean([by[o] for o in by if o != who]) - by[who]) for who in by])
    assert value(opinions, model="people", unit="item0", measure="miss")["value"] == pytest.approx(by_hand, abs=1e-12)


def test_person_is_one_against_the_others(opinions):
    by = toys.rated("item0").reference.by
    by_hand = abs(by["bob"] - np.mean([by[o] for o in by if o != "bob"]))
    assert value(opinions, model="person bob", unit="item0", measure="miss")["value"] == pytest.approx(by_hand)
    missed = value(opinions, model="person dan", unit="item3", measure="miss")
    assert missed["state"] == "na"
    assert "did not see" in missed["reason"]
    assert math.isnan(missed["value"])


def test_pooled_measure_with_people(opinions):
    """Over held-out raters: the mean of the correlations with each rater alone."""
    samples = [toys.rated(f"item{i}") for i in range(12)]
    each = []
    for who in toys.RATERS:
        held = [(s.stimulus.mean(), s.reference.by[who]) for s in samples if who in s.reference.by]
        each.append(stats.pearsonr(*zip(*held, strict=True)).statistic)
    row = value(opinions, model="brightness", measure="pearson", unit="*")
    assert row["value"] == pytest.approx(np.mean(each), abs=1e-12)
    assert row["n"] == 12
    assert row["lo"] < row["value"] < row["hi"]


def test_interval_of_a_pooled_measure_agrees_with_scipy():
    bench = bh.Benchmark("toy/x", 1, toys.items(40), (toys.pearson,), (toys.nobody,), accept=toys.number,
                         criteria=(bh.Criterion("mean", toys.mean_rating),))  # fmt: skip
    row = value(bh.run(bench, {"b": noisy}, jobs=0), model="b")
    samples = list(toys.items(40))
    x, y = [noisy(s.stimulus) for s in samples], [np.mean(list(s.reference.by.values())) for s in samples]
    boot = stats.bootstrap((x, y), lambda a, b: stats.pearsonr(a, b).statistic, paired=True, vectorized=False,
                           n_resamples=2000, method="percentile", rng=np.random.default_rng(1))  # fmt: skip
    assert (row["lo"], row["hi"]) == pytest.approx(tuple(boot.confidence_interval), abs=0.06)


def noisy(patch):
    return float(patch.mean() + patch[0, 0] - patch[1, 1] + 3 * (patch[2, 2] - patch[3, 3]))


def test_constant_answers_are_na_not_a_number(opinions):
    """Correlation with a constant is undefined: numpy gives NaN, the row says na."""
    row = value(opinions, model="constant", measure="pearson", unit="*")
    assert row["state"] == "na"


def test_pooled_by_tag_with_parts(glances):
    rows = glances[(glances["model"] == "starer") & (glances["measure"] == "bias") & (glances["criterion"] == "all")]
    assert set(rows["part"]) == {"", "first", "last"}
    rows = rows[rows["part"] == ""]
    assert list(rows["unit"]) == ["p0", "p1", "p2"]
    assert list(rows["value"]) == [0, 0, 0]
    assert (rows["n"] == 3).all()
    parts = glances[(glances["model"] == "looker") & (glances["unit"] == "p1") & (glances["repeat"] == 4)]
    first = value(parts, measure="bias", part="first", criterion="all")["value"]
    by_hand = np.mean(toys.looker(np.array([1.0]), rng=bh_rng("g1", 4))) - 1
    assert first == pytest.approx(abs(by_hand))


def bh_rng(id, repeat):
    from beholder.core.randomness import rng_for

    return rng_for(0, "lines", id, str(repeat))


def test_stochastic_models_are_repeated(glances):
    of = glances[(glances["measure"] == "above_control") & (glances["criterion"] == "all")]
    assert of.groupby("model")["repeat"].nunique().to_dict() == {"looker": 10, "crowd": 10, "starer": 1, "people": 1}
    assert of[of["model"] == "looker"].groupby("unit")["value"].nunique().max() > 1


def test_nothing_applies_is_na_and_no_failure(glances):
    late = glances[(glances["criterion"] == "late") & (glances["measure"] == "above_control")]
    assert set(late["state"]) == {"na"}
    assert set(late["reason"]) == {"nothing is late here"}
    assert glances.attrs["run"]["failed"] == 0


def test_worst_status_travels(opinions, glances):
    assert set(opinions["provenance"]) == {"verified"}
    assert set(glances.loc[glances["state"] == "ok", "provenance"]) == {"memory"}


def test_readouts_are_computed_once_a_sample():
    toys.CALLS.clear()
    bh.run(toys.glances(toys.lines(2)), repeats=1, jobs=0)
    assert len(toys.CALLS) == 2 * 4  # samples × models; three measures and three criteria read it


def test_controls_do_not_change_with_the_slice():
    whole = bh.run(toys.glances(), jobs=0)
    part = bh.run(toys.glances(toys.lines()[2:4]), jobs=0)
    mine = whole[whole["unit"].isin(["g2", "g3"])].reset_index(drop=True)
    assert part[part["unit"].isin(["g2", "g3"])].reset_index(drop=True).equals(mine)


def test_the_same_run_twice_is_the_same_table(glances):
    assert bh.run(toys.glances(), jobs=0).equals(glances)
    assert not bh.run(toys.glances(), seed=1, jobs=0).equals(glances)


@pytest.mark.usefixtures("toys_in_workers")
@pytest.mark.parametrize("jobs", [1, 2])
def test_workers_give_the_same_table(opinions, glances, jobs, tmp_path):
    from beholder.core.scores import write

    for name, here, bench in (("o", opinions, toys.opinions()), ("g", glances, toys.glances())):
        there = bh.run(bench, jobs=jobs)
        write(here, tmp_path / f"{name}0.csv")
        write(there, tmp_path / f"{name}1.csv")
        assert (tmp_path / f"{name}0.csv").read_bytes() == (tmp_path / f"{name}1.csv").read_bytes()


TROUBLE = {
    "raises": "ZeroDivisionError: division by zero (toys.py, line",
    "exits": "the model called exit(3)",
    "dies": "the worker process exited with code 4",
    "segfaults": "the worker process was killed by SIGSEGV",
    "hangs": "no answer within 4 s",
    "returns_none": "the model returned None; expected an answer",
    "returns_text": "answer refused: got str; expected a number",
    "writes": "the stimulus is read-only: copy it first",
}


@pytest.mark.slow
@pytest.mark.usefixtures("toys_in_workers")
def test_a_model_that_misbehaves_costs_its_row():
    models = {kind: getattr(toys, kind) for kind in (*TROUBLE, "prints")}
    bad = {s.id for s in toys.items(6) if not int(1e6 * s.stimulus[0, 0]) % 3}
    assert 0 < len(bad) < 6
    scores = bh.run(toys.opinions(toys.items(6)), models, jobs=2, timeout=4)
    of = scores[scores["measure"] == "miss"]
    for kind, reason in TROUBLE.items():
        mine = of[of["model"] == kind]
        assert len(mine) == 6
        assert set(mine.loc[mine["state"] == "failed", "unit"]) == bad, kind
        assert all(reason in text for text in mine.loc[mine["state"] == "failed", "reason"]), kind
        assert mine.loc[mine["state"] == "failed", "value"].isna().all()
        pooled = value(scores, model=kind, measure="pearson")
        assert pooled["state"] == "partial"
        assert f"{6 - len(bad)} of 6 samples" in pooled["reason"]
    for fine in ("prints", "brightness"):
        assert set(of.loc[of["model"] == fine, "state"]) == {"ok"}
    assert scores.attrs["run"]["failed"] == len(TROUBLE) * len(bad)


@pytest.mark.parametrize("kind", ["raises", "exits", "returns_none", "returns_text", "writes"])
def test_misbehaviour_in_this_process_is_a_row_too(kind):
    scores = bh.run(toys.opinions(toys.items(6)), {"bad": getattr(toys, kind)}, jobs=0)
    failed = scores[(scores["model"] == "bad") & (scores["state"] == "failed")]
    assert len(failed)
    assert all(TROUBLE[kind] in reason for reason in failed["reason"])


def test_a_sample_that_cannot_be_loaded_is_rows_for_everyone():
    def load(id):
        if id == "item1":
            raise OSError("item1.png is truncated")
        return toys.rated(id)

    dataset = bh.Dataset("items", ("item0", "item1"), load)
    scores = bh.run(toys.opinions(dataset), jobs=0)
    of = scores[(scores["unit"] == "item1") & (scores["measure"] == "miss")]
    assert set(of["state"]) == {"failed"}
    assert all("could not be loaded: OSError: item1.png is truncated" in reason for reason in of["reason"])


def test_functions_of_a_notebook_run_in_workers_with_a_time_out(capsys):
    """By value: a lambda, a closure, a callable of a local class; what hangs or crashes costs its rows only."""
    half = 0.5

    class Constant:
        def __call__(self, patch):
            return half

    def hangs(patch):
        time.sleep(60)

    def aborts(patch):
        os.abort()

    lock = threading.Lock()  # cannot travel

    def locked(patch):
        with lock:
            return half

    models = {"lambda": lambda patch: half, "object": Constant(), "hangs": hangs, "aborts": aborts, "locked": locked}
    scores = bh.run(toys.opinions(toys.items(2)), models, jobs=2, timeout=2)
    of = scores[(scores["measure"] == "miss") & (scores["role"] == "model")].groupby("model", sort=False)
    assert of["state"].agg(set).to_dict() == {
        name: {"failed"} if name in ("hangs", "aborts") else {"ok"} for name in models
    }
    reasons = of["reason"].first()
    assert "no answer within 2 s" in reasons["hangs"]
    assert "killed by SIGABRT" in reasons["aborts"]
    said = capsys.readouterr().err
    assert "locked cannot be sent to a worker process (TypeError: cannot pickle '_thread.lock' object)" in said
    assert "so it runs in this one, without a time-out" in said
    assert "lambda" not in said


def test_classes_of_a_notebook_come_back_as_what_they_are():
    """A benchmark of the user's own with its own types runs in workers; what is read out returns as the same class."""

    class Guess(NamedTuple):
        value: float

    seen = []

    @bh.measure(better="lower", bounds=(0, 1), cite="", per="dataset")
    def spread(observed, references):
        seen.extend(observed)
        return 0.0

    bench = bh.Benchmark("toy/guesses", 1, toys.items(2), (spread,), (toys.nobody,))
    scores = bh.run(bench, {"mine": lambda patch: Guess(0.5)}, jobs=1, timeout=60)
    assert set(scores.loc[scores["model"] == "mine", "state"]) == {"ok"}
    assert all(type(guess) is Guess for guess in seen)
    assert seen


def test_recorded_answers():
    answers = {"item0": 0.1, "item2": 0.2}
    scores = bh.run(toys.opinions(toys.items(3)), {"old": Recorded(answers)}, jobs=0)
    missing = value(scores, model="old", unit="item1", measure="miss")
    assert missing["state"] == "failed"
    assert "no recorded answer" in missing["reason"]
    asked = bh.run(toys.opinions(toys.items(3)), {"eve": Recorded(answers, partial=True)}, jobs=0)
    row = value(asked, model="eve", unit="item1", measure="miss")
    assert (row["state"], row["role"]) == ("na", "person")


def test_a_model_may_say_whom_it_leaves_out():
    def trained(patch):
        return 0.5

    trained.leaves_out = ("ann",)
    scores = bh.run(toys.opinions(toys.items(2)), {"mine": trained}, jobs=0)
    ann = toys.rated("item0").reference.by["ann"]
    assert value(scores, model="mine", unit="item0", measure="miss")["value"] == pytest.approx(abs(0.5 - ann))


def test_names_that_are_taken_and_things_that_are_no_models():
    with pytest.raises(Misuse, match="two models called 'constant'"):
        bh.run(toys.opinions(), {"constant": toys.brightness}, jobs=0)
    with pytest.raises(Misuse, match="is a int; expected a function"):
        bh.run(toys.opinions(), {"mine": 3}, jobs=0)


def test_what_is_in_the_ledger_is_not_done_again(tmp_path):
    calls = []

    def counting(patch):
        calls.append(1)
        return 0.5

    first = Ledger(tmp_path / "l.sqlite")
    whole = toys.items(5)
    bh.run(toys.opinions(whole[:3]), {"mine": counting}, jobs=0, ledger=first)
    first.close()
    again = Ledger(tmp_path / "l.sqlite")
    scores = bh.run(toys.opinions(whole), {"mine": counting}, jobs=0, ledger=again)
    assert len(calls) == 5  # three, and then the two that were missing
    assert len(scores[(scores["model"] == "mine") & (scores["measure"] == "miss")]) == 5


def test_pooled_readouts_must_be_small():
    @bh.measure(better="lower", bounds=(0, 1), cite="", per="dataset")
    def large(observed, references):
        return 0.0

    bench = bh.Benchmark("toy/large", 1, toys.items(2), (large,), (toys.nobody,))
    row = value(bh.run(bench, {"m": lambda patch: np.zeros((100, 100))}, jobs=0), model="m")
    assert row["state"] == "failed"
    assert "expected at most 64 kB" in row["reason"]


def test_many_must_give_as_many():
    def few(stimulus, *, rng, many):
        return [1.0]

    scores = bh.run(toys.glances(toys.lines(2)), {"few": few}, jobs=0)
    reasons = scores.loc[(scores["model"] == "few") & (scores["state"] == "failed"), "reason"]
    assert len(reasons)
    assert all("got 1 answers; expected as many as `many` asked for, 10" in reason for reason in reasons)


def test_measures_added_by_a_user_are_reported_and_not_judged():
    seen = []

    def watching(scores):
        seen.extend(scores["measure"].unique())
        return toys.nobody(scores)

    bench = bh.Benchmark("toy/x", 1, toys.items(2), (toys.miss,), (watching,), accept=toys.number,
                         criteria=(bh.Criterion("mean", toys.mean_rating),))  # fmt: skip

    @bh.measure(better="lower", bounds=(0, 1), cite="")
    def mine(observed, rating):
        return 0.0

    more = bench.with_measures(mine)
    scores = bh.run(more, {"b": toys.brightness}, jobs=0)
    more.judge(scores)
    assert set(scores["measure"]) == {"miss", "mine"}
    assert seen == ["miss"]
