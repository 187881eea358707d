"""What tests over units read: one number for each model on each unit, criteria averaged first."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.verdict import Note
from beholder.errors import Misuse
from beholder.stats.ranks import ranks, steady
from beholder.verdicts.components import Components
from beholder.verdicts.layout import Layout, measure_labels
from beholder.verdicts.wording import note_once

Floats = NDArray[np.float64]
By = Literal["mean", "mean_rank"]


class Blocks(NamedTuple):
    """Models × units. Criteria of one unit depend on one another (one region lies in another): they are one block."""

    losses: Floats  # less is better
    by: By  # what a loss is: the mean over the unit's components, or the mean of their ranks
    sign: float  # from a loss back to the natural value
    notes: tuple[Note, ...]

    @property
    def values(self) -> Floats:
        """The mean over units in natural values, one number per model."""
        return np.asarray(self.losses.mean(axis=1) * self.sign)


def blocks(found: Components, lay: Layout, by: By | None = None) -> Blocks:
    """One loss for each model on each unit.

    By "mean" it is the mean over the unit's components, whose measures must be better in the same direction; by
    "mean_rank" the mean of the model's ranks on them, ties at their mean. Where `by` is not given, it is the mean if
    there is one measure. What was measured once, over the whole dataset, is no unit among units: it is left out, with
    a note.
    """
    chosen = by or ("mean" if len(set(measure_labels(found))) == 1 else "mean_rank")
    if chosen not in ("mean", "mean_rank"):
        raise Misuse(f"got by={by!r}; expected 'mean' or 'mean_rank'")
    if chosen == "mean" and len(set(found.sign)) > 1:
        raise Misuse("got by='mean' with measures of both directions (higher and lower is better); use by='mean_rank'")
    each = found.losses if chosen == "mean" else ranks(found.losses, "average")
    counted = lay.resampled if lay.drawable else np.ones(len(lay.strata), dtype=bool)
    totals = np.zeros((len(lay.strata), len(each)))
    np.add.at(totals, lay.units, each.T)
    means = totals.T / np.bincount(lay.units)
    sign = float(found.sign[0]) if chosen == "mean" else 1.0
    return Blocks(steady(means[:, counted]), chosen, sign, note_once("so not tested", lay.without(counted)))
