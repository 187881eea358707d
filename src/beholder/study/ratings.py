"""What people say of items: who rated what, on which dimension, beside what measures say of the same items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from beholder.core.sample import Dataset, Sample, remark
from beholder.errors import Misuse, listed
from beholder.io.table import MISSING
from beholder.store.digest import digest

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = ("item", "system", "group", "dimension", "rater", "value")  # of a long table of ratings: one row, one rating
WORDS = {  # what columns mean, and what else they are called
    "item": (
        *("video", "image", "stimulus", "id", "clip", "clip_name", "video_name", "image_name", "stimulus_name"),
        *("file_name", "filename", "clip_id", "video_id", "image_id", "item_id"),
    ),
    "system": ("model", "method", "generator"),
    "group": ("prompt", "scene"),
    "dimension": (),
    "rater": (
        *("observer", "subject", "worker", "annotator", "participant", "judge", "person", "rater_id", "worker_id"),
        *("annotator_id", "participant_id", "subject_id", "observer_id", "judge_id", "person_id"),
    ),
    "value": ("score", "rating", "mos", "stars", "answer"),
    "media": ("file",),
}
ALONE = "people"  # the rater of a table that names none: its values are means already
ONLY = "quality"  # the dimension of a table that names none


@dataclass(frozen=True)
class Item:
    """What is rated: the stimulus of a measure that is under test."""

    id: str
    system: str = ""  # who made it, such as a generator of videos
    group: str = ""  # what it is compared within, such as a prompt or a picture
    columns: Mapping[str, float] = field(default_factory=dict)  # what measures have said of it, by name
    media: Path | None = None  # where it can be seen


@dataclass(frozen=True)
class Opinion:
    """What people say of one item."""

    ratings: Mapping[str, Mapping[str, float]]  # dimension → rater → value
    system: str = ""
    group: str = ""
    raters: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # rater → what is known of them
    status: str = "verified"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Everyone who rated the item, on any dimension."""
        return tuple(dict.fromkeys(who for values in self.ratings.values() for who in values))

    def of(self, keep: Callable[[str], bool]) -> Opinion:
        """The same with some raters only; dimensions on which nobody is left are gone."""
        some = {name: {who: v for who, v in by.items() if keep(who)} for name, by in self.ratings.items()}
        return replace(self, ratings={name: by for name, by in some.items() if by})


class Judged(NamedTuple):
    """What people say of one item on one dimension, or on all of them together."""

    values: Mapping[str, float]  # by rater
    system: str = ""
    group: str = ""
    facts: Mapping[str, Mapping[str, str]] = {}  # rater → what is known of them

    @property
    def mean(self) -> float:
        """The mean of the raters; NaN where nobody rated it."""
        return sum(self.values.values()) / len(self.values) if self.values else float("nan")


def kinds_of(facts: Mapping[str, str]) -> list[str]:
    """The kinds that a rater is of, by what is known of them.

    >>> kinds_of({"expertise": "high"})
    ['expertise=high']
    """
    return [f"{name}={value}" for name, value in facts.items()]


def judged(opinion: Opinion, dimension: str = "") -> Judged:
    """What people say on a dimension; without one, each rater's mean over the dimensions that they rated.

    >>> judged(Opinion({"static": {"a": 1, "b": 2}, "temporal": {"a": 5}})).values
    {'a': 3.0, 'b': 2.0}
    """
    if dimension:
        values = dict(opinion.ratings.get(dimension, {}))
    else:
        own = {who: [by[who] for by in opinion.ratings.values() if who in by] for who in opinion.names}
        values = {who: float(np.mean(several)) for who, several in own.items()}
    return Judged(values, opinion.system, opinion.group, opinion.raters)


@dataclass(frozen=True)
class Ratings:
    """A table of ratings, clean: texts and finite values, and one row per item, dimension and rater."""

    table: pd.DataFrame  # the columns of SCHEMA
    columns: pd.DataFrame  # what measures say, one row per item
    raters: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    media: Mapping[str, Path] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()  # what was left out, merged or made up

    @cached_property
    def dimensions(self) -> tuple[str, ...]:
        """The dimensions, in the order of the table."""
        return tuple(self.table["dimension"].unique())

    @cached_property
    def _items(self) -> dict[str, tuple[Item, Opinion]]:
        said = self.columns.to_dict("index")
        given: dict[str, dict[str, dict[str, float]]] = {}
        of: dict[str, tuple[str, str]] = {}
        # Rows in turn: a table of thousands of items would take seconds to group by item and dimension.
        for id, system, group, dimension, rater, value in self.table[list(SCHEMA)].itertuples(index=False, name=None):
            of.setdefault(id, (system, group))
            given.setdefault(id, {}).setdefault(dimension, {})[rater] = float(value)
        found: dict[str, tuple[Item, Opinion]] = {}
        for id, ratings in given.items():
            numbers = {str(name): float(value) for name, value in said.get(id, {}).items()}
            known = {who: self.raters[who] for by in ratings.values() for who in by if who in self.raters}
            found[id] = Item(id, *of[id], numbers, self.media.get(id)), Opinion(ratings, *of[id], known)
        return found

    def load(self, id: str) -> Sample[Item, Opinion]:
        """One item with what people say of it."""
        item, opinion = self._items[id]
        return Sample(id, item, opinion, {"system": item.system, "group": item.group, "cluster": self._cluster(item)})

    def _cluster(self, item: Item) -> str:
        """What is drawn together when an interval is made: items of one group, if there are several groups."""
        return item.group if self._grouped else item.id

    @cached_property
    def _grouped(self) -> bool:
        return self.table["group"].nunique() > 1

    def dataset(self, name: str, **card: Any) -> Dataset[Item, Opinion]:
        """The table as a dataset: one sample per item."""
        content = digest(self.table.to_csv(index=False), self.columns.to_csv(), self.raters)
        remarks = (*self.remarks, *card.pop("remarks", ()))
        return Dataset(
            name, tuple(self._items), _Load(self), content=content, remarks=remarks, **{"people": "recorded", **card}
        )


@dataclass(frozen=True)
class _Load:
    """Loads samples of a table, and tells its dimensions and measures without loading any."""

    ratings: Ratings

    def __call__(self, id: str) -> Sample[Item, Opinion]:
        return self.ratings.load(id)


def ratings_of(dataset: Dataset[Any, Any]) -> Ratings:
    """The table behind a dataset of ratings."""
    table = getattr(dataset.load, "ratings", None)
    if not isinstance(table, Ratings):
        raise Misuse(f"dataset {dataset.name} holds no ratings; expected one such as ratings:my.csv")
    return table


def clean(
    table: pd.DataFrame,
    columns: pd.DataFrame | None = None,
    *,
    raters: Mapping[str, Mapping[str, str]] | None = None,
    media: Mapping[str, Path] | None = None,
) -> Ratings:
    """A table of ratings made clean; what had to be left out, merged or made up is said in its remarks.

    Without `system` or `group` all items have the same; without `dimension` or `rater` there is one. Rows without a
    value are left out. A rating that stands there twice counts once; one rater's different values for the same item are
    averaged.
    """
    import pandas as pd

    made = {"system": "", "group": "", "dimension": ONLY, "rater": ALONE}
    frame = table.assign(**{name: text for name, text in made.items() if name not in table}).loc[:, list(SCHEMA)]
    values = pd.to_numeric(frame["value"], errors="coerce")
    frame = frame.assign(value=values).replace({"value": {np.inf: np.nan, -np.inf: np.nan}})
    lacking = frame[frame["value"].isna()]
    frame = frame.dropna(subset=["value"])
    texts = [name for name in SCHEMA if name != "value"]
    frame[texts] = frame[texts].fillna("").astype(str)
    nameless = frame["rater"].isin(MISSING)
    frame.loc[nameless, "rater"] = [
        f"unnamed {n}" for n in frame[nameless].groupby(["item", "dimension"]).cumcount() + 1
    ]
    key = ["item", "dimension", "rater"]
    copies = frame.duplicated()
    once = frame[~copies]
    again = once[once.duplicated(key, keep=False)]
    first = frame.drop_duplicates(key).set_index(key)
    first["value"] = frame[~copies].groupby(key, sort=False)["value"].mean()
    _refuse_torn(frame)
    remarks = (
        *remark(_once(lacking["item"].astype(str)), "item", "without a value in some rows, which are left out"),
        *([f"{int(copies.sum())} rows are duplicates and count once"] if copies.any() else []),
        *remark(_once(again["item"]), "item", "rated several times by one rater, whose mean counts"),
        *([f"{int(nameless.sum())} ratings name no rater"] if nameless.any() else []),
    )
    tidy = first.reset_index()[list(SCHEMA)]
    if tidy.empty:
        raise Misuse("got no rating with a value; expected a table with the columns item and value")
    numbers = pd.DataFrame(index=tidy["item"].unique()) if columns is None else columns
    numbers = numbers.apply(pd.to_numeric, errors="coerce").reindex(tidy["item"].unique())
    return Ratings(tidy, numbers, raters or {}, media or {}, remarks)


def _once(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _refuse_torn(frame: pd.DataFrame) -> None:
    """An item is one thing: it has one system and one group."""
    for name in ("system", "group"):
        several = frame.groupby("item", sort=False)[name].nunique()
        if torn := list(several.index[several > 1]):
            raise Misuse(
                f"got item {torn[0]!r} with {several[torn[0]]} different values of {name!r}; expected one for each item"
            )


def named(names: Iterable[str], known: Sequence[str], what: str) -> list[str]:
    """Some names, all of which are known."""
    chosen = list(names)
    if unknown := [name for name in chosen if name not in known]:
        raise Misuse(f"got the {what} {unknown[0]!r}; expected some of {listed(known)}")
    return chosen
