"""When a worker holds too much: by its own limit, or because nothing is left."""

import os
from pathlib import Path

import pytest

from beholder.core.resources import resources_of
from beholder.engines.memory import MemoryWatch
from beholder.errors import Misuse
from beholder.io import memory
from beholder.io.sizes import parse_size

MB = 10**6


@pytest.fixture
def machine(monkeypatch):
    """A machine of 1 GB on which so much is left, and a worker that holds so much."""

    def make(left, held):
        monkeypatch.setattr(memory, "total", lambda: 1000 * MB)
        monkeypatch.setattr(memory, "left", lambda: left * MB)
        monkeypatch.setattr(memory, "held", lambda pids: held * MB)
        monkeypatch.setattr(memory, "held_apart", lambda pids: held * MB)

    return make


@pytest.mark.parametrize(
    ("left", "held", "peers", "ends"),
    [
        (500, 800, (), False),  # enough is left
        (10, 800, (), True),
        (10, 800, (900,), False),  # another one holds more
        (10, 800, (100, 800), True),
        (10, 50, (), False),  # not to blame
    ],
)
def test_without_a_limit_the_largest_ends_when_nothing_is_left(machine, left, held, peers, ends):
    machine(left, held)
    said = MemoryWatch(os.getpid(), None, lambda: [peer * MB for peer in peers]).outgrown()
    assert said == ("the worker process used 800 MB of memory when only 10 MB were left" if ends else "")


def test_a_limit_is_the_workers_own(machine):
    machine(left=10, held=300)
    assert MemoryWatch(os.getpid(), 400 * MB).outgrown() == ""
    watch = MemoryWatch(os.getpid(), 200 * MB)
    assert watch.outgrown() == "the worker process used more than 200 MB of memory (--memory)"
    assert watch.outgrown() == ""  # too soon to look again


def test_a_container_has_less_than_its_machine(tmp_path, monkeypatch):
    """Files as in cgroup version 2, of a process in a group of its own."""
    monkeypatch.setattr(memory, "CGROUPS", tmp_path)
    monkeypatch.setattr(memory, "PROC", tmp_path)
    group = tmp_path / "slurm" / "job"
    for place in (group, tmp_path / "self"):
        place.mkdir(parents=True)
    (tmp_path / "self" / "cgroup").write_text("0::/slurm/job\n")
    (tmp_path / "meminfo").write_text("MemTotal: 8000000 kB\nMemFree: 1 kB\nMemAvailable: 6000000 kB\n")
    assert (memory.total(), memory.left()) == (8_000_000 * 1024, 6_000_000 * 1024)
    (group / "memory.max").write_text("max\n")
    assert memory.total() == 8_000_000 * 1024
    for name, text in (("max", "3000"), ("current", "2500"), ("stat", "anon 1\ninactive_file 700\nfile 9")):
        (group / f"memory.{name}").write_text(f"{text}\n")
    assert (memory.total(), memory.left()) == (3000, 1200)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux tells what a process holds")
def test_this_process_holds_what_it_has_taken():
    before = memory.held([os.getpid()])
    taken = bytearray(200 * MB)
    assert 190 * MB < memory.held([os.getpid()]) - before < 230 * MB
    assert memory.peak() > len(taken)


@pytest.mark.parametrize("text", ["", "4 apples", "-1GB", "GB", "0.1", "1e9", "٤GB", "4 GBB"])
def test_what_is_no_size_is_refused(text):
    with pytest.raises(Misuse, match="such as 500MB or 4GB"):
        parse_size(text)


def mine(picture):
    """A model; tests say what it needs."""


@pytest.mark.parametrize("needs", ["8 GB", " 8gb", "8000M", 8e9, 8_000_000_000])
def test_what_a_model_needs_is_spelt_as_a_limit_is(monkeypatch, needs):
    monkeypatch.setattr(mine, "resources", {"memory": needs}, raising=False)
    assert resources_of(mine) == {"memory": 8e9}


@pytest.mark.parametrize("needs", ["8 apples", "0", -1, float("nan"), "inf", None])
def test_needs_that_are_no_amount_are_refused(monkeypatch, needs):
    monkeypatch.setattr(mine, "resources", {"memory": needs}, raising=False)
    with pytest.raises(Misuse, match="expected a number above 0, or bytes such as '8 GB'"):
        resources_of(mine)
