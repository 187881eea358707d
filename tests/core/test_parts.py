"""What a measure says besides its number: parts, some of them undefined, and the trust in what it has looked up."""

import math

import pytest

import beholder as bh
from beholder.core.benchmark import Answers, Benchmark, Recorded
from beholder.core.measure import Result, measure
from beholder.core.sample import Dataset, Sample
from beholder.core.scores import labels


def shown(id):
    return Sample(id, float(id), float(id), {"half": "low" if id < "2" else "high"})


def dataset(status=""):
    return Dataset("few", ("1", "2", "3"), shown, status=status)


@measure(better="lower", bounds=(0, 9), cite="", parts={"last": "higher"})
def apart(found, true):
    """Distance, with a part that is undefined between two that are not."""
    return Result(abs(found - true), {"first": 1.0, "gone": math.nan, "last": 3.0}, status="memory")


@measure(better="lower", bounds=(0, 9), cite="", per="half")
def pooled_apart(found, true):
    """The same over half a dataset."""
    return Result(float(sum(found) - sum(true)), {"gone": math.nan, "last": 3.0}, status="memory")


@measure(better="lower", bounds=(0, 9), cite="")
def bare(found, true):
    """Distance, that needs nothing else."""
    return abs(found - true)


def table(measures, status=""):
    bench = Benchmark("toy/parts", 1, dataset(status), measures, (lambda rows: None,))
    return bh.run(bench, {"same": float}, jobs=0)


def test_a_part_after_an_undefined_one_keeps_its_state():
    scores = table((apart, pooled_apart))
    states = {name: set(rows["state"]) for name, rows in scores.groupby(labels(scores))}
    assert states == {
        "apart": {"ok"},
        "apart.first": {"ok"},
        "apart.gone": {"na"},
        "apart.last": {"ok"},
        "pooled_apart": {"ok"},
        "pooled_apart.gone": {"na"},
        "pooled_apart.last": {"ok"},
    }


def test_a_part_says_itself_which_way_it_is_better():
    scores = table((apart,))
    better = dict(zip(scores["part"], scores["better"], strict=True))
    assert better == {"": "lower", "first": "neither", "gone": "neither", "last": "higher"}


@pytest.mark.parametrize(("status", "of_bare", "of_apart"), [("", "", "memory"), ("placeholder",) * 3])
def test_what_a_measure_looked_up_joins_the_status_of_the_sample(status, of_bare, of_apart):
    scores = table((apart, pooled_apart, bare), status)
    trust = {name: set(rows["provenance"]) for name, rows in scores.groupby(labels(scores))}
    assert trust["bare"] == {of_bare}
    assert trust["apart"] == trust["apart.last"] == trust["pooled_apart"] == {of_apart}


def test_answers_are_made_when_asked_for():
    made = []
    answers = Answers(dataset(), lambda sample: made.append(sample.id) or sample.reference)
    assert (list(answers), len(answers), "2" in answers, "7" in answers, made) == (["1", "2", "3"], 3, True, False, [])
    assert Recorded(answers).recall("2") == 2.0
    with pytest.raises(KeyError):
        answers["7"]
    assert made == ["2"]
