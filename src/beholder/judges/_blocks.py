"""What tests over units read: one number for each model on each unit, criteria averaged first."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.scores import Components
from beholder.errors import Misuse
from beholder.stats.ranks import ranks, steady
from beholder.verdicts.wording import Layout, listed

Floats = NDArray[np.float64]
By = Literal["mean", "mean_rank"]


class Blocks(NamedTuple):
    """Models × units. Criteria of one unit depend on one another (one region lies in another): they are one block."""

    losses: Floats  # less is better
    by: By  # what a loss is: the mean over the unit's components, or the mean of their ranks
    sign: float  # from a loss back to the natural value
    notes: tuple[str, ...]

    @property
    def values(self) -> Floats:
        """The mean over units in natural values, a number a model."""
        return np.asarray(self.losses.mean(axis=1) * self.sign)


def blocks(found: Components, lay: Layout, by: By | None = None) -> Blocks:
    """One loss for each model on each unit.

    By "mean" it is the mean over the unit's components, whose measures must be better in the same direction; by
    "mean_rank" the mean of the model's ranks on them, ties at their mean. Not told, it is the mean where there is one
    measure. What was measured once, over the whole dataset, is no unit among units: it is left out, with a note.
    """
    chosen = by or ("mean" if found.values.columns.get_level_values("measure").nunique() == 1 else "mean_rank")
    if chosen not in ("mean", "mean_rank"):
        raise Misuse(f"got by={by!r}; expected 'mean' or 'mean_rank'")
    if chosen == "mean" and len(set(found.sign)) > 1:
        raise Misuse("got by='mean' with measures that are better higher and lower; take by='mean_rank'")
    each = found.losses if chosen == "mean" else ranks(found.losses, "average")
    counted = _counted(lay)
    totals = np.zeros((len(lay.strata), len(each)))
    np.add.at(totals, lay.units, each.T)
    means = totals.T / np.bincount(lay.units)
    sign = float(found.sign[0]) if chosen == "mean" else 1.0
    return Blocks(steady(means[:, counted]), chosen, sign, _once(lay, counted))


def _counted(lay: Layout) -> NDArray[np.bool_]:
    """Units that are drawn from among others; all of them where there are none such."""
    several = np.bincount(lay.strata)[lay.strata] > 1
    return several if several.any() else np.ones(len(several), dtype=bool)


def _once(lay: Layout, counted: NDArray[np.bool_]) -> tuple[str, ...]:
    """A note on cells that no counted unit has."""
    seen = set(lay.cells[counted[lay.units]])
    lost = [name for cell, name in enumerate(lay.names) if cell not in seen]
    return (f"measured once, over the whole dataset, and so not tested: {listed(lost)}",) if lost else ()
