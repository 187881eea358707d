"""Intervals of what models are compared on: those of the rows, else of means over repeats, else over units."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beholder.core.scores import COMPONENT, JUDGED, whole
from beholder.core.verdict import Note
from beholder.errors import listed
from beholder.stats import small_samples
from beholder.verdicts.components import Components, grid
from beholder.verdicts.intervals import mean_interval, runner_intervals
from beholder.verdicts.layout import Layout, by_unit

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]


def intervals(scores: pd.DataFrame, found: Components, lay: Layout) -> tuple[Floats, bool, tuple[Note, ...]]:
    """Both ends of the losses, 2 × models × what is compared; whether that is components; and notes on it.

    Components are compared where each has an interval, else the cells' means over units.
    """
    ends = bounds(scores, found)
    if not np.isnan(ends).any():
        return ends * found.sign, True, ()
    ends, bare = of_means(found, lay, ends)
    text = f"intervals are those of means over units, for {len(lay.names)} measures × criteria"
    return ends, False, (Note("method", text, numbers={"cells": len(lay.names)}), *note_exact(bare))


def note_exact(bare: list[str]) -> tuple[Note, ...]:
    """A note on cells without an interval, if there are such."""
    text = f"without an interval, so taken as exact: {listed(bare)}"
    return (Note("once", text, about=tuple(bare)),) if bare else ()


def bounds(scores: pd.DataFrame, found: Components) -> Floats:
    """Intervals of every component, 2 × models × components: the runner's, else those of means over repeats.

    Where some models are repeated, those that ran once are exact. NaN where nobody is repeated: one number on one unit
    has no interval.
    """
    ends, rows = runner_intervals(scores, found), whole(scores)
    judged = rows[rows["role"].isin(JUDGED) & rows["model"].isin(found.values.index)]
    repeats = grid(judged, ["repeat"], ["model", *COMPONENT])
    over = repeats.reindex(columns=found.values.stack(COMPONENT, future_stack=True).index)
    times = over.notna().sum().to_numpy()
    own = np.where(times == 1, over.mean().to_numpy(), small_samples.mean_interval(over.to_numpy(dtype=float)))
    own, several = own.reshape(ends.shape), (times > 1).reshape(found.values.shape).any(axis=0)
    return np.where(np.isnan(ends), np.where(several, own, np.nan), ends)


def of_means(found: Components, lay: Layout, ends: Floats) -> tuple[Floats, list[str]]:
    """Both ends of the losses of the cells' means, 2 × models × cells, and the cells that have no interval.

    A cell that was measured once keeps its component's interval, and where that has none, is exact.
    """
    units = by_unit(found.values.to_numpy(dtype=float), lay)
    means = np.nanmean(units, axis=0)
    at = np.array([int(np.argmax(lay.cells == cell)) for cell in range(len(means))])  # a component of each cell
    own = ends[:, :, at].transpose(0, 2, 1)
    spread = mean_interval(units.reshape(len(units), -1), own.reshape(2, -1)).reshape(own.shape)
    bare = np.isnan(spread)
    names = [lay.names[cell] for cell in np.unique(np.nonzero(bare)[1])]
    return (np.where(bare, means, spread) * found.sign[at][:, None]).transpose(0, 2, 1), names
