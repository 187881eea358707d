"""The measures of video on other clips and ratings than those of Ling et al. (2025): FETV's."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.claims.local_data import data_folder
from beholder.core.measure import NotApplicable
from beholder.core.scores import labels
from beholder.evaluation.run import run
from beholder.registry.find import find
from beholder.stats.bootstrap import mean_of_known
from beholder.stats.resampled_correlation import spearman

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
DIMENSION = "temporal"  # quality, of FETV's ratings: the one that is about motion
MEASURES = {  # of the five, those that need no network
    "MSS": "motion_smoothness",
    "OIS": "object_integrity",
    "PAS": "perceptible_amplitude",
    "TCS": "temporal_coherence",
}


class Agreement(NamedTuple):
    """Spearman's ρ of a measure with people, with its interval, over all clips and within generators."""

    pooled: float
    lo: float
    hi: float
    within: float

    def __str__(self) -> str:
        """As it stands in a cell.

        >>> str(Agreement(0.31, 0.05, 0.52, 0.2))
        '0.31 [0.05, 0.52], within generators 0.20'
        """
        return f"{self.pooled:.2f} [{self.lo:.2f}, {self.hi:.2f}], within generators {self.within:.2f}"


class Elsewhere(NamedTuple):
    """What the measures say of clips that people have rated."""

    agreement: Mapping[str, Agreement]  # by measure: the table of video/opinions
    said: Mapping[str, Floats]  # by the paper's name of a measure, clip by clip; NaN where it does not apply
    rated: Floats  # mean rating of each clip

    def correlation(self, one: str, other: str) -> tuple[float, int]:
        """ρ of two measures, and over how many clips."""
        held = ~np.isnan(self.said[one]) & ~np.isnan(self.said[other])
        return float(spearman(self.said[one][held], self.said[other][held])[0]), int(held.sum())

    def total(self, *, without: str = "") -> float:
        """ρ of the mean of the measures, all or without one, with people."""
        means = mean_of_known(np.array([values for name, values in self.said.items() if name != without]))
        held = ~np.isnan(means)
        return float(spearman(means[held], self.rated[held])[0])


def measured_elsewhere() -> Elsewhere | None:
    """The measures of video on FETV's clips, beside what people say of them; None where the clips are not."""
    folder = data_folder("fetv_clips")
    if folder is None:
        return None
    dataset = find("video.datasets", "fetv_clips")(folder)
    scores = run(find("video.benchmarks", "opinions")(dataset, dimension=DIMENSION), jobs=0)
    said_by = find("video.models", "measured")
    said = {short: np.array([say(said_by, one.stimulus, name) for one in dataset]) for short, name in MEASURES.items()}
    rated = np.array([np.mean(list(one.reference.ratings[DIMENSION].values())) for one in dataset])
    return Elsewhere(agreements(scores), said, rated)


def say(measured: Callable[..., float], item: Any, name: str) -> float:
    """What a measure says of an item; NaN where it does not apply."""
    try:
        return float(measured(item, measure=name))
    except NotApplicable:
        return math.nan


def agreements(scores: pd.DataFrame, criterion: str = DIMENSION) -> dict[str, Agreement]:
    """The table of video/opinions by measure: ρ with people over all clips, its interval, and within generators."""
    named = scores.assign(label=labels(scores))
    rows = named[(named["criterion"] == criterion) & named["value"].notna()]
    within = dict(_cells(rows, "spearman(scope=within)", "value"))
    return {
        model: Agreement(value, lo, hi, within.get(model, math.nan))
        for model, value, lo, hi in _cells(rows, "spearman", "value", "lo", "hi")
    }


def _cells(rows: pd.DataFrame, label: str, *columns: str) -> list[tuple[Any, ...]]:
    own = rows[rows["label"] == label]
    return list(zip(*(own[name].tolist() for name in ("model", *columns)), strict=True))
