"""What the pipeline costs: 10,000 trivial samples × 5 trivial measures, in this process and in one worker.

The yardstick is the same sum without a pipeline (a plain loop over the same functions), in the same run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from beholder.core.benchmark import Benchmark
from beholder.core.measure import fix, measure
from beholder.core.sample import Dataset, Sample
from beholder.evaluation.run import run
from beholder.store.ledger import Ledger

HERE = Path(__file__)
COUNT = 10_000
MEASURES = 5


def load(id: str):
    value = float(int(id[1:]))
    return Sample(id, np.array([value]), np.array([value + 1]))


def fat(id: str):
    """A sample whose stimulus weighs 256 kB, so that ten thousand of them would be 2.5 GB."""
    return Sample(id, np.full(32_768, float(int(id[1:]))), np.zeros(1))


def model(stimulus):
    return stimulus * 2


@measure(better="lower", bounds=(0, np.inf), cite="")
def off(observed, reference, *, power: int = 1) -> float:
    return float(abs(observed[0] - reference[0]) ** power)


def measures():
    return tuple(fix(off, power=k) for k in range(1, MEASURES + 1))


def bench(count: int, sample=load):
    return Benchmark(
        "toy/overhead", 1, Dataset("numbers", tuple(f"n{i}" for i in range(count)), sample), measures(), ()
    )


def peak_mb() -> float:
    """Peak resident memory of this process so far, from the kernel (ru_maxrss would count the parent's at fork)."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def plain(count: int) -> None:
    several = measures()
    for i in range(count):
        sample = load(f"n{i}")
        answer = model(sample.stimulus)
        for one in several:
            one(answer, sample.reference)


def pipeline(count: int, jobs: int, sample=load) -> None:
    with tempfile.TemporaryDirectory() as place:
        scores = run(bench(count, sample), {"double": model}, jobs=jobs, ledger=Ledger(Path(place, "ledger.sqlite")))
    if len(scores) != count * MEASURES:
        raise SystemExit(f"got {len(scores)} rows; expected {count * MEASURES}")


def measured(what: str, count: int) -> tuple[float, float]:
    """CPU seconds (children included) and peak megabytes of one way, in a process of its own."""
    out = subprocess.run(
        [sys.executable, "-m", "overhead", what, str(count)], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(HERE.parent), "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    seconds, peak = out.stdout.split()[-2:]
    return float(seconds), float(peak)


def main() -> None:
    import platform

    print(
        f"# Overhead of the pipeline ({platform.machine()}, Python {platform.python_version()}, "
        f"numpy {np.__version__})\n"
    )
    print(
        f"{MEASURES} trivial measures; CPU seconds with start-up, the least of three (the last row: once); peak memory "
        "of the coordinator.\n"
    )
    print("| samples | plain loop s | serial s | one worker s | serial µs a score | serial peak MB | worker peak MB |")
    print("|---|---|---|---|---|---|---|")
    for count, rounds in ((1_000, 3), (COUNT, 3), (4 * COUNT, 1)):
        rows = {what: min(measured(what, count) for _ in range(rounds)) for what in ("plain", "serial", "worker")}
        each = 1e6 * (rows["serial"][0] - rows["plain"][0]) / (count * MEASURES)
        print(
            f"| {count} | {rows['plain'][0]:.2f} | {rows['serial'][0]:.2f} | {rows['worker'][0]:.2f} "
            f"| {each:.0f} | {rows['serial'][1]:.0f} | {rows['worker'][1]:.0f} |"
        )
    print("\nMemory grows with the table, not with the dataset.\n")
    print("| samples of 256 kB | together MB | peak MB | peak MB with trivial samples |")
    print("|---|---|---|---|")
    for count in (1_000, COUNT):
        print(f"| {count} | {count // 4} | {measured('fat', count)[1]:.0f} | {measured('serial', count)[1]:.0f} |")


def one(way: str, count: int) -> None:
    """One way in this process; prints what it cost."""
    ways = {"plain": plain, "serial": lambda n: pipeline(n, 0), "worker": lambda n: pipeline(n, 1)}
    (ways | {"fat": lambda n: pipeline(n, 0, fat)})[way](count)
    spent = os.times()
    print(spent.user + spent.system + spent.children_user + spent.children_system, peak_mb())


if __name__ == "__main__":
    if len(sys.argv) == 3:
        import overhead  # by its name, so that workers can import its functions

        overhead.one(sys.argv[1], int(sys.argv[2]))
    else:
        main()
