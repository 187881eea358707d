"""What baselines cost: measured by benchmarks/costs.py, shipped as costs.csv."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

FILE = Path(__file__).with_name("costs.csv")
FAST = 0.1  # seconds of a core for one sample of the built-in dataset: a thousand samples in a minute and a half
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
