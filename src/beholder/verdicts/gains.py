"""The values of one measure × criterion, turned so that more is better, and how far one model is ahead of another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import SETTLED
from beholder.core.scores import CELL
from beholder.verdicts.components import grid
from beholder.verdicts.intervals import mean_interval

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Names = NDArray[np.object_]
CellKey = tuple[str, str, str]  # measure, settings, criterion
USED = [*CELL, "better", "dataset", "unit", "role", "model", "value", "lo", "hi"]


class Gains(NamedTuple):
    """The values of one measure × criterion, signed so that more is better."""

    units: Floats  # units × columns, one column per model in its role
    roles: Names  # of each column
    names: Names
    own: Floats  # the runner's intervals, 2 × columns; NaN where it gave none
    keys: tuple[tuple[str, str], ...] = ()  # dataset and unit of each row

    def best(self, among: NDArray[np.bool_]) -> int | None:
        """The column with the largest mean among some."""
        columns = np.flatnonzero(among)
        return int(columns[np.nanmean(self.units[:, columns], axis=0).argmax()]) if len(columns) else None

    def lead(self, one: int, other: int, level: float = 0.95) -> Difference:
        """By how much one column is ahead of another, over the units that both hold, with an interval of some level.

        On one unit the ends of the runner's two intervals are held against each other; one without is taken as exact.
        """
        lead = complete(self.units[:, [one, other]])
        gain = lead[:, :1] - lead[:, 1:]
        if not len(gain):
            return Difference(np.nan, np.nan, np.nan, 0)
        ends = self.own[:, [one, other]]
        ends = np.where(np.isnan(ends) & ~np.isnan(ends).all(), lead[0], ends)
        own = ends[:, :1] - ends[::-1, 1:]  # of the difference: from lo − hi to hi − lo
        lo, hi = mean_interval(gain, own, shares=False, level=level)[:, 0]
        return Difference(mean_gain(lead), float(lo), float(hi), len(gain))


class Difference(NamedTuple):
    """A paired difference, more being better, with its interval; what is nothing but rounding is 0."""

    mean: float
    lo: float
    hi: float
    units: int


NOISE = 1e-9  # of the values: differences below are rounding


def mean_gain(lead: Floats) -> float:
    """The mean difference of two columns; what is nothing but rounding is 0."""
    mean = float((lead[:, 0] - lead[:, 1]).mean())
    return 0.0 if abs(mean) <= NOISE * float(np.abs(lead).mean()) else mean


def by_cell(scores: pd.DataFrame) -> Iterator[tuple[CellKey, Gains]]:
    """Each measure × criterion with the rows that have a value and are no parts."""
    kept = (scores["part"] == "") & scores["state"].isin(SETTLED) & scores["value"].notna()
    held = scores.loc[kept, USED]
    for (measure, settings, criterion), values in held.groupby(CELL, sort=False):
        yield (str(measure), str(settings), str(criterion)), _gains(values)


def _gains(values: pd.DataFrame) -> Gains:
    sign = 1.0 if values["better"].iloc[0] == "higher" else -1.0
    units = grid(values, ["dataset", "unit"], ["role", "model"])
    roles, names = (np.array(units.columns.get_level_values(level), dtype=object) for level in ("role", "model"))
    own = values.groupby(["role", "model"])[["lo", "hi"]].mean().reindex(units.columns).to_numpy(dtype=float).T * sign
    ends = np.stack([own.min(axis=0), own.max(axis=0)])
    return Gains(units.to_numpy(dtype=float) * sign, roles, names, ends, tuple(units.index))


def complete(units: Floats) -> Floats:
    """The units on which every column has a value."""
    return units[~np.isnan(units).any(axis=1)]
