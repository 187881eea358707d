"""Like with like: people, truth and blind models over the units that the compared models hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from beholder.core.measure import SETTLED
from beholder.core.scores import CELL, JUDGED, LOST

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
    held = scores[judged & scores["state"].isin(SETTLED) & ~scores["model"].isin(failing)]
    if held.empty or judged.all():
        return scores
    models = held.groupby(WHERE)["model"].nunique().rename("models")
    holding = held.groupby([*WHERE, "unit"])["model"].nunique().rename("holding").reset_index()
    holding = holding.join(models, on=WHERE)
    shared = holding[holding["holding"] == holding["models"]]
    places = shared[WHERE].drop_duplicates().assign(confined=True)
    marked = scores[[*WHERE, "unit"]].merge(places, how="left", on=WHERE)
    marked = marked.merge(shared[[*WHERE, "unit"]].assign(common=True), how="left", on=[*WHERE, "unit"])
    outside = marked["confined"].notna().to_numpy() & marked["common"].isna().to_numpy()
    return scores[judged.to_numpy() | ~outside]
