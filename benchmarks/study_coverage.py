"""How often the intervals of `beholder study analyse` hold the truth: simulated studies of the source's design.

Every participant sees 10 of 60 human and 10 of 60 synthetic clips, the least seen first; people and clips are drawn
anew in each study, by the crossed probit model of `stats.crossed_effects`. The truth is that of all people and all
clips: accuracy Φ(d′/2), with the pooled d′ = δ / √(1 + σ²_bias + σ²_items + σ²_skill/4). Beside the intervals that are
used stand the plain ones: percentiles of the pigeonhole bootstrap (Owen 2007), and answers as if independent (Wilson).
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded

import math
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.stats import bootstrap, signal_detection
from beholder.stats.proportion import wilson
from beholder.study.analysis.detection import detect
from beholder.study.analysis.table2 import share
from beholder.study.analysis.trials import Trials
from beholder.study.design.simulation import Crowd, Design, assign, say

DESIGN = Design(60, 60, 10, 10)
SIZES, RUNS, BOUND = (5, 10, 20, 35), 1000, 0.05
CROWDS = {
    "guessing": Crowd(dprime=0.0, bias=0.3, skill=0.0, items=0.4),
    "d′ 0.18, as the source's": Crowd(dprime=0.2, bias=0.3, skill=0.2, items=0.4),
    "d′ 0.8": Crowd(dprime=1.0, bias=0.4, skill=0.4, items=0.6),
    "d′ 2": Crowd(dprime=2.6, bias=0.4, skill=0.6, items=0.7),
}
LEAST = 0.93


def truth(crowd: Crowd) -> tuple[float, float]:
    """The share of right answers and the pooled d′ of all people and all clips."""
    blur = math.sqrt(1 + crowd.bias**2 + crowd.items**2 + crowd.skill**2 / 4)
    return float(signal_detection.accuracy(crowd.dprime / blur)), crowd.dprime / blur


def simulated(crowd: Crowd, people: int, rng: np.random.Generator) -> Trials:
    """One study."""
    assigned = assign(DESIGN, people, rng)
    said = say(DESIGN, crowd, assigned, runs=1, rng=rng)[0].ravel().astype(float)
    items, item = np.unique(assigned.ravel(), return_inverse=True)
    person = np.repeat(np.arange(people), DESIGN.trials)
    names = tuple(f"{rng.integers(1 << 40)}" for _ in range(people))  # the names seed the draws
    frame: Any = None  # who they are is not asked
    return Trials(frame, names, tuple(map(str, items)), person, item, said, items[item] < DESIGN.signals)


def intervals(trials: Trials) -> dict[str, tuple[float, float]]:
    """Every interval of one study."""
    everything = np.ones(len(trials.person), bool)
    mean = share("accuracy", trials, trials.right, everything).mean
    dprime = detect(trials, BOUND).dprime
    columns = np.stack([trials.right, everything], axis=1)
    total, many = trials.drawn.sums(columns).T
    plain = bootstrap.interval((total / many)[:, None])
    return {
        "accuracy": (mean.lo, mean.hi),
        "d′": (dprime.lo, dprime.hi),
        "accuracy, pigeonhole": (float(plain[0][0]), float(plain[1][0])),
        "accuracy, as if independent": wilson(float(trials.right.sum()), len(trials.person)),
    }


def coverage(crowd: Crowd, people: int, rng: np.random.Generator, runs: int = RUNS) -> dict[str, tuple[float, float]]:
    """Of each interval: how often it holds the truth, and its mean width."""
    right, dprime = truth(crowd)
    every: dict[str, list[tuple[float, float]]] = {}
    for _ in range(runs):
        for name, ends in intervals(simulated(crowd, people, rng)).items():
            every.setdefault(name, []).append(ends)
    found = {}
    for name, all_ends in every.items():
        lo, hi = np.array(all_ends).T
        goal = dprime if name == "d′" else right
        held: NDArray[np.bool_] = (lo <= goal) & (goal <= hi)  # none where there is no interval
        found[name] = float(held.mean()), float(np.nanmean(hi - lo))
    return found


def main() -> None:
    """Print the table."""
    started, low = time.process_time(), []
    names = ("accuracy", "d′", "accuracy, pigeonhole", "accuracy, as if independent")
    print(f"# Coverage of the intervals of a study ({RUNS:,} simulated studies a row; 20 trials a participant)\n")
    print("Share of 95 % intervals that hold the truth; in brackets their mean width.\n")
    print(f"| people | participants | {' | '.join(names)} |\n|---|---|{'---|' * len(names)}")
    for at, (what, crowd) in enumerate(CROWDS.items()):
        for people in SIZES:
            found = coverage(crowd, people, np.random.default_rng([at, people]))
            cells = " | ".join(f"{found[name][0]:.3f} ({found[name][1]:.2f})" for name in names)
            print(f"| {what} | {people} | {cells} |", flush=True)
            low += [f"{name}, {what}, {people}" for name in names[:2] if found[name][0] < LEAST]
    print(f"\nBelow {LEAST}: {'; '.join(low) or 'none'}. {time.process_time() - started:.0f} s of CPU time.")


if __name__ == "__main__":
    main()
