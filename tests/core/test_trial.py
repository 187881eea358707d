"""What a measure or a criterion is not about, known from the reference alone, has no row, count, status or loss."""

from dataclasses import replace

import pytest

import beholder as bh
import toys
from beholder.core.benchmark import EVERYWHERE, Criterion, everywhere
from beholder.core.measure import card, measure
from beholder.core.randomness import rng_for
from beholder.core.sample import Dataset, Sample
from beholder.core.trial import fail_whole

COLOURS = {"a": "red", "b": "red", "c": "blue", "d": "blue"}


def patch(id):
    """A number of a colour; blue ones are remembered only."""
    colour = COLOURS[id]
    number = float(rng_for(1, id).random())
    return Sample(id, number, toys.Ratings({"colour": colour, "is": number}, "memory" if colour == "blue" else "seed"))


def no_red(reference):
    """Why this is no red."""
    return "" if reference.by["colour"] == "red" else f"this is {reference.by['colour']}"


def no_green(reference):
    """Nothing is green."""
    return "this is not green"


@measure(better="lower", bounds=(0, 1), cite="", per="dataset", excludes=no_red)
def red_off(observed, references):
    """Mean error of red ones."""
    assert all(reference.by["colour"] == "red" for reference in references)
    return sum(abs(o - r.by["is"]) for o, r in zip(observed, references, strict=True)) / len(observed)


@measure(better="lower", bounds=(0, 1), cite="")
def off(observed, reference):
    """Error."""
    return abs(observed - reference.by["is"])


RED = Criterion("red", everywhere, no_red)
ALL = Dataset("patches", tuple(COLOURS), patch, licence="generated")


def bench(*measures, **change):
    return toys.vary(
        toys.opinions(), dataset=ALL, measures=measures, people=None, baselines={}, blind=None, oracles=None, shown=(),
        accept=lambda raw, stimulus: raw, **{"criteria": (EVERYWHERE,), **change},
    )  # fmt: skip


def right(number):
    """The number itself."""
    return number


def shy_of(*ids):
    """A model that raises on some samples."""
    numbers = [patch(id).stimulus for id in ids]

    def shy(number):
        if number in numbers:
            raise RuntimeError("I am shy")
        return number

    return shy


def test_a_pooled_measure_counts_what_it_is_about_and_takes_its_status():
    (row,) = bh.run(bench(red_off), {"right": right}, jobs=0).itertuples()
    assert (row.n, row.state, row.provenance) == (2, "ok", "seed")


def test_a_loss_elsewhere_is_none_of_its_business():
    rows = bh.run(bench(red_off), {"blue": shy_of("c"), "red": shy_of("a"), "both": shy_of("a", "b")}, jobs=0)
    assert rows.set_index("model")["state"].to_dict() == {"blue": "ok", "red": "partial", "both": "failed"}


def test_a_dataset_without_any_is_not_applicable_and_says_so():
    green = measure(better="lower", bounds=(0, 1), cite="", per="dataset", excludes=no_green)(lambda o, r: 0.0)
    green.card = replace(card(green), name="green")
    (row,) = bh.run(bench(green), {"right": right}, jobs=0).itertuples()
    assert (row.state, row.unit, row.n) == ("na", "*", 0)
    assert row.reason == "green applies to no sample of this dataset"


def test_a_criterion_has_rows_of_what_lies_within_only():
    rows = bh.run(bench(off, criteria=(RED,)), {"right": right, "shy": shy_of("c")}, jobs=0)
    assert set(rows["unit"]) == {"a", "b"}
    assert set(rows["state"]) == {"ok"}  # what was lost lies outside


def test_a_criterion_that_no_sample_of_the_dataset_is_about_says_so_once():
    green = Criterion("green", everywhere, no_green)
    rows = bh.run(
        bench(off, criteria=(RED, green), shown_within=(Criterion("hue", everywhere, no_green),)), {"it": right}, jobs=0
    )
    (row,) = rows[rows["criterion"] == "green"].itertuples()
    assert (row.unit, row.state, row.n) == ("*", "na", 0)
    assert row.reason == "off applies to no sample of this dataset within green"
    assert set(rows["criterion"]) == {"red", "green"}  # what stands aside is not missed


def test_a_loss_that_no_measure_is_about_is_counted_and_not_asked_for_again():
    run = bh.run(bench(off, criteria=(RED,)), {"shy": shy_of("c")}, jobs=0).attrs["run"]
    assert run["failed"] == 1
    assert run["failures"][0]["sample"] == "c"


def test_the_whole_reference_is_asked_whoever_is_held_out():
    @measure(better="lower", bounds=(0, 9), cite="", excludes=lambda of: "alone" if len(of.by) < 2 else "")
    def spread(observed, rating):
        """How far off."""
        return abs(observed - rating)

    rows = bh.run(toys.vary(toys.opinions(), measures=(spread,), shown=()), {"mine": lambda patch: 0.5}, jobs=0)
    assert rows.groupby("model").size().loc["mine"] == len(toys.items())


def test_a_fault_in_telling_costs_that_measure_only():
    def broken(reference):
        raise RuntimeError("no idea")

    lame = measure(better="lower", bounds=(0, 1), cite="", excludes=broken)(lambda o, r: 0.0)
    lame.card = replace(card(lame), name="lame")
    rows = bh.run(bench(off, lame), {"right": right}, jobs=0)
    assert rows.groupby("measure")["state"].unique().map(list).to_dict() == {"off": ["ok"], "lame": ["failed"]}
    assert rows.loc[rows["measure"] == "lame", "reason"].str.contains("no idea").all()


@pytest.mark.parametrize("pooled", [False, True])
def test_a_trial_that_was_lost_as_a_whole_has_the_rows_that_others_have(monkeypatch, pooled):
    from beholder.engines import tasks

    asked = tasks.trial

    def dies(job, name, id):
        return fail_whole(job.benchmark, "failed", "killed") if (name, id) == ("dead", "c") else asked(job, name, id)

    monkeypatch.setattr(tasks, "trial", dies)
    its = (red_off, EVERYWHERE) if pooled else (off, RED)
    rows = bh.run(bench(its[0], criteria=(its[1],)), {"dead": lambda number: number, "right": right}, jobs=0)
    assert set(rows["state"]) == {"ok"}
    assert len(rows) == (2 if pooled else 4)
