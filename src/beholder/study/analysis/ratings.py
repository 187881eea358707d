"""Questions that are answered with a grade."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from beholder.stats import rater_agreement, signal_detection, two_way
from beholder.study.analysis.agreement import ratings as table_of
from beholder.study.analysis.trials import NOTHING, Bools, Estimate, Floats, Trials, estimate, ratio, trials_of

if TYPE_CHECKING:
    import pandas as pd

    from beholder.study.analysis.answers import Export


class Graded(NamedTuple):
    """One dimension."""

    dimension: str
    means: dict[str, Estimate]  # by class
    area: Estimate  # under the ROC of signal against the rest
    dprime: Estimate  # d_a = √2 z(area)
    alpha: Estimate  # Krippendorff, ordinal; its interval draws items
    people: int
    items: int
    answers: int


def graded(export: Export) -> dict[str, tuple[pd.DataFrame, Floats]]:
    """The dimensions whose answers are all numbers, and are not those of the yes/no question: rows and values."""
    import pandas as pd

    study, found = export.study, {}
    if study.trial == "two_alternative":
        return {}
    skip = study.questions[0].dimension if study.trial == "yes_no" and study.right else None
    for dimension in dict.fromkeys(export.answers["dimension"]):
        rows = export.answers[export.answers["dimension"] == dimension]
        values = pd.to_numeric(rows["value"], errors="coerce").to_numpy(float)
        if dimension != skip and np.isfinite(values).all():
            found[str(dimension)] = rows, values
    return found


def grade(dimension: str, export: Export, rows: pd.DataFrame, values: Floats) -> Graded:
    """Means by class, the ROC of the signal class, and agreement."""
    signal = (rows["class"] == export.study.signal).to_numpy(bool)
    trials = trials_of(rows.assign(thing=rows["item"]), values, signal)
    means = {str(kind): _mean(trials, (rows["class"] == kind).to_numpy(bool)) for kind in dict.fromkeys(rows["class"])}
    area = dprime = NOTHING
    if signal.any() and not signal.all():
        area, dprime = _detected(trials, values)
    found = rater_agreement.spread(
        rater_agreement.krippendorff, table_of(trials, values), rng=np.random.default_rng(0), level="ordinal"
    )
    return Graded(
        dimension, means, area, dprime, Estimate(*found), len(trials.people), len(trials.items), len(values)
    )  # fmt: skip


def _mean(trials: Trials, mine: Bools) -> Estimate:
    columns = np.stack([mine * trials.said, mine], axis=1)

    def taken(of: two_way.Draws) -> Floats:
        total, many = of.sums(columns).T
        return ratio(total, many)

    return trials.estimate(taken)


def _detected(trials: Trials, values: Floats) -> tuple[Estimate, Estimate]:
    grades = np.unique(values)
    marks = (values[:, None] == grades).astype(float)
    columns = np.concatenate([marks * trials.signal[:, None], marks * ~trials.signal[:, None]], axis=1)

    def taken(of: two_way.Draws) -> Floats:
        counts = np.split(of.sums(columns), 2, axis=1)
        return np.stack([signal_detection.rating_area(*counts), signal_detection.rating_dprime(*counts)], axis=1)

    found, drawn = trials.spread(taken)
    ends = two_way.share_interval(float(found[0]), drawn[:, 0], len(trials.people))
    return Estimate(float(found[0]), *ends), estimate(found[1], drawn[:, 1])
