"""Participants of a crossed probit model who answer a study's very design: for power, and for made-up answers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.study.design.file import Study

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Design(NamedTuple):
    """How many items there are of signal and of noise, and how many of each a participant sees."""

    signals: int
    noises: int
    shown_signals: int
    shown_noises: int

    @property
    def items(self) -> int:
        """All items."""
        return self.signals + self.noises

    @property
    def trials(self) -> int:
        """Trials of one participant."""
        return self.shown_signals + self.shown_noises


ITEM_SD, PERSON_SD = 0.58, 0.3  # where people differ by 0.3, items that differ by 0.58 make guessing people agree by:
SOURCE_KAPPA = 0.15  # Zanca et al. (2020), see plan.items_of_kappa


class Crowd(NamedTuple):
    """How people answer, in units of the noise of one answer (see stats.crossed_effects)."""

    dprime: float = 0.2
    criterion: float = 0.0
    bias: float = PERSON_SD  # sd over people
    skill: float = 0.0  # sd over people
    items: float = ITEM_SD  # sd over items


def design_of(study: Study) -> Design:
    """The design of a study file: signal against the classes that it is told from; controls are not counted."""
    judged = [item for item in study.items if item.use == "trial"]
    if study.trial == "two_alternative":
        many = len({item.group or item.id for item in judged})
        return Design(many, 0, min(study.trials.count, many), 0)
    signal = study.signal or study.classes[0]
    noises = study.noises or [name for name in study.classes if name != signal]
    signals, others = (sum(item.kind in kinds for item in judged) for kinds in ((signal,), noises))
    return Design(signals, others, study.per_class.get(signal, 0), sum(study.per_class.get(one, 0) for one in noises))


def assign(design: Design, people: int, rng: np.random.Generator) -> Ints:
    """Which items each participant sees, people × trials: the least seen of each class, ties at random."""
    seen = np.zeros(design.items)
    found = np.empty((people, design.trials), np.int64)
    parts = ((0, design.signals, design.shown_signals), (design.signals, design.items, design.shown_noises))
    for who in range(people):
        chosen = []
        for start, end, many in parts:
            order = np.argsort(seen[start:end] + rng.random(end - start), kind="stable")
            chosen.append(start + order[:many])
        found[who] = np.concatenate(chosen)
        seen[found[who]] += 1
    return found


def say(design: Design, crowd: Crowd, assigned: Ints, *, runs: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """What everybody answers, runs × people × trials: True is signal. People and items are drawn anew in each run."""
    people = len(assigned)
    sign = np.where(np.arange(design.items) < design.signals, 0.5, -0.5)
    bias, skill = (rng.normal(0, sd, (runs, people, 1)) for sd in (crowd.bias, crowd.skill))
    of_items = rng.normal(0, crowd.items, (runs, design.items)) - crowd.criterion
    latent = (of_items + sign * crowd.dprime)[:, assigned]
    latent += bias + sign[assigned] * skill
    return np.asarray(latent > rng.standard_normal(latent.shape, dtype=np.float32))  # single: twice as fast


def choose(crowd: Crowd, assigned: Ints, pairs: int, *, runs: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Choices between two, runs × people × trials: True is right. d′/√2 on average; pairs and people differ."""
    skill = rng.normal(0, crowd.skill / np.sqrt(2), (runs, len(assigned), 1))
    of_pairs = rng.normal(0, crowd.items, (runs, pairs))
    latent = of_pairs[:, assigned] + skill + crowd.dprime / np.sqrt(2)
    return np.asarray(latent > rng.standard_normal(latent.shape, dtype=np.float32))
