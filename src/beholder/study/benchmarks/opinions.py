"""study/opinions: how far do measures agree with people? The models here are measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from beholder.core.benchmark import Benchmark, Criterion, Figures, Hooks, Lazily, Lineup, People, Recorded, Unjudged
from beholder.core.measure import NotApplicable, fix
from beholder.core.randomness import rng_for
from beholder.core.sample import Dataset
from beholder.judges.mean_score import mean_score
from beholder.judges.nemenyi import nemenyi
from beholder.study.answers import (
    PerDimension,
    accept,
    confine,
    kinds,
    only,
    people_say,
    raters,
    unrated,
    without,
)
from beholder.study.combinations import KINDS, Combination, columns_of, combine
from beholder.study.datasets.fetv import fetv
from beholder.study.figures.overview import overview
from beholder.study.measures.ablation import ablation
from beholder.study.measures.alignment import (
    kendall,
    pearson,
    preference_accuracy,
    preference_by_group,
    rater_spearman,
    spearman,
)
from beholder.study.measures.consistency import error_consistency
from beholder.study.ratings import Item, Opinion, Ratings, named, ratings_of
from beholder.study.tables import shared_kinds

EVERY = 10  # prompts of the default table, so that a run of all benchmarks stays short and light: 62 of 619
SHOWN = 12  # raters that are rows of their own: of a crowd, the mean person is enough


def opinions(dataset: Dataset[Item, Opinion] | None = None, *, dimension: str = "") -> Benchmark:
    """Which measure agrees best with people's ratings, and does a combination of measures do better?

    Every column of numbers in the table is a measure under test. So is a function of an item (`--model my.py:fn`), and
    any measure of a finished Beholder run (`--model "scored(run='runs/x',measure='…')"`). People are scored the same
    way, one rater against the mean of the others: that is the ceiling. `dimension` selects dimensions of the table.
    Without it, all are judged one by one, and shown together as `all`: each rater's mean over dimensions.
    """
    data = fetv(every=EVERY) if dataset is None else dataset
    table = ratings_of(data)
    words = [word.strip() for word in dimension.split(",") if word.strip()]
    chosen = named(words, table.dimensions, "dimension") or table.dimensions
    each = tuple(Criterion(name, partial(confine, dimension=name), partial(unrated, dimension=name)) for name in chosen)
    together = (Criterion("all", confine),) if len(chosen) > 1 and not words else ()
    binary = bool(table.table["value"].isin([0.0, 1.0]).all())
    return Benchmark(
        name="study/opinions",
        version=1,
        dataset=data,
        measures=(preference_by_group,),
        judges=(mean_score, nemenyi),
        criteria=each,
        unjudged=Unjudged(
            (
                spearman,
                preference_accuracy,
                kendall,
                pearson,
                fix(spearman, scope="within"),
                fix(spearman, scope="between"),
                rater_spearman,
                ablation,
                *((error_consistency,) if binary else ()),
            ),
            together,
        ),
        accept=accept,
        lineup=Lineup(
            _baselines(table, chosen),
            _blind,
            people=People(raters, without, only, people_say, _roster, alone=True, mixed=False, kinds=kinds),
        ),
        figures=Figures(overview=partial(overview, table, tuple(chosen))),
        hooks=Hooks(holds=(Item, Opinion)),
        about=(
            "How well measures agree with people: rank correlation with mean ratings, and agreement with people's "
            "preferences."
        ),
    )


@dataclass(frozen=True)
class Column:
    """A measure that is known by its numbers: a column of the table."""

    name: str

    def __call__(self, item: Item) -> float:
        """What the measure says of an item."""
        value = item.columns.get(self.name, float("nan"))
        if np.isnan(value):
            raise NotApplicable(f"the table has no value of {self.name} for this item")
        return value


def _baselines(table: Ratings, dimensions: Sequence[str]) -> Mapping[str, Any]:
    """Every column, and where there are several, their combinations."""
    names = [str(name) for name in table.columns.columns if table.columns[name].notna().any()]
    found: dict[str, Any] = {name: Column(name) for name in names}
    if len(names) > 1:
        found |= {kind: Lazily(partial(_combined, table, dimensions, kind)) for kind in KINDS}
    return found


def _combined(table: Ratings, dimensions: Sequence[str], kind: str) -> Recorded:
    """A combination of all columns, on the items that have all of them: on each dimension, and on all together."""
    found: dict[str, dict[str, Combination]] = {}
    for dimension in (*dimensions, *(("",) if len(dimensions) > 1 else ())):
        ids, _, columns = columns_of(table, dimension)
        for id, one in zip(ids, combine(columns, KINDS[kind]), strict=True):
            found.setdefault(id, {})[dimension] = one
    return Recorded({id: PerDimension(by) for id, by in found.items()}, partial=True)


def _blind(dataset: Dataset[Item, Opinion]) -> Mapping[str, Any]:
    """What a measure gets that does not look: at random, or by who made the item."""
    table = ratings_of(dataset)
    found: dict[str, Any] = {"random": random}
    if table.table["system"].nunique() > 1:
        found["system"] = Lazily(partial(_by_system, table))
    return found


def random(item: Item) -> float:
    """A number that has nothing to do with the item."""
    return float(rng_for(0, "random", item.id).random())


def _by_system(table: Ratings) -> Recorded:
    """The mean rating of an item's system on each dimension: it knows who made the item, and does not look at it."""
    rows = table.table
    own: dict[str, dict[str, float]] = {}
    means = rows.groupby(["system", "dimension"], sort=False)["value"].mean().reset_index()
    for system, dimension, value in zip(*(means[name].tolist() for name in means), strict=True):
        own.setdefault(str(system), {})[str(dimension)] = float(value)
    said = {system: PerDimension({**by, "": float(np.mean(list(by.values())))}) for system, by in own.items()}
    items = rows.drop_duplicates("item")
    return Recorded({str(id): said[str(name)] for id, name in zip(items["item"], items["system"], strict=True)})


def _roster(dataset: Dataset[Item, Opinion]) -> Sequence[str]:
    """The raters, if they are few enough to be rows, and the kinds of them."""
    table = ratings_of(dataset)
    names = [str(name) for name in table.table["rater"].unique()]
    shared = list(shared_kinds(names, table.raters))
    return [*(names if 1 < len(names) <= SHOWN else []), *(shared if len(shared) <= SHOWN else [])]
