"""Models that fork: a child answers for nobody, and is gone when its worker is."""

import csv
import subprocess
import sys

import pytest

from processes import still_running

FORKS = """
import os, subprocess, sys, time
import numpy as np
def plain(pair): return np.full(pair.left.shape[:2], 5.0)
def note():
    with open("children", "a") as file: file.write(f"{os.getpid()}\\n")
def child_returns(pair):
    if os.fork() == 0: return plain(pair)
    time.sleep(0.3)
    raise RuntimeError("only ever raises")
def child_raises(pair):
    if os.fork() == 0: raise RuntimeError("the child's own affair")
    time.sleep(0.3)
    return plain(pair)
def child_exits(pair):
    if os.fork() == 0: raise SystemExit(3)
    time.sleep(0.3)
    return plain(pair)
def child_hides(pair):
    program = "import os, time; print(os.getpid(), file=open('children', 'a'), flush=True); time.sleep(60)"
    subprocess.Popen([sys.executable, "-c", program], start_new_session=True, env={})  # keeps no mark of ours
    time.sleep(0.5)
    return plain(pair)
def child_writes(pair):
    if os.fork() == 0:
        for fd in range(3, 40):
            try: os.write(fd, b"garbage that is no reply")
            except OSError: pass
        os._exit(0)
    time.sleep(0.3)
    return plain(pair)
def child_prints(pair):
    if os.fork() == 0:
        os.setsid()  # out of reach of a signal to the worker's group
        note()
        while True:
            print("still here", flush=True)
            time.sleep(0.01)
    time.sleep(0.3)
    return plain(pair)
"""


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["local", "serial"])
def test_a_child_that_a_model_forks_never_answers_for_anybody(tmp_path, engine):
    (tmp_path / "forks.py").write_text(FORKS)
    names = ("child_returns", "plain", "child_raises", "child_exits")
    if engine == "local":  # in this process nobody ends what a model starts
        names += ("child_prints", "child_hides", "child_writes")
    words = [word for name in names for word in ("--model", f"forks.py:{name}")]
    done = subprocess.run(
        [sys.executable, "-m", "beholder.cli", "run", "stereo/dense", "--dataset", "random_dots(count=2,size=64)",
         "--samples", "0", "--jobs", "1", "--engine", engine, "--out", "out", *words],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    with (tmp_path / "out" / "scores.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["unit"] != "*" and row["model"] in names]
    of = {name: [row for row in rows if row["model"] == name] for name in names}
    assert {row["state"] for row in of["child_returns"]} == {"failed"}
    assert all("only ever raises" in row["reason"] for row in of["child_returns"])
    expected = [(row["measure"], row["part"], row["criterion"], row["value"]) for row in of["plain"]]
    for name in (name for name in names[2:] if name != "child_writes"):
        assert [(row["measure"], row["part"], row["criterion"], row["value"]) for row in of[name]] == expected
    if engine == "local":
        left = [int(line) for line in (tmp_path / "children").read_text().split()]
        assert len(left) == 4
        assert {row["state"] for row in of["child_writes"]} == {"failed"}
        assert all("wrote into the pipe" in row["reason"] for row in of["child_writes"])
        assert not still_running(left)
