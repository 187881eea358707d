"""Participants one by one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from beholder.stats import signal_detection
from beholder.study.analysis.trials import Floats, Trials


class Person(NamedTuple):
    """What one participant answered."""

    session: str
    kind: str
    answers: int
    accuracy: float
    dprime: float  # log-linear rule
    criterion: float
    seconds: float  # median time to answer


def people(trials: Trials) -> tuple[Person, ...]:
    """Every participant, in the order of their names."""
    many = len(trials.people)

    def count(values: Floats) -> Floats:
        return np.asarray(np.bincount(trials.person, values, minlength=many), float)

    signal = trials.signal.astype(float)
    found = signal_detection.detection(
        count(trials.said * signal), count(signal), count(trials.said * (1 - signal)), count(1 - signal)
    )
    answers = count(np.ones(len(trials.person)))
    accuracy = count(trials.right) / answers
    own = trials.frame.groupby("session")
    seconds, kinds = own["seconds"].median(), own["person"].first()
    return tuple(
        Person(name, str(kinds[name]), int(answers[at]), float(accuracy[at]), float(found.dprime[at]),
               float(found.criterion[at]), float(seconds[name]))
        for at, name in enumerate(trials.people)
    )  # fmt: skip
