"""Answers as arrays: who answered what how, and what is true."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.stats import bootstrap, two_way

if TYPE_CHECKING:
    import pandas as pd

    from beholder.study.analysis.answers import Export

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
DRAWS = 1000


class Estimate(NamedTuple):
    """A number with its 95 % interval."""

    value: float
    lo: float = float("nan")
    hi: float = float("nan")

    def __format__(self, spec: str) -> str:
        if np.isnan(self.value):
            return "undefined"
        sign, spec = ("+", spec[1:]) if spec.startswith("+") else ("", spec)  # of the value alone
        value, lo, hi = (format(end, f"{s}z{spec or '.2f'}") for end, s in zip(self, (sign, "", ""), strict=True))
        text = value if np.isnan(self.lo) else f"{value} [{lo}, {hi}]"
        return text.replace("-", "−")


NOTHING = Estimate(float("nan"))


class Contrast(NamedTuple):
    """A difference between two shares, or two d′, with its interval and its test against 0."""

    what: str
    of: str  # what differs: accuracy, d′
    difference: Estimate
    p: float  # two-sided
    participants: int
    answers: int


@dataclass(frozen=True)
class Trials:
    """Trials with an answer that says signal or not: of a yes/no study, or of choices between two."""

    frame: pd.DataFrame  # one row a trial; the columns below, and those of the export
    people: tuple[str, ...]
    items: tuple[str, ...]
    person: Ints
    item: Ints
    said: Floats  # 1: called signal; of choices: the signal was chosen
    signal: Bools  # what it is; of choices: all True

    @property
    def right(self) -> Floats:
        """1 where the answer is right."""
        return np.asarray(self.said == self.signal, float)

    @property
    def classes(self) -> Ints:
        """Of each item whether it is signal: the design fixes how many there are of each, so they are drawn apart."""
        found = np.zeros(len(self.items), np.int64)
        found[self.item] = self.signal
        return found

    def of(self, mask: Bools) -> Trials:
        """Some of the trials."""
        return trials_of(self.frame[mask], self.said[mask], self.signal[mask])

    @cached_property
    def drawn(self) -> two_way.Draws:
        """People and items drawn with replacement; the same trials have the same draws in every process."""
        return two_way.draw(self.person, self.item, items=self.classes, draws=DRAWS, rng=self._rng())

    def _rng(self) -> np.random.Generator:
        return np.random.default_rng(zlib.crc32("|".join((*self.people, *self.items)).encode()))

    def spread(self, statistic: Callable[[two_way.Draws], Floats], *, pairs: bool = False) -> tuple[Floats, Floats]:
        """The values of a statistic, and their draws: of people and items both (`stats.two_way.spread`)."""
        value = np.asarray(statistic(two_way.whole(self.person, self.item)), float)[0]
        return value, two_way.spread(statistic, value, self.drawn, pairs=pairs)

    def contrast(
        self, names: tuple[str, str], statistic: Callable[[two_way.Draws], Floats], *, kinds: Ints | None = None
    ) -> Contrast:
        """A difference, by name and by what differs; where kinds of participants differ, each is drawn by itself."""
        drawn, fewest = self.drawn, min(len(self.people), len(self.items))
        if kinds is not None:
            drawn = two_way.draw(self.person, self.item, people=kinds, items=self.classes, draws=DRAWS, rng=self._rng())
            fewest = min(fewest, *(int((kinds == kind).sum()) for kind in np.unique(kinds)))
        value = float(np.asarray(statistic(two_way.whole(self.person, self.item)), float)[0])
        found = two_way.spread(statistic, value, drawn, fewest=fewest)
        p = two_way.p_value(value, found, fewest)
        return Contrast(*names, estimate(value, found), p, len(self.people), len(self.person))

    def estimate(self, statistic: Callable[[two_way.Draws], Floats], *, pairs: bool = False) -> Estimate:
        """One statistic with its interval."""
        return estimate(*self.spread(statistic, pairs=pairs))

    def share(self, statistic: Callable[[two_way.Draws], Floats]) -> Estimate:
        """A statistic that is a share, with an interval that stays within 0 and 1."""
        value, drawn = self.spread(statistic)
        return Estimate(float(value), *two_way.share_interval(float(value), drawn, len(self.people)))


def trials_of(frame: pd.DataFrame, said: Floats | Bools, signal: Bools) -> Trials:
    """Rows with `session` and `thing` (what was judged: an item, or a pair of them) as trials."""
    people, person = np.unique(frame["session"].to_numpy(dtype=str), return_inverse=True)
    items, item = np.unique(frame["thing"].to_numpy(dtype=str), return_inverse=True)
    return Trials(
        frame, tuple(people), tuple(items), person, item, np.asarray(said, float), np.asarray(signal, bool)
    )  # fmt: skip


def yes_no(export: Export) -> Trials | None:
    """The first question of a yes/no study, where answers are right or wrong."""
    study = export.study
    if study.trial != "yes_no" or not study.signal or study.signal not in study.right:
        return None
    word = study.right[study.signal]
    rows = export.answers[export.answers["dimension"] == study.questions[0].dimension]
    rows = rows[rows["class"].isin(list(study.right))]
    truth = rows["class"].map(dict(study.right)) == word
    return trials_of(rows.assign(thing=rows["item"]), (rows["value"] == word).to_numpy(bool), truth.to_numpy(bool))


def choices(export: Export) -> Trials | None:
    """Choices between two of which one is signal."""
    study = export.study
    if study.trial != "two_alternative" or not study.signal:
        return None
    rows = pairs(export)
    rows = rows[rows["dimension"] == study.questions[0].dimension]
    first, second = rows["first_class"] == study.signal, rows["second_class"] == study.signal
    rows = rows[first != second]
    if rows.empty:
        return None
    said = (rows["chosen_class"] == study.signal).to_numpy(bool)
    return trials_of(rows, said, np.ones(len(rows), bool))


def pairs(export: Export) -> pd.DataFrame:
    """Two-alternative trials: what was first and second, what was chosen, and the pair whatever its order (`thing`)."""
    from beholder.study.design.file import FIRST

    rows = export.answers[export.answers["other"] != ""]
    items = export.items.drop_duplicates("item").set_index("item")
    named = {}
    for place, column in (("first", "item"), ("second", "other")):
        named[f"{place}_item"] = rows[column]
        for what in ("class", "system"):
            named[f"{place}_{what}"] = rows[column].map(items[what].to_dict()).fillna("")
    rows = rows.assign(**named)
    ahead = rows["value"] == FIRST
    chosen = {f"chosen_{what}": rows[f"first_{what}"].where(ahead, rows[f"second_{what}"])
              for what in ("item", "class", "system")}  # fmt: skip
    thing = [" | ".join(sorted(two)) for two in zip(rows["item"], rows["other"], strict=True)]
    return rows.assign(**chosen, thing=thing, ahead=ahead)


def estimate(value: float | Floats, draws: Floats) -> Estimate:
    """A value with the central 95 % of its draws; none where the draws say nothing."""
    lo, hi = bootstrap.interval(np.asarray(draws, float).reshape(-1, 1))
    return Estimate(float(value), float(lo[0]), float(hi[0]))


def ratio(over: Floats, under: Floats) -> Floats:
    """A share; NaN of nothing."""
    return np.asarray(np.where(under > 0, over, np.nan) / np.where(under > 0, under, 1.0))
