"""A model is never scored on what it was trained on, however it is named."""

from dataclasses import replace

import pytest

import beholder as bh
import toys
from beholder.core.cite import source
from beholder.core.sample import join
from beholder.errors import Misuse
from beholder.evaluation.run import enlist
from beholder.registry.trained_on import trained_on

SAID = "was trained on items: what it scores on the dataset .* tells nothing of it"
FILE = """
from beholder.core.cite import source

@source("", trained_on="items")
def learnt(patch):
    return float(patch.mean())
"""


@source("", trained_on="others, items")
def learnt(patch):
    return float(patch.mean())


@pytest.fixture
def bench():
    return toys.vary(toys.opinions(), baselines={})


def test_a_function_is_refused_before_anything_runs(bench):
    with pytest.raises(Misuse, match=f"'mine' {SAID}"):
        bh.run(bench, {"mine": learnt}, jobs=0)
    assert enlist(bench.on(replace(toys.items(3), name="new")), {"mine": learnt})  # elsewhere it takes part


def test_so_is_a_baseline(bench):
    with pytest.raises(Misuse, match=f"'own' {SAID}"):
        enlist(toys.vary(bench, baselines={"own": learnt}), {})


def test_joined_datasets_hold_the_one_that_it_knows(bench):
    both = join(toys.items(3), replace(toys.items(3), name="new"))
    with pytest.raises(Misuse, match=SAID):
        enlist(bench.on(both), {"mine": learnt})
    assert trained_on(learnt, "new") == ""


@pytest.mark.parametrize("jobs", [0, 1])
def test_a_file_of_the_users_is_refused_where_it_is_opened(bench, tmp_path, jobs):
    (tmp_path / "mine.py").write_text(FILE)
    spec = {"mine": f"{tmp_path / 'mine.py'}:learnt"}
    if jobs:
        with pytest.raises(Misuse, match=f"cannot be opened: .*{SAID}"):
            bh.run(bench, spec, jobs=1)
        return
    own = (rows := bh.run(bench, spec, jobs=0))[rows["model"] == "mine"]
    assert set(own["state"]) == {"failed"}
    assert own["reason"].str.contains("was trained on items").all()
