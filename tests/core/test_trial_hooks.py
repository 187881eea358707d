"""A benchmark may say of a kind of model that nothing of it applies: rows with a sentence, and it is not asked."""

import errno

import pytest

import beholder as bh
import toys
from beholder.core.benchmark import Files
from beholder.core.cite import source
from beholder.core.entrant import Given
from beholder.core.job import Job, Keep
from beholder.core.trial import trial
from beholder.errors import DiskFull
from beholder.io.atomic import whole_file
from beholder.verdicts.components import components

WHY = "it is blind"


def unfit(facts):
    """Blind models have nothing to say here."""
    return WHY if facts.get("kind") == "blind" else ""


@source("", kind="blind")
def blind(patch):
    """Fails if it is asked."""
    raise RuntimeError("asked")


@pytest.fixture(scope="module")
def bench():
    return toys.vary(toys.opinions(), exclude=unfit)


def test_a_model_of_that_kind_is_not_asked_and_all_its_rows_say_why(bench):
    rows = bh.run(bench, {"it": blind}, jobs=0)
    own = rows[rows["model"] == "it"]
    assert set(own["state"]) == {"na"}
    assert set(own["reason"]) == {WHY}
    assert set(rows["measure"]) == set(own["measure"])


def test_the_others_are_compared_as_without_it(bench):
    before, after = components(bh.run(toys.opinions(), jobs=0)), components(bh.run(bench, {"it": blind}, jobs=0))
    assert after.values.equals(before.values)
    assert after.left_out == {**before.left_out, "it": f"no measure applies: {WHY}"}


def test_a_disk_that_takes_no_answer_is_no_fault_of_the_model(bench, tmp_path):
    faults = [OSError(errno.ENOSPC, "full"), OSError(errno.EDQUOT, "quota"), OSError("80 requested and 16 written")]
    other = OSError(errno.EIO, "another fault costs a picture only")

    def write(answer, path):
        with whole_file(path):
            raise faults.pop() if faults else other

    job = Job(toys.vary(bench, files=Files((".txt",), None, write)), {"it": Given("it", toys.brightness)})
    job.keep = Keep(tmp_path / "answers", None)
    while faults:
        with pytest.raises(DiskFull, match=r"no space left for .*answers.*MB free of"):
            trial(job, "it", bench.dataset.ids[0])
    assert trial(job, "it", bench.dataset.ids[0]).failure == ""
