"""What each baseline costs: seconds of one core for one sample of the built-in dataset, alone and with an empty cache.

    python benchmarks/costs.py [BENCHMARK …]

writes src/beholder/registry/costs.csv anew (of some benchmarks: their lines only). `--baselines fast` reads it. Each
baseline is asked in a process of its own, so that it finds nothing that another one has left; the first sample warms
up, and of two others the mean counts.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
import time

from beholder.core.job import Job
from beholder.core.trial import trial
from beholder.engines.local import SINGLE
from beholder.errors import NeedsDataset, Unsuited
from beholder.evaluation.run import enlist
from beholder.registry.costs import FILE, read_costs, write_costs
from beholder.registry.load import benchmarks, load

FORK = multiprocessing.get_context("fork")  # the benchmark is built once, and what a child keeps dies with it


def seconds(job: Job, name: str, found: multiprocessing.Queue[float]) -> None:
    """Put the mean cost of a trial, in a child."""
    with tempfile.TemporaryDirectory() as place:
        os.environ["BEHOLDER_CACHE"] = place
        ids = job.benchmark.dataset.ids
        trial(job, name, ids[0])
        some = [ids[len(ids) // 3], ids[len(ids) * 2 // 3]]
        started = time.process_time()
        for id in some:
            trial(job, name, id)
        found.put((time.process_time() - started) / len(some))


def cost(job: Job, name: str) -> float:
    """Seconds of a core, measured in a child."""
    found: multiprocessing.Queue[float] = FORK.Queue()
    child = FORK.Process(target=seconds, args=(job, name, found))
    child.start()
    measured = found.get()
    child.join()
    return measured


def costs(name: str) -> dict[tuple[str, str], float]:
    """The costs of a benchmark's baselines on its built-in dataset; nothing where it has none."""
    try:
        bench = load(name)
    except (NeedsDataset, Unsuited):
        return {}
    entrants = {entrant.name: entrant for entrant in enlist(bench, {})}
    job = Job(bench, entrants)
    return {(name, who): cost(job, who) for who in entrants if entrants[who].role == "baseline"}


def main() -> None:
    """Measure, and write the table as it grows."""
    for name in sys.argv[1:] or benchmarks():
        found = costs(name)
        others = {key: value for key, value in read_costs().items() if key[0] != name}
        write_costs(others | found)
        print(f"{name}: {sum(found.values()):.2f} s a sample, {len(found)} baselines", flush=True)
    print(FILE)


if __name__ == "__main__":
    if not SINGLE.keys() <= os.environ.keys():  # threads are counted when NumPy is loaded, so begin anew
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **SINGLE})
    main()
