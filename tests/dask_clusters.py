"""Dask clusters on the loopback for tests: a scheduler and workers as processes, without dashboards."""

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ONCE = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}  # a task may take two workers with it
HERE = Path(__file__).parent
PATHS = os.pathsep.join([str(HERE), str(HERE.parent / "src")])  # this checkout, whichever one is installed


def start(what, *words, **env):
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.dask_{what}", "--host", "127.0.0.1", "--no-dashboard", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **ONCE, "PYTHONPATH": PATHS, **env},
    )


def scheduler(place, port=0):
    """A scheduler, and its address."""
    note = place / "scheduler.json"
    note.unlink(missing_ok=True)
    running = start("scheduler", "--port", str(port), "--scheduler-file", str(note))
    while True:
        with contextlib.suppress(OSError, ValueError):
            return running, json.loads(note.read_text())["address"]
        time.sleep(0.05)


def workers(address, place, count=1, *more):
    words = ("--nworkers", str(count), "--nthreads", "1", "--memory-limit", "0", "--local-directory", str(place))
    return start("worker", address, *words, *more)


def end(*several):
    for one in reversed(several):
        one.kill()
        one.wait()
