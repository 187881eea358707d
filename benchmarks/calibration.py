"""Do 95 % intervals hold the truth in 95 % of cases, the sets of best models every best one, and is nobody dominated
who is not worse? By simulation.

    .venv/bin/python benchmarks/calibration.py [--tables N] [--samples N]

It writes benchmarks/CALIBRATION.md: some minutes on one core, always the same numbers.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beholder.stats import bootstrap
from beholder.stats.best_set import best_set
from beholder.stats.mean_dominance import Means, mean_dominance
from beholder.stats.paired import holm
from beholder.stats.small_samples import mean_interval

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, int]], Floats]

UNITS = (3, 4, 6, 9, 12, 20, 50, 200)
DATA: dict[str, tuple[Draw, float]] = {  # how it is drawn, and its true mean
    "normal": (lambda rng, shape: rng.normal(size=shape), 0.0),
    "uniform": (lambda rng, shape: rng.random(shape), 0.5),
    "bad pixels: beta(1, 6)": (lambda rng, shape: rng.beta(1, 6, shape), 1 / 7),
    "few bad pixels: beta(0.5, 6)": (lambda rng, shape: rng.beta(0.5, 6, shape), 0.5 / 6.5),
    "lognormal": (lambda rng, shape: rng.lognormal(size=shape), float(np.exp(0.5))),
    "ratings 1 … 5": (lambda rng, shape: rng.choice(5, shape, p=[0.1, 0.15, 0.2, 0.3, 0.25]) + 1.0, 3.45),
    "share, p = 0.8": (lambda rng, shape: (rng.random(shape) < 0.8).astype(float), 0.8),
    "share, p = 0.5": (lambda rng, shape: (rng.random(shape) < 0.5).astype(float), 0.5),
}
MEMBERS = 5  # units of a cluster, which are alike: half of their variance is the cluster's
MODELS, OVER = (2, 5, 20, 50), (8, 20, 50)
CRITERIA = (1, 3, 9)
MORE = 4  # times as many tables of equal models: the promise is about these
WORSE = 1.5  # residual standard deviations by which half of the models are worse, where some are


def coverage(draw: Draw, truth: float, n: int, samples: int, rng: np.random.Generator) -> tuple[float, float]:
    """The share of samples of n units whose interval holds the true mean; its width over that of Student's interval."""
    from scipy.stats import t as student

    values = draw(rng, (n, samples))
    lo, hi = mean_interval(values)
    plain = 2 * student.ppf(0.975, n - 1) * values.std(axis=0, ddof=1) / np.sqrt(n)
    wide = np.median((hi - lo)[plain > 0] / plain[plain > 0])
    return float(((lo <= truth) & (truth <= hi)).mean()), float(wide)


def coverage_of_clusters(n: int, samples: int, rng: np.random.Generator) -> float:
    """The same of what a pooled measure does: clusters of units are drawn, and the mean is over all units."""
    held = 0
    for _ in range(samples):
        values = rng.normal(size=(n, 1)) + rng.normal(size=(n, MEMBERS))
        drawn = bootstrap.means(values.mean(axis=1)[:, None], draws=1000, rng=rng)
        lo, hi = bootstrap.interval(drawn, units=n)
        held += bool(lo[0] <= 0 <= hi[0])
    return held / samples


def table(kind: str, models: int, units: int, rng: np.random.Generator) -> tuple[Floats, NDArray[np.bool_]]:
    """Losses of units × models that share what is hard about a unit, and who is truly best."""
    hard, best = rng.normal(size=(units, 1)), np.ones(models, dtype=bool)
    spread = rng.permutation(np.linspace(0.3, 2, models)) if kind == "unequal spreads" else np.ones(models)
    if kind == "skewed":
        return np.exp(0.5 * hard + 0.8 * rng.normal(size=(units, models))), best
    if kind == "one near constant":
        losses = rng.lognormal(size=(units, models)) / np.exp(0.5)
        losses[:, 0] = 1 + 0.01 * rng.normal(size=units)
        return losses, best
    losses = hard + spread * rng.normal(size=(units, models))
    if kind == "half are worse":
        best[models // 2 :] = False
        losses[:, ~best] += WORSE
    return losses, best


def by_holm(losses: Floats, alpha: float = 0.05) -> NDArray[np.bool_]:
    """The set that paired t tests of all pairs leave, corrected by Holm: what ours is held against."""
    from scipy.stats import t as student

    n, models = losses.shape
    one, other = np.triu_indices(models, 1)
    difference = losses[:, one] - losses[:, other]
    t = difference.mean(axis=0) / (difference.std(axis=0, ddof=1) / np.sqrt(n))
    lost = holm(2 * student.sf(np.abs(t), n - 1)) <= alpha
    within = np.ones(models, dtype=bool)
    within[np.where(t > 0, one, other)[lost]] = False
    return within


def rates(kind: str, models: int, units: int, tables: int, rng: np.random.Generator) -> tuple[float, float, float]:
    """How often a best model is missing from the set; the share of worse ones that the set, and Holm's, leave out."""
    missing, ours, theirs = 0.0, 0.0, 0.0
    for _ in range(tables):
        losses, best = table(kind, models, units, rng)
        within = best_set(losses).within
        missing += bool((best & ~within).any())
        if not best.all():
            ours += float((~within & ~best).sum() / (~best).sum())
            theirs += float((~by_holm(losses) & ~best).sum() / (~best).sum())
    return missing / tables, ours / tables, theirs / tables


def wrongly_dominated(models: int, units: int, criteria: int, tables: int, rng: np.random.Generator) -> float:
    """The share of tables of equal models in which one is dominated over means all the same."""
    wrong = 0
    for _ in range(tables):
        hard = rng.normal(size=(1, units, 1))
        skill = rng.normal(size=(models, units, 1))  # of a model on a unit: what it shares over criteria
        losses = hard + skill + rng.normal(size=(models, units, criteria))
        cells = [np.ascontiguousarray(losses[:, :, at]) for at in range(criteria)]
        means = Means(cells, [np.arange(units)] * criteria, np.full((2, models, criteria), np.nan))
        wrong += bool(mean_dominance(means).any())
    return wrong / tables


def report(samples: int, tables: int) -> Iterator[str]:
    """The page, line by line."""
    yield "# Calibration\n"
    yield f"Made by `benchmarks/calibration.py`, seeded; {samples:,} samples a cell of the first table (± "
    yield f"{1.96 * np.sqrt(0.05 * 0.95 / samples):.3f} at 0.95), {tables:,} tables a cell of the second (± "
    yield f"{1.96 * np.sqrt(0.05 * 0.95 / tables):.3f} at 0.05; ± is 1.96 standard errors of the simulation).\n"
    yield f"Of equal models there are {MORE * tables:,} tables.\n\n## Intervals: share that hold the true mean\n"
    yield "Hall's t; Wilson's for shares; the expanded percentiles of a bootstrap for pooled clusters. In brackets the "
    yield "median width, as a multiple of that of Student's interval. Those of paired differences are made alike.\n"
    yield "| data | " + " | ".join(f"n = {n}" for n in UNITS) + " |\n|" + "---|" * (len(UNITS) + 1)
    rng = np.random.default_rng(0)
    for name, (draw, truth) in DATA.items():
        found = [coverage(draw, truth, n, samples, rng) for n in UNITS]
        yield f"| {name} | " + " | ".join(f"{share:.3f} ({wide:.2f})" for share, wide in found) + " |"
    few = max(200, samples // 10)
    held = " | ".join(f"{coverage_of_clusters(n, few, rng):.3f}" for n in UNITS)
    yield f"| clusters of {MEMBERS}, pooled | {held} |\n"
    yield "## The set of best models\n"
    yield "`missing`: share of tables in which a truly best model is not in the set (0.05 is promised). `left out`: "
    yield f"share of the models that are worse by {WORSE:g} residual standard deviations that the set leaves out, in "
    yield "brackets what paired t tests of all pairs with Holm's correction leave out. *One near constant*: equal "
    yield "means, one model nearly constant and the others lognormal, where the promise does not hold.\n"
    kinds = ("equal", "unequal spreads", "skewed", "one near constant", "half are worse")
    heads = (*(f"{kind}: missing" for kind in kinds), "left out")
    yield f"| models | units | {' | '.join(heads)} |"
    yield "|" + "---|" * 8
    for models in MODELS:
        for units in OVER:
            found = [rates(kind, models, units, tables * (MORE if kind == "equal" else 1), rng) for kind in kinds]
            missing = " | ".join(f"{one[0]:.3f}" for one in found)
            yield f"| {models} | {units} | {missing} | {found[-1][1]:.2f} ({found[-1][2]:.2f}) |"
    yield "\n## Pareto dominance over means: share of tables in which one of equal models is dominated\n"
    yield (
        "| models | units | "
        + " | ".join(f"{many} criteria" if many > 1 else "1 criterion" for many in CRITERIA)
        + " |"
    )
    yield "|" + "---|" * (2 + len(CRITERIA))
    for models in MODELS[:3]:
        for units in OVER:
            wrong = (wrongly_dominated(models, units, many, tables, rng) for many in CRITERIA)
            yield f"| {models} | {units} | " + " | ".join(f"{one:.3f}" for one in wrong) + " |"


def main() -> None:
    """Write the page."""
    parse = argparse.ArgumentParser(description=__doc__)
    parse.add_argument("--samples", type=int, default=10_000)
    parse.add_argument("--tables", type=int, default=500)
    asked = parse.parse_args()
    page = Path(__file__).with_name("CALIBRATION.md")
    page.write_text("\n".join(report(asked.samples, asked.tables)) + "\n", encoding="utf-8")
    print(page.read_text("utf-8"))


if __name__ == "__main__":
    main()
