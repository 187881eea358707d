"""A number over many samples that cannot be had counts as a failure, where no failed answer says so already."""

import beholder as bh
import toys
from beholder.core.job import Job
from beholder.core.measure import measure
from beholder.core.trial import fail_whole
from beholder.evaluation.run import enlist
from beholder.evaluation.score_rows import Tally, rows
from beholder.store.ledger import Ledger


@measure(better="lower", bounds=(0, 1), cite="", per="dataset")
def broken(observed, references):
    """A measure that cannot be had."""
    raise RuntimeError("no reference")


def bench():
    return toys.vary(toys.opinions(), measures=(broken,), people=None, baselines={}, blind=None, oracles=None, shown=())


def failures(**models):
    return bh.run(bench(), models, jobs=0).attrs["run"]


def test_a_failed_pooled_measure_is_counted_with_its_reason():
    found = failures(mine=lambda patch: 0.5)
    (failure,) = found["failures"]
    assert found["failed"] == 1
    assert (failure["model"], failure["sample"]) == ("mine", "*")
    assert "no reference" in failure["reason"]


def test_a_model_that_failed_is_counted_by_its_samples_only():
    def raises(patch):
        raise RuntimeError("mine")

    found = failures(mine=raises)
    assert found["failed"] == len(bench().dataset)
    assert {failure["sample"] for failure in found["failures"]} == set(bench().dataset.ids)


def test_what_a_model_that_never_ran_has_left_is_looked_through_once():
    job = Job(bench(), {own.name: own for own in enlist(bench(), {"mine": lambda patch: 0.5})})
    ledger, looked = Ledger(), []
    for id in job.benchmark.dataset.ids:
        ledger.add(job.benchmark.key, "mine", id, fail_whole(job.benchmark, "failed", "no worker has a gpu"))
    look = ledger.outcomes
    ledger.outcomes = lambda *of: looked.append(of) or look(*of)
    assert len(list(rows(job, ledger, Tally()))) == 1
    assert len(job.benchmark.dataset) > len(looked) == 1  # else the time would grow with the square of the samples
