"""run(): what dies, cannot be read, raises or goes elsewhere costs its own rows only."""

import os
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import beholder as bh
import toys
from beholder.engines import dispatch
from beholder.engines.progress import Silent
from beholder.engines.serial import Serial
from beholder.io.memory import total
from beholder.store.ledger import Ledger


def dying(stimulus, *, rng):
    """Dies on the samples of one place."""
    if stimulus[0] == 1:
        os._exit(5)
    return stimulus[0] + rng.standard_normal(10)


@pytest.mark.slow
def test_a_sample_whose_worker_died_keeps_its_place_and_its_repeats():
    """Pooled by tag: the group that lost a sample says so, in every repeat, and the others can still be judged."""
    scores = bh.run(toys.glances(toys.lines(6)), {"dying": dying}, repeats=3, jobs=1)
    of = scores[(scores["measure"] == "bias") & (scores["criterion"] == "all")]
    assert (
        set(of.loc[of["model"] == "looker", "unit"])
        == {"p0", "p1", "p2"}
        == set(of.loc[of["model"] == "dying", "unit"])
    )
    lost = of[(of["model"] == "dying") & (of["unit"] == "p1")]
    assert list(lost["state"]) == ["failed"] * 3
    assert sorted(lost["repeat"]) == [0, 1, 2]
    per_sample = scores[
        (scores["model"] == "dying") & (scores["measure"] == "above_control") & (scores["unit"] == "g1")
    ]
    assert sorted(per_sample["repeat"]) == sorted([0, 1, 2] * 3)  # for each of three criteria


class Own:
    """An answer of a class that only this process knows how to read."""

    def __reduce__(self):
        return _unreadable, ()


def _unreadable():
    if os.environ.get("TOYS_PARENT") == str(os.getpid()):
        raise ModuleNotFoundError("only the worker has this class")
    return Own()


def own_class(patch):
    return Own()


def test_what_cannot_be_read_here_costs_its_rows_only(monkeypatch):
    monkeypatch.setenv("TOYS_PARENT", str(os.getpid()))
    bench = bh.Benchmark("toy/x", 1, toys.items(2), (pooled_zero,), (toys.nobody,))
    scores = bh.run(bench, {"odd": own_class, "fine": toys.brightness}, jobs=1)
    states = dict(zip(scores["model"], scores["state"], strict=True))
    assert states == {"odd": "failed", "fine": "ok"}


@bh.measure(better="lower", bounds=(0, 1), cite="", per="dataset")
def pooled_zero(observed, references):
    return 0.0


@pytest.mark.parametrize("fault", [GeneratorExit("odd"), ValueError("\udcff bytes")])
def test_whatever_a_model_raises_is_a_row_that_can_be_written(fault, tmp_path):
    def model(patch):
        raise fault

    scores = bh.run(toys.opinions(toys.items(2)), {"bad": model}, jobs=0)
    reasons = scores.loc[(scores["model"] == "bad") & (scores["state"] == "failed"), "reason"]
    assert len(reasons)
    assert all(reason.encode("utf-8") for reason in reasons)


def test_many_that_fails_is_asked_once_a_sample():
    calls = []

    def bad(stimulus, *, rng, many):
        calls.append(1)
        raise RuntimeError("no")

    bh.run(toys.glances(toys.lines(2)), {"bad": bad}, jobs=0)
    assert len(calls) == 2


ROAMING = """
import os

def away(patch):
    os.chdir("/")
    return 0.5

def here(patch):
    open("m.py").close()
    return 0.5
"""


def test_a_model_that_goes_elsewhere_takes_nobody_along(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.py").write_text(ROAMING)
    scores = bh.run(toys.opinions(toys.items(3)), {"away": "m.py:away", "here": "m.py:here"}, jobs=2)
    assert scores.attrs["run"]["failed"] == 0


def hungry(patch):
    with Path(os.environ["TOYS_NOTES"]).open("a") as notes:
        print("in", file=notes, flush=True)
        time.sleep(0.15)
        print("out", file=notes, flush=True)
    return 0.5


hungry.resources = {"memory": 0.6 * total()}


def test_models_that_need_much_memory_run_one_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setenv("TOYS_NOTES", str(tmp_path / "notes"))
    scores = bh.run(toys.opinions(toys.items(4)), {"hungry": hungry}, jobs=2)
    assert scores.attrs["run"]["failed"] == 0
    assert (tmp_path / "notes").read_text().split() == ["in", "out"] * 4


def insatiable(patch):
    return 0.5


insatiable.resources = {"memory": "900 TB"}


def test_what_no_machine_has_is_said_in_the_rows():
    scores = bh.run(toys.opinions(toys.items(2)), {"insatiable": insatiable, "fine": toys.brightness}, jobs=1)
    lacking = scores[(scores["model"] == "insatiable") & (scores["measure"] == "miss")]
    assert set(lacking["reason"]) == {"it needs memory=900000 GB, and no worker has that"}
    assert set(scores.loc[scores["model"] == "fine", "state"]) == {"ok"}


class Deserted(Serial):
    """A cluster whose workers have all gone."""

    far = True


def test_a_cluster_without_workers_is_told_once(capsys):
    told = dispatch._tell_alone(Deserted(), Silent(), told=False)
    assert dispatch._tell_alone(Deserted(), Silent(), told=told)
    assert not dispatch._tell_alone(Serial(), Silent(), told=False)
    assert capsys.readouterr().err.count("no workers any more: waiting for new ones") == 1


def test_in_this_process_a_batch_is_committed_before_the_next_is_begun(tmp_path):
    found = []

    def model(patch):
        with closing(sqlite3.connect(tmp_path / "ledger.sqlite")) as db:
            found.append(db.execute("select count(*) from outcome where model = 'mine'").fetchone()[0])
        time.sleep(0.3)  # so long that each is a batch of its own
        return 0.5

    bh.run(toys.opinions(toys.items(3)), {"mine": model}, jobs=0, ledger=Ledger(tmp_path / "ledger.sqlite"))
    assert found == [0, 1, 2]


@bh.measure(better="lower", bounds=(0, 1), cite="")
def odd_part(observed, reference):
    return bh.Result(0.5, parts={"x": None})


@bh.measure(better="lower", bounds=(0, 1), cite="")
def odd_status(observed, reference):
    return bh.Result(0.5, status="hearsay")


def test_a_measure_whose_result_makes_no_row_fails_and_costs_nobody_else():
    bench = bh.Benchmark("toy/x", 1, toys.items(2), (odd_part, odd_status, toys.miss), (toys.nobody,))
    scores = bh.run(bench.on(bench.dataset.map(_with_number)), {"fine": lambda patch: 0.5}, jobs=0)
    assert {name: set(own) for name, own in scores.groupby("measure")["state"]} == {
        "odd_part": {"failed"},
        "odd_status": {"failed"},
        "miss": {"ok"},
    }
    assert scores["reason"].str.contains("odd_status: ValueError: got status 'hearsay'; expected one of ver").any()


def _with_number(sample):
    return replace(sample, reference=0.5, tags={"block": 3})


def test_a_file_whose_name_is_no_text_is_no_fault_of_a_run(tmp_path):
    odd = tmp_path / os.fsdecode(b"caf\xe9.txt")
    odd.write_text("0.5")

    def model(patch):
        return float(odd.read_text())

    scores = bh.run(toys.opinions(toys.items(2)), {"mine": model}, jobs=0, ledger=Ledger(tmp_path / "ledger.sqlite"))
    assert scores.attrs["run"]["failed"] == 0


def test_a_model_that_takes_its_worker_along_when_it_is_opened_is_not_opened_in_this_process():
    scores = bh.run(toys.opinions(toys.items(2)), {"deadly": toys.Deadly(), "fine": toys.brightness}, jobs=1)
    lost = scores[(scores["model"] == "deadly") & (scores["measure"] == "miss")]
    assert set(lost["reason"]) == {"it cannot be opened: the worker process exited with code 7"}
    assert set(scores.loc[scores["model"] == "fine", "state"]) == {"ok"}
