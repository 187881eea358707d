"""The interval of a mean over units: the one rule, for tables, skill, notes and judges."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beholder.core.scores import COMPONENT, JUDGED, whole
from beholder.stats import small_samples
from beholder.verdicts.components import Components

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]


def mean_interval(units: Floats, own: Floats, *, shares: small_samples.Shares = None, level: float = 0.95) -> Floats:
    """The interval, 95 % by default, of the mean of each column of units × columns, 2 × columns.

    Hall's t over units, Wilson's of a share (`stats.small_samples`), which differences are not; none of two units.
    Where a column has one unit only, its `own` interval (2 × columns), which the runner gave to what was measured once
    over many samples, or NaN.

    >>> mean_interval(np.array([[1.0, 3.0], [1.0, np.nan], [1.0, np.nan]]), np.array([[0.0, 2.0], [9.0, 4.0]]))
    array([[1., 2.],
           [1., 4.]])
    """
    several = (~np.isnan(units)).sum(axis=0) > 1
    return np.where(several, small_samples.mean_interval(units, shares=shares, level=level), own)


def runner_intervals(scores: pd.DataFrame, found: Components) -> Floats:
    """The intervals that the runner gave, 2 × models × components; NaN where it gave none."""
    rows = whole(scores)
    given = rows[rows["role"].isin(JUDGED)].groupby(["model", *COMPONENT])[["lo", "hi"]].mean()
    everything = found.values.stack(COMPONENT, future_stack=True).index
    return given.reindex(everything).to_numpy(dtype=float).T.reshape(2, *found.values.shape)
