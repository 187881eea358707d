"""Whether participants agree with one another: Fleiss' κ as the source has it, and what stands beside it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from beholder.stats import rater_agreement, two_way
from beholder.study.analysis.table2 import named
from beholder.study.analysis.trials import Bools, Estimate, Floats, Trials

KAPPA = (
    "Fleiss' κ for unequal numbers of raters (Gwet 2014): P is taken over items with two answers or more, each with "
    "its own number of answers; the shares are means over items"
)


class Agreement(NamedTuple):
    """How far some participants agree on some items."""

    what: str
    kappa: Estimate  # its interval draws people and items
    alpha: float  # Krippendorff, nominal
    ac1: float  # Gwet
    randolph: float
    raw: float  # the share of pairs who agree, chance not taken off
    people: int
    items: int  # with two answers or more
    answers: int
    reason: str = ""  # why it is undefined


def agreements(trials: Trials, *, kinds: list[str], signal: str, noise: str) -> tuple[Agreement, ...]:
    """All, each kind of participant, and the items of each class."""
    everything = np.ones(len(trials.person), bool)
    rows = [agreement("all", trials, everything)]
    rows += [agreement(named(kind), trials, (trials.frame["person"] == kind).to_numpy(bool)) for kind in kinds]
    if not trials.signal.all():
        rows += [
            agreement(f"{signal} items", trials, trials.signal),
            agreement(f"{noise} items", trials, ~trials.signal),
        ]
    return tuple(row for row in rows if row.answers)


def agreement(what: str, trials: Trials, of: Bools) -> Agreement:
    """The coefficients over some of the trials."""
    part = trials.of(of)
    table = ratings(part, part.said)
    many = np.isfinite(table).sum(axis=1)
    shared = int((many >= 2).sum())
    if why := rater_agreement.why_undefined(table) if len(part.person) else "there are no answers":
        nothing = float("nan")
        return Agreement(
            what, Estimate(nothing), nothing, nothing, nothing, nothing,
            len(part.people), shared, len(part.person), why,
        )  # fmt: skip
    kappa = part.estimate(lambda of: two_way.fleiss_draws(of, part.said), pairs=True)
    return Agreement(
        what,
        kappa._replace(lo=max(kappa.lo, -1.0), hi=min(kappa.hi, 1.0)),  # where κ can be; NaN stays
        rater_agreement.krippendorff(table, level="nominal"),
        rater_agreement.gwet(table),
        rater_agreement.randolph(table),
        rater_agreement.raw(table),
        len(part.people),
        shared,
        len(part.person),
    )


def ratings(trials: Trials, values: Floats) -> Floats:
    """Items × people, NaN where somebody did not answer; of an item that somebody saw twice, the first answer."""
    table = np.full((len(trials.items), len(trials.people)), np.nan)
    for item, person, value in zip(trials.item[::-1], trials.person[::-1], values[::-1], strict=True):
        table[item, person] = value
    return table
