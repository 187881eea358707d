"""Like with like: people, truth and blind models over the units that the compared models hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import SETTLED
from beholder.core.scores import CELL, JUDGED, LOST, numbered

if TYPE_CHECKING:
    import pandas as pd

WHERE = [*CELL, "part", "dataset"]


def like_with_like(scores: pd.DataFrame) -> pd.DataFrame:
    """The rows without those of yardsticks on units that not every compared model holds.

    Else a model that was measured on one movie of eleven could look closer to people than the truth is. A model counts
    on a measure × criterion of a dataset where it has a value, unless it failed somewhere; where models share no unit,
    nothing is taken away.
    """
    judged = scores["role"].isin(JUDGED)
    failing = scores.loc[judged & scores["state"].isin(LOST), "model"].unique()  # left out of verdicts
    measured = (judged & scores["state"].isin(SETTLED) & ~scores["model"].isin(failing)).to_numpy()
    if not measured.any() or judged.all():
        return scores
    (_, where), (units, unit), (_, model) = (numbered(scores, keys) for keys in (WHERE, ["unit"], ["model"]))
    at = where.astype(np.int64) * len(units) + unit
    models, holding = (_different(of, model, measured) for of in (where, at))
    where_of = np.zeros(len(holding), dtype=np.int64)
    where_of[at] = where
    shared = (holding == models[where_of]) & (holding > 0)  # units of a place that all its models hold
    confined = np.zeros(len(models), dtype=bool)
    confined[where_of[shared]] = True
    kept = judged.to_numpy() | ~confined[where] | shared[at]
    return scores if kept.all() else scores[kept]


def _different(of: NDArray[Any], model: NDArray[Any], among: NDArray[np.bool_]) -> NDArray[Any]:
    """How many different models each group of rows has, among some rows."""
    many = model.max() + 1
    pairs = np.unique(of[among].astype(np.int64) * many + model[among])
    return np.bincount(pairs // many, minlength=of.max() + 1)
