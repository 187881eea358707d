"""How long people take to answer."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from beholder.study.analysis.trials import Trials


class Time(NamedTuple):
    """Seconds to the answer: the median over answers, and the middle half of them."""

    kind: str  # class; of choices: all
    right: bool
    median: float
    quarter: float
    three_quarters: float
    answers: int


def times(trials: Trials, *, choice: bool) -> tuple[Time, ...]:
    """Of each class, right and wrong answers; nothing where no time is known."""
    seconds = trials.frame["seconds"].to_numpy(float)
    kinds = np.full(len(seconds), "all") if choice else trials.frame["class"].to_numpy(dtype=str)
    found = []
    for kind in dict.fromkeys(kinds):
        for right in (True, False):
            own = seconds[(kinds == kind) & (trials.right == right) & np.isfinite(seconds)]
            if len(own):
                quarter, median, most = np.quantile(own, [0.25, 0.5, 0.75])
                found.append(Time(str(kind), right, float(median), float(quarter), float(most), len(own)))
    return tuple(found)
