"""Where 95 % intervals are known to hold the true mean less often, and how often they do: said beside the numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import SETTLED
from beholder.core.scores import CELL, JUDGED
from beholder.core.verdict import Note, merge_notes
from beholder.verdicts.gains import by_cell
from beholder.verdicts.layout import cell_name

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

# Shares of intervals that hold the true mean, by units: benchmarks/CALIBRATION.md, its rows of lognormal data and of
# pooled clusters.
SKEWED = {3: 0.88, 4: 0.87, 6: 0.89, 9: 0.90, 12: 0.91, 20: 0.93}
POOLED = {3: 0.74, 4: 0.87}
# Skewness from which scores count as strongly skewed. In the median, lognormal scores have 1.1 over 9 units and 1.7
# over 20; beta(1, 6), as bad pixels are, 0.7 and 1.0; normal ones 0.4 and 0.3.
STRONG = 1.2
LEAST = 9  # units below which the skewness itself says nothing


def note_coverage(scores: pd.DataFrame) -> list[Note]:
    """Notes on measures whose intervals hold the mean less often than 95 %: skewed scores, pools of few units."""
    return merge_notes([*_skewed(scores), *_pooled(scores)])


def _skewed(scores: pd.DataFrame) -> list[Note]:
    found = []
    for cell, gains in by_cell(scores):
        units = gains.units[:, np.isin(gains.roles, JUDGED)]
        n, skew = _units_and_skewness(units)
        share = _looked_up(SKEWED, n)
        if n >= LEAST and share and skew > STRONG:
            text = f"scores on {{about}} are strongly skewed: with {n} units, as few as {100 * share:.0f} % of such "
            found.append(Note("rough", text + "95 % intervals hold the true mean", about=(cell_name(*cell),)))
    return found


def _units_and_skewness(units: Floats) -> tuple[int, float]:
    """How many units models hold, and the median over models of how skewed their values are, to either side."""
    held = (~np.isnan(units)).sum(axis=0)
    full = units[:, held >= LEAST]
    if not full.size or not np.isfinite(full[~np.isnan(full)]).all():
        return 0, 0.0
    off = full - np.nanmean(full, axis=0)
    spread = np.sqrt(np.nanmean(off**2, axis=0))
    some = spread > 0
    skew = np.nanmean(off[:, some] ** 3, axis=0) / spread[some] ** 3
    return int(np.median(held[held >= LEAST])), float(np.median(np.abs(skew))) if some.any() else 0.0


def _pooled(scores: pd.DataFrame) -> list[Note]:
    """What was measured once over few samples, with an interval from these."""
    rows = scores[scores["role"].isin(JUDGED) & scores["state"].isin(SETTLED) & (scores["unit"] == "*")]
    few = rows[rows["lo"].notna() & rows["n"].between(min(POOLED), max(POOLED))]
    text = "only {} samples are pooled: about {:.0f} % of such 95 % intervals hold the true value of {{about}}"
    cells = few[[*CELL, "n"]].drop_duplicates().itertuples(index=False, name=None)
    return [Note("rough", text.format(int(n), 100 * POOLED[int(n)]), about=(cell_name(*cell),)) for *cell, n in cells]


def _looked_up(table: dict[int, float], n: int) -> float:
    """The share for the next smaller number of units in a table; 0 beyond it, where intervals are as they should be.

    >>> _looked_up(SKEWED, 10), _looked_up(SKEWED, 60)
    (0.9, 0)
    """
    known = [units for units in table if units <= n]
    return table[max(known)] if known and n < 2 * max(table) else 0
