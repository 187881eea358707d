"""One dimension of a table of ratings as an array, items × raters: what coefficients of agreement read."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.sample import Dataset, Sample
from beholder.stats import rater_agreement
from beholder.study.ratings import Item, Opinion, Ratings, kinds_of, ratings_of

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Table:
    """Who rated what how, on one dimension: the stimulus of a coefficient of agreement."""

    values: Floats  # items × raters, NaN where somebody did not rate
    clusters: tuple[str, ...] = ()  # of each item: what is drawn together when an interval is made
    kinds: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # "gender=f" → the raters of this kind


class Size(NamedTuple):
    """Of what a table is: the reference, as nothing is right or wrong about agreement."""

    dimension: str
    raters: int
    items: int
    complete: int  # items that all raters rated
    status: str = "verified"

    def __str__(self) -> str:
        ragged = "" if self.complete == self.items else f", {self.complete:,} of them rated by all"
        return f"{_count(self.raters, 'rater')}, {_count(self.items, 'item')}{ragged}"


class Coefficient(NamedTuple):
    """How far raters agree: 1 is full agreement, 0 what chance gives."""

    value: float
    lo: float = math.nan
    hi: float = math.nan
    parts: Mapping[str, float] = {}
    reason: str = ""  # why it is undefined


def take(of: rater_agreement.Coefficient, table: Table, **settings: Any) -> Coefficient:
    """A coefficient of a table with its interval over items or their clusters; among raters of each kind as parts."""
    if why := rater_agreement.why_undefined(table.values):
        return Coefficient(math.nan, reason=why)
    groups, rng = table.clusters or None, np.random.default_rng(0)
    found = rater_agreement.spread(of, table.values, groups=groups, rng=rng, **settings)
    parts = {name: of(table.values[:, list(places)], **settings) for name, places in table.kinds.items()}
    return Coefficient(*found, parts)


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'s' * (n != 1)}"


def tables(dataset: Dataset[Item, Opinion]) -> Dataset[Table, Size]:
    """The same ratings with one sample for each dimension."""
    ratings = ratings_of(dataset)
    return Dataset(
        dataset.name,
        ratings.dimensions,
        _Load(ratings, dataset.ids),
        dataset.cite,
        dataset.licence,
        content=f"{dataset.fingerprint}|{dataset.ids if dataset.ids != dataset.all_ids else ''}",
        about=dataset.about,
        people=dataset.people,
        remarks=dataset.remarks,
    )


@dataclass(frozen=True)
class _Load:
    """Loads one dimension of the ratings of some items."""

    ratings: Ratings
    items: tuple[str, ...]

    def __call__(self, dimension: str) -> Sample[Table, Size]:
        rows = self.ratings.table
        rows = rows[(rows["dimension"] == dimension) & rows["item"].isin(self.items)]
        values = rows.pivot_table(index="item", columns="rater", values="value", sort=False)
        ids, raters = [str(id) for id in values.index], [str(who) for who in values.columns]
        clusters = tuple(self.ratings.load(id).tags["cluster"] for id in ids)
        x = values.to_numpy(dtype=float)
        size = Size(dimension, len(raters), len(ids), int(np.isfinite(x).all(axis=1).sum()))
        return Sample(dimension, Table(x, clusters, shared_kinds(raters, self.ratings.raters)), size)


def shared_kinds(raters: Sequence[str], known: Mapping[str, Mapping[str, str]]) -> dict[str, tuple[int, ...]]:
    """The places of raters who share what is known of them, where two or more and not all do.

    >>> shared_kinds(["a", "b", "c"], {"a": {"eyes": "blue"}, "b": {"eyes": "blue"}, "c": {"eyes": "brown"}})
    {'eyes=blue': (0, 1)}
    """
    found: dict[str, list[int]] = {}
    for at, who in enumerate(raters):
        for kind in kinds_of(known.get(who, {})):
            found.setdefault(kind, []).append(at)
    return {name: tuple(places) for name, places in found.items() if 2 <= len(places) < len(raters)}
