"""Many pairs of models of one table, compared as `compare` does it, at a small part of its cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from beholder.core.scores import ROLES, whole
from beholder.verdicts import comparison_wording as wording
from beholder.verdicts.compare import (
    Line,
    Pair,
    corrected,
    extremes,
    gain_of,
    lines_of,
    units_needed,
    within,
)
from beholder.verdicts.gains import CellKey, Gains, by_cell, mean_gain

if TYPE_CHECKING:
    import pandas as pd


class Paired(NamedTuple):
    """Two models: the sentence, a line for each measure, and the units where they differ most, as UNITS has them."""

    a: str
    b: str
    says: str
    lines: tuple[Line, ...]
    units: tuple[tuple[Any, ...], ...]

    @property
    def turned(self) -> Paired:
        """The same with the second model first: every sign turns, and no p-value changes."""
        lines = tuple(line.turned for line in self.lines)
        units = tuple((*row[:5], row[6], row[5], -row[7], row[8]) for row in self.units)
        return Paired(self.b, self.a, wording.says(self.b, self.a, lines, needed=units_needed), lines, units)


class Cell(NamedTuple):
    """All models on one measure × criterion."""

    key: CellKey
    better: str
    units: Sequence[tuple[str, str]]  # dataset and unit, in the order of the rows
    gains: Gains

    def pair(self, a: str, b: str) -> Pair | None:
        """Two of them on the units that both hold; None where they share none."""
        one, other = self._column(a), self._column(b)
        if one is None or other is None:
            return None
        at = [one, other]
        both = np.flatnonzero(~np.isnan(self.gains.units[:, at]).any(axis=1))
        if not len(both):
            return None
        signed, sign = self.gains.units[both][:, at], 1.0 if self.better == "higher" else -1.0
        gain = gain_of(signed)
        mean = mean_gain(signed) if np.isfinite(signed).all() else float(gain.mean())
        units = tuple(self.units[row] for row in both.tolist())
        ends = np.sort(self.gains.own[:, at] * sign, axis=0)
        return Pair(self.key, self.better, units, signed * sign, ends, gain, mean)

    def _column(self, name: str) -> int | None:
        """Where a model stands; of a name with several roles, the first."""
        found = np.flatnonzero(self.gains.names == name).tolist()
        roles = [str(role) for role in ROLES]
        return min(found, key=lambda at: roles.index(str(self.gains.roles[at])), default=None)


def compare_pairs(scores: pd.DataFrame, pairs: Iterable[tuple[str, str]], *, seed: int = 0) -> list[Paired]:
    """Every pair of models, over all datasets together; the numbers and sentences are those of `compare`.

    >>> from beholder.core.scores import Score, table
    >>> rows = [Score("b", 1, m, "model", "dataset", u, 0, "bad", "", "", "all", "lower", v + u, 0, 0, 1, "ok", "", "")
    ...         for m, v in {"a": 0, "b": 3}.items() for u in range(6)]
    >>> [(one.says, one.lines[0].p) for one in compare_pairs(table(rows), [("a", "b")])]
    [('a significantly beats b on bad (6 units).', 0.03125)]
    """
    cells, wanted = list(_cells(scores)), list(pairs)
    datasets = list(dict.fromkeys(str(name) for name in scores["dataset"]))
    where = datasets[0] if len(datasets) == 1 else ""
    found = [[cell.pair(a, b) for a, b in wanted] for cell in cells]
    lines = [_lines(own, where, seed) for own in found]
    return [
        _paired(a, b, [(own[at], line[at]) for own, line in zip(found, lines, strict=True)], scores)
        for at, (a, b) in enumerate(wanted)
    ]


def _cells(scores: pd.DataFrame) -> Iterator[Cell]:
    """Every measure × criterion that has a better and a worse."""
    rows = whole(scores)
    directed = rows[rows["better"] != "neither"]
    better = {key: str(own.iloc[0]) for key, own in directed.groupby(["measure", "settings", "criterion"])["better"]}
    for key, gains in by_cell(directed):
        yield Cell(key, better[key], gains.keys, gains)


def _lines(pairs: Sequence[Pair | None], dataset: str, seed: int) -> list[Line | None]:
    """The lines of one measure; None where a pair shares no unit."""
    there = [at for at, pair in enumerate(pairs) if pair]
    lines = lines_of([pair for pair in pairs if pair], dataset, seed)
    found = dict(zip(there, lines, strict=True))
    return [found.get(at) for at in range(len(pairs))]


def _paired(a: str, b: str, found: Sequence[tuple[Pair | None, Line | None]], scores: pd.DataFrame) -> Paired:
    lines = corrected([within(line, scores) for _, line in found if line])
    units = tuple(row for pair, _ in found if pair for row in extremes(pair, a, b))
    return Paired(a, b, wording.says(a, b, lines, needed=units_needed), tuple(lines), units)
