"""How a run grows: with the number of samples, with the number of workers, and what it spends beside the models.

A model that works for 20 ms a sample (busy, not asleep) and five measures that cost nothing, each run in a process of
its own. Time must be linear in the samples and memory flat but for the table; two workers must be worth 1.8; and what
is spent outside models and measures must stay below 5 %.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from beholder.core.benchmark import Benchmark
from beholder.core.sample import Dataset, Sample
from beholder.evaluation.run import run
from beholder.store.ledger import Ledger
from overhead import measures, peak_mb

HERE = Path(__file__)
BUSY = 0.02  # CPU seconds of the model for a sample
SIZES = (100, 1_000, 10_000)
SPUN = 500  # samples of the busy model


def load(id: str):
    value = float(int(id[1:]))
    return Sample(id, np.array([value]), np.array([value + 1]))


def quick(stimulus):
    return stimulus * 2


def busy(stimulus):
    end = time.process_time() + BUSY
    while time.process_time() < end:
        pass
    return stimulus * 2


def one(model: str, samples: int, jobs: int) -> None:
    """One run in this process; prints its wall seconds, CPU seconds with its workers', and peak megabytes."""
    bench = Benchmark(
        "toy/scaling", 1, Dataset("numbers", tuple(f"n{i}" for i in range(samples)), load), measures(), ()
    )
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        scores = run(
            bench, {model: {"quick": quick, "busy": busy}[model]}, jobs=jobs, ledger=Ledger(Path(place, "l.sqlite"))
        )
    if (scores["state"] != "ok").any():
        raise SystemExit("a sample failed")
    spent = os.times()
    cpu = spent.user + spent.system + spent.children_user + spent.children_system
    print(time.monotonic() - began, cpu, peak_mb())


def measured(model: str, samples: int, jobs: int) -> tuple[float, float, float]:
    out = subprocess.run(
        [sys.executable, "-m", "scaling", model, str(samples), str(jobs)], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(HERE.parent), "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    wall, cpu, peak = map(float, out.stdout.split()[-3:])
    return wall, cpu, peak


def main() -> None:
    cores = len(os.sched_getaffinity(0))
    print(f"# How a run grows ({platform.machine()}, {cores} cores, Python {platform.python_version()})\n")
    print("| samples of a model that costs nothing | wall s | CPU s | µs a sample | peak MB, coordinator |")
    print("|---|---|---|---|---|")
    for samples in SIZES:
        wall, cpu, peak = measured("quick", samples, 2)
        print(f"| {samples:,} | {wall:.2f} | {cpu:.2f} | {1e6 * wall / samples:.0f} | {peak:.0f} |", flush=True)
    columns = ("wall s", "times one worker", "the same, start-up taken off", "CPU outside the model")
    print(f"\n| workers, {SPUN} samples of 20 ms | {' | '.join(columns)} |")
    print("|---|---|---|---|---|")
    # What a run costs before its first sample is taken off: it is the same for one sample and for a million.
    start = {jobs: measured("busy", 2, jobs) for jobs in (1, 2)}
    runs = {jobs: measured("busy", SPUN, jobs) for jobs in (1, 2)}
    for jobs, (wall, cpu, _) in runs.items():
        worked = cpu - start[jobs][1] + 2 * BUSY
        beside = 1 - SPUN * BUSY / worked
        own, first = wall - start[jobs][0], runs[1][0] - start[1][0]
        print(
            f"| {jobs} | {wall:.2f} | {runs[1][0] / wall:.2f} | {first / own:.2f} | {100 * beside:.1f} % |", flush=True
        )


if __name__ == "__main__":
    if len(sys.argv) == 4:
        import scaling  # by its name, so that workers can import its functions

        scaling.one(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
    else:
        main()
