"""What a coordinator can bear: trivial trials through a Dask cluster on the loopback, its scheduler killed half-way.

`python benchmarks/million.py` takes 200,000 trials, `python benchmarks/million.py 1000000` as many as are named: as
many models as samples, each asked once, every outcome written into the ledger. Nothing but the pipeline costs anything.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import platform
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from beholder.core.benchmark import Benchmark
from beholder.core.entrant import Given
from beholder.core.job import Job
from beholder.core.measure import measure
from beholder.core.sample import Dataset, Sample
from beholder.engines.dispatch import list_unfinished, open_engine, run_trials
from beholder.engines.progress import Silent
from beholder.errors import Misuse
from beholder.store.ledger import Ledger

HERE = Path(__file__)
QUICK = 200_000  # fewer are done before anybody can notice that half of them are
FINDING = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parent), os.environ.get("PYTHONPATH", "")])}
WORKERS = 2


def load(id: str) -> Sample[float, float]:
    return Sample(id, float(int(id)), float(int(id)) + 1)


def double(stimulus: float) -> float:
    return stimulus * 2


@measure(better="lower", bounds=(0, math.inf), cite="")
def off(observed: float, reference: float) -> float:
    return abs(observed - reference)


def job(trials: int) -> Job:
    """As many models as samples, the same number of each."""
    side = math.isqrt(trials)
    entrants = {name: Given(name, double) for name in (f"model{n}" for n in range(side))}
    dataset = Dataset("numbers", tuple(map(str, range(side))), load)
    return Job(Benchmark("toy/million", 1, dataset, (off,), ()), entrants)


class Noting(Silent):
    """Notes when the first outcome came."""

    first = math.nan

    def step(self, failed: bool, who: str = "", seconds: float = 0.0) -> None:
        if who and math.isnan(self.first):
            self.first = time.monotonic()


def coordinate(trials: int, address: str, place: Path) -> None:
    """The coordinator, in a process of its own; prints what it saw."""
    began, watch, said = time.monotonic(), Noting(), ""
    book, of = Ledger(place / "ledger.sqlite"), job(trials)
    todo = list_unfinished(of, book)
    read = time.monotonic()
    left = sum(map(len, todo.values()))
    try:
        with open_engine(f"dask:{address}", 1, 600.0) as engine:
            run_trials(engine, of, todo, book, watch)
    except Misuse as fault:
        said = str(fault)
    book.close()
    done = time.monotonic()
    spent = {"read": read - began, "first": watch.first - began, "work": done - watch.first}
    used = os.times()
    print(json.dumps({**spent, "said": said, "left": left, "cpu": used.user + used.system}))


def start(what: str, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.dask_{what}", "--host", "127.0.0.1", "--no-dashboard", *words],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**FINDING, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip


@contextlib.contextmanager
def cluster(place: Path):
    """A scheduler and workers; the scheduler's process and address."""
    note = place / "scheduler.json"
    note.unlink(missing_ok=True)
    scheduler = start("scheduler", "--port", "0", "--scheduler-file", str(note))
    while not note.exists():
        time.sleep(0.02)
    time.sleep(0.1)
    address = json.loads(note.read_text())["address"]
    workers = start(
        "worker", address, "--nworkers", str(WORKERS), "--nthreads", "1", "--memory-limit", "0",
        "--local-directory", str(place),
    )  # fmt: skip
    try:
        yield scheduler, address
    finally:
        for part in (workers, scheduler):
            part.send_signal(signal.SIGKILL)
            part.wait()


def committed(place: Path) -> int:
    with contextlib.suppress(sqlite3.Error), sqlite3.connect(f"file:{place}/ledger.sqlite?mode=ro", uri=True) as db:
        return db.execute("select max(rowid) from outcome").fetchone()[0] or 0
    return 0


def peak_mb(pid: int) -> float:
    with contextlib.suppress(OSError):
        found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
        return int(found[1]) / 1024 if found else 0.0
    return 0.0


class Peaks(dict[str, float]):
    """Peak resident megabytes by process."""

    def look(self, **processes: subprocess.Popen) -> None:
        for name, process in processes.items():
            self[name] = max(self.get(name, 0.0), peak_mb(process.pid))


def run(trials: int, place: Path, peaks: Peaks, kill_at: float) -> tuple[dict, float]:
    """One coordinator on a cluster of its own, whose scheduler is killed at so many outcomes; seconds from there on."""
    killed = math.nan
    with cluster(place) as (scheduler, address):
        coordinator = subprocess.Popen(
            [sys.executable, str(HERE), "coordinate", str(trials), address, str(place)],
            stdout=subprocess.PIPE, text=True, env=FINDING,
        )  # fmt: skip
        while coordinator.poll() is None:
            peaks.look(coordinator=coordinator, scheduler=scheduler)
            if math.isnan(killed) and committed(place) >= kill_at:
                scheduler.send_signal(signal.SIGKILL)
                killed = time.monotonic()
            time.sleep(0.1)
        after = time.monotonic() - killed
    return json.loads(coordinator.stdout.read().splitlines()[-1]), after


def main(trials: int) -> None:
    import distributed

    peaks, trials = Peaks(), math.isqrt(trials) ** 2
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        place = Path(name)
        first, notice = run(trials, place, peaks, trials / 2)
        kept = committed(place)
        back = time.monotonic()
        second, _ = run(trials, place, peaks, math.inf)
        whole = time.monotonic() - back
        size = sum(file.stat().st_size for file in place.glob("ledger.sqlite*"))
        with sqlite3.connect(place / "ledger.sqlite") as db:
            rows = db.execute("select count(*) from outcome").fetchone()[0]
    if not first["said"] or second["said"] or rows != trials or second["left"] > trials - kept:
        raise SystemExit(f"not as it should be: {first}, {second}, {rows} rows")
    per_second = second["left"] / second["work"]
    print(
        f"# A coordinator's limits: trivial trials on a loopback Dask cluster ({platform.machine()}, "
        f"Python {platform.python_version()}, distributed {distributed.__version__}, {WORKERS} workers)\n"
    )
    table = {
        "trials": f"{trials:,}",
        "trials a second, committed": f"{per_second:,.0f}",
        "CPU µs of the coordinator a trial": f"{1e6 * second['cpu'] / second['left']:.0f}",
        "peak memory of the coordinator": f"{peaks['coordinator']:.0f} MB",
        "peak memory of the scheduler": f"{peaks['scheduler']:.0f} MB",
        "ledger": f"{size / 1e6:.0f} MB",
        "committed when the scheduler was killed (kill -9)": f"{kept:,}",
        "from the kill until the run had ended with its sentence": f"{notice:.1f} s",
        "resumed: reading the ledger": f"{second['read']:.1f} s",
        "resumed: from the command until the first new outcome": f"{second['first']:.1f} s",
        "resumed: the whole of the rest": f"{whole:.0f} s",
        "done again, because it had not been committed": f"{second['left'] - (trials - kept):,}",
    }
    print("| | |\n|---|---|")
    for what, value in table.items():
        print(f"| {what} | {value} |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["coordinate"]:
        import million  # by its name, so that workers can import its functions

        million.coordinate(int(sys.argv[2]), sys.argv[3], Path(sys.argv[4]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else QUICK)
