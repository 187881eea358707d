"""Every model's mean on every measure × criterion, with its interval and counts: what tables show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import SETTLED
from beholder.core.sample import STATUSES
from beholder.core.scores import CELL, bounds_of, labels, numbered, plain, refuse_missing
from beholder.stats import small_samples
from beholder.verdicts.components import grid
from beholder.verdicts.intervals import mean_interval

if TYPE_CHECKING:
    import pandas as pd

MANY = 500_000  # rows that are summed up at once
LINE = ["cell", "who"]  # one line of the summary: a model in its role on a measure × criterion
SUMMARY = ["model", "role", "measure", "settings", "part", "criterion", "better", "value", "lo", "hi"]
SUMMARY += ["held", "expected", "na", "low", "repeats", "provenance"]


def summary(scores: pd.DataFrame) -> pd.DataFrame:
    """Every model's mean on every measure × criterion, with interval and counts, whatever its role.

    The columns are those of SUMMARY; parts of measures stand in rows of their own. The value is the mean over units of
    the mean over repeats; `held` and `expected` count rows, and `provenance` is the worst of those that apply. The
    interval is that of `intervals.mean_interval`.
    """
    import pandas as pd

    refuse_missing(list(scores.columns), "the table")
    rows = scores.assign(cell=numbered(scores, [*CELL, "part"])[1], who=numbered(scores, ["model", "role"])[1])
    found = pd.concat([_lines(rows if own.all() else rows[own]) for own in _shares(rows["cell"].to_numpy())])
    return _within(plain(found.reset_index(drop=True)[SUMMARY]), scores)


def _shares(cell: NDArray[np.int32]) -> Iterator[NDArray[np.bool_]]:
    """Which rows are summed up at once: whole cells, and not many more rows than `MANY`, so that little is copied."""
    before = np.cumsum(np.bincount(cell)) - np.bincount(cell)
    share = (before // MANY)[cell]
    for one in np.unique(share) if len(share) else [0]:
        yield share == one


def _lines(rows: pd.DataFrame) -> pd.DataFrame:
    """The lines of some cells."""
    import pandas as pd

    lines = _counted(rows)
    settled = rows.loc[rows["state"].isin(SETTLED), [*LINE, "dataset", "unit", "value", "lo", "hi"]]
    filled = settled.groupby(LINE)[["lo", "hi"]].mean().reindex(lines.index)
    return pd.concat([lines, _means(settled, filled).reindex(lines.index)], axis="columns")


def _within(lines: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """The lines with intervals that end where their measures do; of parts nothing is known."""
    ends = np.array([bounds_of(scores, [name]) for name in labels(lines)]).reshape(-1, 2)
    return lines.assign(**{end: lines[end].clip(ends[:, 0], ends[:, 1]) for end in ("lo", "hi")})


def _counted(rows: pd.DataFrame) -> pd.DataFrame:
    """What is counted on each line of the summary: one model on one measure × criterion."""
    state, trust = rows["state"], {status: at for at, status in enumerate(STATUSES)}
    flags = {"held": state.isin(SETTLED), "na": state == "na", "low": state == "low"}
    marked = rows.assign(**flags, expected=1, trust=rows["provenance"].map(trust).astype(int).where(state != "na", 0))
    lines = marked.groupby(LINE)
    firsts = lines[["model", "role", "measure", "settings", "part", "criterion", "better"]].first()
    sums = lines[["held", "na", "low", "expected"]].sum()
    worst = lines["trust"].max().map(dict(enumerate(STATUSES))).rename("provenance")
    return firsts.join([sums, lines["repeat"].nunique().rename("repeats"), worst])


def _means(settled: pd.DataFrame, filled: pd.DataFrame) -> pd.DataFrame:
    """The mean and the interval of every line; cells with the same units at once."""
    import pandas as pd

    found = [pd.DataFrame(columns=["value", "lo", "hi"], index=pd.MultiIndex.from_product([[0], [0]], names=LINE)[:0])]
    for cells in _alike(settled):
        mine = settled["cell"].isin(cells)
        units = grid(settled if mine.all() else settled[mine], ["dataset", "unit"], LINE)
        own = filled.reindex(units.columns).to_numpy(dtype=float).T
        of = units.columns.get_level_values("cell").to_numpy()
        odd = np.unique(of[~small_samples.binary(units.to_numpy())])  # one value that is no 0 or 1: it is no share
        lo, hi = mean_interval(units.to_numpy(), own, shares=~np.isin(of, odd))
        found.append(pd.DataFrame({"value": units.mean(), "lo": lo, "hi": hi}, index=units.columns))
    return pd.concat(found[1:] or found)


def _alike(settled: pd.DataFrame) -> list[list[int]]:
    """The cells in groups that have the same units."""
    unit, found = settled.groupby(["dataset", "unit"], sort=False).ngroup(), dict[bytes, list[int]]()
    for cell, own in unit.groupby(settled["cell"]):
        found.setdefault(np.unique(own).tobytes(), []).append(cell)
    return list(found.values())
