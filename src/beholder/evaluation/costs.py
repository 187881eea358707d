"""What baselines cost: measured by `python -m beholder.evaluation.costs [BENCHMARK …]`, shipped as costs.csv.

The cost is that of one sample of the built-in dataset, in seconds of one core, with an empty cache: each baseline is
asked in a process of its own, so that it finds nothing that another one has left. The first sample warms up, and of two
others the mean counts.
"""

from __future__ import annotations

import csv
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path

from beholder.core.entrant import Provided
from beholder.core.job import Job
from beholder.core.trial import trial
from beholder.engines.threads import SINGLE
from beholder.errors import NeedsDataset, Unsuited
from beholder.registry.load import benchmarks, load

FILE = Path(__file__).with_name("costs.csv")
FAST = 0.2  # seconds a sample below which a baseline is fast: a thousand samples take it three minutes
HEAD = ("benchmark", "baseline", "seconds")

Costs = dict[tuple[str, str], float]  # (benchmark, baseline) → seconds of a core for one sample


def read_costs() -> Costs:
    """The cost of each baseline that was measured."""
    if not FILE.is_file():
        return {}
    with FILE.open(encoding="utf-8", newline="") as file:
        return {(row["benchmark"], row["baseline"]): float(row["seconds"]) for row in csv.DictReader(file)}


def write_costs(costs: Mapping[tuple[str, str], float]) -> None:
    """Write the table anew."""
    with FILE.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(HEAD)
        out.writerows((*key, f"{seconds:.2g}") for key, seconds in sorted(costs.items()))


def measure_costs(name: str) -> Costs:
    """The costs of a benchmark's baselines on its built-in dataset; nothing where it has none."""
    try:
        bench = load(name)
    except (NeedsDataset, Unsuited):
        return {}
    job = Job(bench, {one: Provided(one, "baseline") for one in bench.provided("baseline")})
    return {(name, one): _cost(job, one) for one in job.entrants}


def _cost(job: Job, name: str) -> float:
    """Seconds of a core, measured in a child: the benchmark is built once, and what a child keeps dies with it."""
    fork = multiprocessing.get_context("fork")
    here, there = fork.Pipe(duplex=False)
    child = fork.Process(target=_measure, args=(job, name, there))
    child.start()
    there.close()  # so that a child that dies is noticed
    found: float = here.recv()
    child.join()
    return found


def _measure(job: Job, name: str, out: Connection) -> None:
    """Send the mean cost of a trial."""
    with tempfile.TemporaryDirectory() as place:
        os.environ["BEHOLDER_CACHE"] = place
        ids = job.benchmark.dataset.ids
        trial(job, name, ids[0])
        some = [ids[len(ids) // 3], ids[len(ids) * 2 // 3]]
        started = time.process_time()
        for id in some:
            trial(job, name, id)
        out.send((time.process_time() - started) / len(some))


def _main() -> None:
    for name in sys.argv[1:] or benchmarks():
        found = measure_costs(name)
        write_costs({key: value for key, value in read_costs().items() if key[0] != name} | found)
        sys.stdout.write(f"{name}: {sum(found.values()):.2f} s a sample, {len(found)} baselines\n")


if __name__ == "__main__":
    if not SINGLE.keys() <= os.environ.keys():  # threads are counted when NumPy is loaded, so begin anew
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **SINGLE})
    _main()
