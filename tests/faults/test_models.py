"""Models that misbehave on one sample: its row says why, every other row is as it would have been."""

import subprocess

import pytest

import beholder as bh
from beholder.store.digest import digest
from beholder.store.runs import size_of
from fault_runs import Place
from processes import still_running

BAD = "rds1"
MODELS = """
import ctypes, os, sys, time
import numpy as np
from beholder.store.digest import digest

def fine(pair):
    return np.full(pair.left.shape[:2], 5.0)

def bad(pair):
    return digest(pair) == open("bad").read()

def grabs(pair):
    if bad(pair):
        held = [np.ones(1 << 25) for _ in range(40)]  # 10 GB, touched
    return fine(pair)

KEPT = []
def leaks(pair):
    KEPT.append(np.ones(10 << 20))  # 84 MB at every call, never given back
    return fine(pair)

def forks(pair):
    if bad(pair):
        for _ in range(20):
            if os.fork() == 0:
                os.setsid()
                with open("children", "a") as file: file.write(f"{os.getpid()}\\n")
                time.sleep(600)
        os.kill(os.getpid(), 9)
    return fine(pair)

def forks_memory(pair):
    if bad(pair):
        for _ in range(4):
            if os.fork() == 0:
                held = np.ones(25 << 20)  # 210 MB
                time.sleep(600)
        time.sleep(600)
    return fine(pair)

def segfaults(pair):
    if bad(pair): ctypes.string_at(0)
    return fine(pair)

def exits(pair):
    if bad(pair): os._exit(7)
    return fine(pair)

def hangs(pair):
    if bad(pair): time.sleep(600)
    return fine(pair)

def prints(pair):
    if bad(pair):
        for _ in range(1000): sys.stdout.write("x" * 1_000_000)
    return fine(pair)

def returns_much(pair):
    return np.zeros((50_000, 25_000)) if bad(pair) else fine(pair)  # 10 GB that are never touched

def recurses(pair):
    return recurses(pair) if bad(pair) else fine(pair)
"""
# What each is told of its bad sample; nothing: its rows are as those of the model that is fine
REASONS = {
    "grabs": "the worker process used more than 500 MB of memory (--memory)",
    "leaks": "",
    "forks": "the worker process was killed by SIGKILL",
    "forks_memory": "the worker process used more than 500 MB of memory (--memory)",
    "segfaults": "the worker process was killed by SIGSEGV; it said: Fatal Python error: Segmentation fault",
    "exits": "the worker process exited with code 7",
    "hangs": "no answer within 45 s",
    "prints": "",
    "returns_much": "answer refused: got a map of shape (50000, 25000); expected (64, 64)",
    "recurses": "RecursionError: maximum recursion depth exceeded",
}
DOES = {
    "grabs": "takes 10 GB of memory",
    "leaks": "keeps 84 MB of each of 12 calls",
    "forks": "leaves 20 children behind and dies",
    "forks_memory": "starts four children of 210 MB each",
    "segfaults": "reads address 0",
    "exits": "calls os._exit(7)",
    "hangs": "sleeps for ten minutes",
    "prints": "prints 1 GB",
    "returns_much": "returns 10 GB",
    "recurses": "calls itself for ever",
}
# Runs the command in this process and tells the most memory that it held, in MB.
PEAK = """
import atexit, re
from pathlib import Path
def tell():
    peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]
    Path("peak").write_text(str(int(peak) / 1000))
atexit.register(tell)
from beholder.cli import main
main()
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """One run of all of them: place, exit code, what was said."""
    dataset = "random_dots(count=12,size=64)"
    place = Place(tmp_path_factory.mktemp("models") / "place", MODELS)
    sample = bh.load("stereo/dense", dataset=dataset).dataset.load(BAD)
    (place.root / "bad").write_text(digest(sample.stimulus))
    words = place.words("--timeout", "45", "--memory", "500MB", dataset=dataset, models=("fine", *REASONS))
    words[1:3] = ["-c", PEAK]
    how = {"cwd": place.root, "env": place.env, "capture_output": True, "text": True}
    done = subprocess.run(words, check=False, timeout=900, **how)
    assert done.returncode == 1, done.stderr
    return place


@pytest.fixture(scope="module")
def table(run):
    """Rows by model."""
    found = {}
    for row in run.rows():
        found.setdefault(row["model"], []).append(row)
    return found


@pytest.mark.parametrize("name", REASONS)
def test_a_model_that(table, tell, name):
    def values(rows):
        return [(row["unit"], row["measure"], row["part"], row["criterion"], row["value"]) for row in rows]

    reason = REASONS[name]
    lost = [row for row in table[name] if row["unit"] == BAD] if reason else []
    kept = [row for row in table[name] if row not in lost]
    assert values(kept) == values([row for row in table["fine"] if not (reason and row["unit"] == BAD)])
    assert {row["state"] for row in kept} <= {"ok", "na"}
    assert bool(lost) == bool(reason)
    assert all(row["state"] == "failed" and row["reason"].startswith(reason) for row in lost), lost[:1]
    said = f"its rows of that sample: failed, “{lost[0]['reason']}”; all others" if lost else "all rows"
    tell(f"a model that {DOES[name]}", f"{said} as those of a model that behaves")


def test_they_fill_neither_memory_nor_disk(run, tell):
    peak, disk = float((run.root / "peak").read_text()), size_of(run.root / "out") / 1e6
    assert peak < 500
    assert disk < 20
    tell(
        "all of these in one run, with --memory 500MB --timeout 45",
        f"the coordinator held {peak:.0f} MB at the most, the folder {disk:.1f} MB",
    )


def test_no_child_is_left(run, tell):
    children = [int(line) for line in (run.root / "children").read_text().split()]
    assert len(children) >= 20
    assert not still_running(children)
    tell("the children that a model left behind", f"none of {len(children)} is left after the run")
