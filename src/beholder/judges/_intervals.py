"""Intervals of what models are compared on: those of the rows, else drawn over repeats, else over units."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beholder.core.scores import COMPONENT, Components, grid
from beholder.stats import bootstrap
from beholder.verdicts.wording import Layout, by_unit, filled, listed

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]


def intervals(
    scores: pd.DataFrame, found: Components, lay: Layout, *, draws: int, seed: int
) -> tuple[Floats, bool, tuple[str, ...]]:
    """Both ends of the losses, 2 × models × what is compared, whether that is components, and what must be said of it.

    What is compared is components where each has an interval, else the cells' means over units.
    """
    ends = bounds(scores, found, draws=draws, seed=seed)
    if not np.isnan(ends).any():
        return ends * found.sign, True, ()
    ends, bare = _of_means(found, lay, ends, draws, seed)
    notes = [f"intervals are of means over units (bootstrap over units), on {len(lay.names)} measure × criterion"]
    if bare:
        notes.append(f"without an interval, and taken as exact: {listed(bare)}")
    return ends, False, tuple(notes)


def bounds(scores: pd.DataFrame, found: Components, *, draws: int, seed: int) -> Floats:
    """Intervals of every component, 2 × models × components: the runner's, else a bootstrap over repeats.

    Where some models are repeated, those that ran once are exact. NaN where nobody is repeated: one number on one unit
    has no interval.
    """
    ends = filled(scores, found)
    rows = scores[(scores["role"] == "model") & scores["model"].isin(found.values.index)]
    repeats = grid(rows, ["repeat"], ["model", *COMPONENT])
    whole = found.values.stack(list(range(4)), future_stack=True).index
    over = repeats.reindex(columns=whole)
    own = bootstrap.mean_interval(over.to_numpy(dtype=float), draws=draws, seed=seed).reshape(ends.shape)
    several = (over.notna().sum().to_numpy() > 1).reshape(found.values.shape).any(axis=0)
    return np.where(np.isnan(ends), np.where(several, own, np.nan), ends)


def _of_means(found: Components, lay: Layout, ends: Floats, draws: int, seed: int) -> tuple[Floats, list[str]]:
    """Both ends of the losses of the cells' means, 2 × models × cells, and the cells that have no interval.

    A cell that was measured once keeps its component's interval, and where that has none, is exact.
    """
    units = by_unit(found, lay)
    means = np.nanmean(units, axis=0)
    spread = bootstrap.mean_interval(units.reshape(len(units), -1), draws=draws, seed=seed).reshape(2, *means.shape)
    once = np.bincount(lay.cells) == 1
    at = np.array([int(np.argmax(lay.cells == cell)) for cell in range(len(once))])  # a component of each cell
    spread = np.where(once[:, None], ends[:, :, at].transpose(0, 2, 1), spread)
    bare = np.isnan(spread)
    names = [lay.names[cell] for cell in np.unique(np.nonzero(bare)[1])]
    return (np.where(bare, means, spread) * found.sign[at][:, None]).transpose(0, 2, 1), names
