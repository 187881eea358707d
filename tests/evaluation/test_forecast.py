"""A dry run: what is left, how long, how much memory and disk, from what earlier runs have measured."""

import re
from contextlib import closing
from dataclasses import replace

import pytest

from beholder.core.entrant import Given
from beholder.core.job import Job
from beholder.engines.local import Local
from beholder.engines.progress import Silent
from beholder.errors import Misuse
from beholder.evaluation import execute, plan, room
from beholder.evaluation.forecast import forecast
from beholder.evaluation.time_left import Meter, remember
from beholder.registry.load import load

DOTS = ("random_dots(count=4,size=64)",)
TITLE = "stereo/dense on random_dots"
HOW = execute.Options(jobs=2, samples=0)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Where a first run was made."""
    return tmp_path_factory.mktemp("forecast")


@pytest.fixture(autouse=True)
def _here(place, monkeypatch):
    monkeypatch.chdir(place)
    monkeypatch.setenv("BEHOLDER_CACHE", str(place / "cache"))


def told(how=HOW, **request):
    lines = forecast(plan.plan(plan.Request("stereo/dense", DOTS, **request)), how).splitlines()
    return {line.split()[0]: line.split(maxsplit=1)[1] for line in lines[-5:]}


def test_before_between_and_after_a_run(place):
    found = told()
    assert found["trials"] == "24 to do"
    assert found["time"] == "not measured yet; 2 workers"
    assert found["memory"] == "not measured yet"
    assert re.fullmatch(r"not measured yet; \d+ [GT]B free", found["disk"])
    assert found["folder"].endswith(", new")
    assert not list(place.glob("runs/*"))  # asking makes nothing

    what = plan.plan(plan.Request("stereo/dense", DOTS))
    with Meter(Silent()) as meter:
        done = execute.execute(what, execute.Options(jobs=1, samples=0), meter)
    room.measure_disk(done.folder, what.evaluations, done.scores)

    again = told()
    assert again["trials"] == "24: 24 done before, 0 to do"
    assert again["folder"].endswith(", resumed")
    other = told(seed=1)  # blind models and baselines have another seed, so nothing is known of them
    assert other["trials"] == "24 to do"
    more = told(measures=())
    assert more["trials"] == again["trials"]
    fewer = told(limit=2)
    assert fewer["trials"] == "12: 12 known from earlier runs, 0 to do"
    fresh = told(execute.Options(jobs=2, samples=0, fresh=True))
    assert fresh["trials"] == "24 to do"
    assert re.fullmatch(r"(about|perhaps) 0:\d\d with 2 workers.*", fresh["time"])
    assert re.match(
        r"about [\d.]+ [MG]B: 2 workers of up to \d+ MB, and [\d.]+ [MG]B for the coordinator", fresh["memory"]
    )
    assert re.fullmatch(r"about \d+ kB, \d+ [GT]B free", fresh["disk"])


def test_a_folder_that_the_run_would_refuse_is_refused(place):
    what, out = plan.Request("stereo/dense", DOTS, baselines="block"), place / "mine"
    execute.execute(plan.plan(what), execute.Options(out, jobs=0, samples=0), Silent())
    with pytest.raises(Misuse, match="mine holds another run: --seed was 0 and is 1"):
        told(execute.Options(out), baselines="block", seed=1)
    assert told(execute.Options(out, fresh=True), baselines="block", seed=1)["folder"].endswith(", emptied first")
    (out / "config").unlink()
    with pytest.raises(Misuse, match="holds no Beholder run"):
        told(execute.Options(out), baselines="block")


def test_disk_is_by_trial_and_memory_by_worker(monkeypatch):
    remember({TITLE: {"bytes": {"worker": 2e9, "coordinator": 5e8, "trial": 1e6, "sample": 0.0}}}, file=room.FILE)
    found = told(execute.Options(jobs=3, samples=0, fresh=True))
    assert found["memory"] == "about 6.5 GB: 3 workers of up to 2 GB, and 500 MB for the coordinator"
    assert found["disk"].startswith("about 24 MB, ")
    remember({TITLE: {"bytes": {"trial": 1e15}}}, file=room.FILE)
    assert "NOT ENOUGH" in told(execute.Options(jobs=3, samples=0, fresh=True))["disk"]


def test_the_most_that_workers_held_is_remembered():
    ours = Job(load("stereo/dense"), {})
    theirs = replace(ours, entrants={"mine": Given("mine", len)})
    with closing(Local(1)) as engine:
        for size, most in ((400, 400), (10, 400), (900, 900)):
            engine.submit(bytearray, size << 20).exception()
            room.measure_memory(theirs, engine)
            assert most << 20 < room.known_room(theirs).worker < (most + 300) << 20
    assert not room.known_room(ours).worker  # what a user's model takes says nothing of runs without it


def test_no_worker_may_hold_more_than_its_limit():
    remember({TITLE: {"bytes": {"worker": 2e9, "coordinator": 5e8}}}, file=room.FILE)
    found = told(execute.Options(jobs=3, samples=0, fresh=True, memory=10**9))
    assert found["memory"] == "about 3.5 GB: 3 workers of up to 1 GB, and 500 MB for the coordinator"
