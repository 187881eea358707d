"""How often `beholder groups` finds a difference where there is none, and where there is one. By simulation.

    .venv/bin/python benchmarks/groups_of_people.py [--runs N]

It prints the figures of docs/how-to/groups-compared.md (5 + 5: 1000 runs; 10 + 10: the first 400, and 100): some
fifteen minutes on one core, always the same numbers.
"""

from __future__ import annotations

import argparse

import numpy as np

from beholder.attention.groups.comparison import compare_groups
from beholder.attention.groups.reading import TwoGroups
from beholder.attention.types import Lookers, Scanpath, scanpath

SHAPE, PX_PER_DEG = (480, 640), 24.0
PICTURES, FIXATIONS = 4, 9
SPREAD = 0.25  # standard deviation of observers' own log amplitude and log duration: people differ


def observer(rng: np.random.Generator, *, wider: float = 1.0, longer: float = 1.0) -> dict[str, Scanpath]:
    """The paths of somebody with habits: how far, how long and how level the eye goes, and where it rests."""
    reach = wider * 4.0 * np.exp(rng.normal(0, SPREAD))  # deg
    lasts = longer * 230.0 * np.exp(rng.normal(0, SPREAD))  # ms
    level, home = rng.beta(4, 4), np.array(SHAPE[::-1]) * (0.5 + rng.normal(0, 0.05, 2))
    return {f"p{at}": path(rng, reach, lasts, level, home) for at in range(PICTURES)}


def path(rng: np.random.Generator, reach: float, lasts: float, level: float, home: np.ndarray) -> Scanpath:
    """One path: steps of gamma-distributed length, level or anywhere, drawn back to a place."""
    here, points = home, []
    for _ in range(FIXATIONS):
        points.append(here)
        angle = rng.choice([0, np.pi]) + rng.normal(0, 0.3) if rng.random() < level else rng.uniform(0, 2 * np.pi)
        step = rng.gamma(2, reach / 2) * PX_PER_DEG * np.array([np.cos(angle), np.sin(angle)])
        here = np.clip(0.8 * here + 0.2 * home + step, 0, np.array(SHAPE[::-1]) - 1)
    x, y = np.array(points).T
    return scanpath(x, y, duration_ms=lasts * np.exp(rng.normal(0, 0.4, FIXATIONS)))


def groups(rng: np.random.Generator, size: int, **second: float) -> TwoGroups:
    """Two groups of `size` people; those of the second have the given effects."""
    people = {f"a{n}": observer(rng) for n in range(size)} | {f"b{n}": observer(rng, **second) for n in range(size)}
    names = list(people)
    seen = {
        f"p{at}": Lookers({who: own[f"p{at}"] for who, own in people.items()}, SHAPE, PX_PER_DEG) for at in range(4)
    }
    return TwoGroups(seen, ("a", names[:size]), ("b", names[size:]))


def by_fixations(given: TwoGroups) -> float:
    """What is often done, and is wrong: all durations as if each were another person's (Kolmogorov & Smirnov)."""
    from scipy.stats import ks_2samp

    first, second = (
        np.concatenate([one.paths[who].duration_ms for one in given.seen.values() for who in those])
        for _, those in (given.first, given.second)
    )
    return float(ks_2samp(first, second).pvalue)


def rates(size: int, runs: range, **second: float) -> dict[str, float]:
    """The share of runs with a finding: any measure, each by its own p, 0 inside its interval, and by fixations."""
    found: dict[str, list[bool]] = {}
    for run in runs:
        given = groups(np.random.default_rng([run, size]), size, **second)
        every = compare_groups(given, seed=run)
        found.setdefault("any measure, corrected", []).append(any(one.corrected <= 0.05 for one in every))
        for one in every:
            found.setdefault(f"{one.name}, p", []).append(one.p <= 0.05)
            found.setdefault(f"{one.name}, 0 in the interval", []).append(one.lo <= 0 <= one.hi)
        found.setdefault("fixation duration, fixations taken for people", []).append(by_fixations(given) <= 0.05)
    return {name: float(np.mean(each)) for name, each in found.items()}


def main() -> None:
    """Print all rates."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--sizes", type=int, nargs="+", default=[5, 10])
    asked = parser.parse_args()
    for size in asked.sizes:
        for effect, runs in (({}, asked.runs), ({"wider": 1.5, "longer": 1.3}, asked.runs // 4)):
            print(f"\n{size} + {size} observers, {effect or 'no difference'}, {runs} runs", flush=True)
            for name, share in rates(size, range(runs), **effect).items():
                print(f"  {share:6.3f}  {name}")


if __name__ == "__main__":
    main()
