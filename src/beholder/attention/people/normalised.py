"""The scores of a run as shares of what people reach on the same pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from beholder.attention.people.ceiling import normalised
from beholder.core.measure import SETTLED
from beholder.core.scores import JUDGED

if TYPE_CHECKING:
    import pandas as pd

# What a model scores that knows nothing, by the measure's name without its settings.
CHANCE = {"auc": 0.5, "sauc": 0.5, "hit_area": 0.5, "percentile": 50.0, "nss": 0.0, "information_gain": 0.0}
KEYS = ["dataset", "criterion", "measure", "settings"]


def normalised_scores(scores: pd.DataFrame) -> pd.DataFrame:
    """Each model's mean score over that of people, on the pictures that have both; a row a model and measure.

    `ratio` is score / people (Zhao & Koch 2011), `corrected` (score − chance)/(people − chance); of an area under a ROC
    curve 0.5 + corrected/2 is the nAUC of OSIE's authors. Measures without people's score or a known chance level are
    left out; NaN where people are not above chance.
    """
    import pandas as pd

    held = scores[scores["state"].isin(SETTLED) & (scores["part"] == "") & scores["measure"].isin(list(CHANCE))]
    people = held[held["role"] == "ceiling"].set_index([*KEYS, "unit"])["value"].rename("people")
    both = held[held["role"].isin([*JUDGED, "blind"])].join(people, on=[*KEYS, "unit"], how="inner")
    means = both.groupby(["model", *KEYS], sort=False)[["value", "people"]].mean().reset_index()
    chance = means["measure"].map(CHANCE)
    pairs = list(zip(means["value"], means["people"], chance, strict=True))
    means["ratio"] = np.array([normalised(value, ceiling) for value, ceiling, _ in pairs], float)
    means["corrected"] = np.array([normalised(value, ceiling, chance=low) for value, ceiling, low in pairs], float)
    return pd.DataFrame(means)
