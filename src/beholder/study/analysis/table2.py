"""The table of Zanca et al. (2020): shares of answers, the mean and the standard deviation over participants."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from beholder.stats import two_way
from beholder.study.analysis.trials import Bools, Estimate, Floats, Trials, ratio


class Printed(NamedTuple):
    """What the source prints: the mean over participants, and the standard deviation (NaN where it prints none)."""

    mean: float
    sd: float = float("nan")

    def __str__(self) -> str:
        digits = 2 if round(self.mean, 2) == self.mean else 3  # as printed
        return f"{self.mean:.{digits}f}" + ("" if np.isnan(self.sd) else f" ({self.sd:.{digits}f})")


SOURCE = {  # Zanca et al. (2020), Table 2; the share labelled human is of its text
    "accuracy": Printed(0.53, 0.10),
    "accuracy, expert": Printed(0.55, 0.11),
    "accuracy, naive": Printed(0.50, 0.09),
    "human labelled human": Printed(0.53, 0.17),
    "synthetic labelled human": Printed(0.46, 0.18),
    "labelled human": Printed(0.494, 0.137),
}
KAPPAS = {"all": 0.15, "expert": 0.20, "naive": 0.09, "human items": 0.17, "synthetic items": 0.14}  # Fleiss' κ there


class Share(NamedTuple):
    """A share of answers: of each participant, then the mean."""

    what: str
    mean: Estimate
    sd: float  # over participants
    people: int
    answers: int
    by_chance: float  # the sd that answers by a coin of this mean would have
    own: tuple[float, ...] = ()  # the shares of the participants


def shares(trials: Trials, *, kinds: list[str], signal: str, noise: str) -> tuple[Share, ...]:
    """The rows of the table: accuracy, of everybody and of each kind of participant, and what was called signal."""
    everything = np.ones(len(trials.person), bool)
    rows = [share("accuracy", trials, trials.right, everything)]
    for kind in kinds:
        mask = (trials.frame["person"] == kind).to_numpy(bool)
        if mask.any():
            part = trials.of(mask)
            rows.append(share(f"accuracy, {named(kind)}", part, part.right, np.ones(len(part.person), bool)))
    rows += [
        share(f"{signal} labelled {signal}", trials, trials.said, trials.signal),
        share(f"{noise} labelled {signal}", trials, trials.said, ~trials.signal),
        share(f"labelled {signal}", trials, trials.said, everything),
    ]
    return tuple(row for row in rows if row.answers)


def named(kind: str) -> str:
    """What participants of a kind are called; those of none are the others."""
    return kind or "others"


def share(what: str, trials: Trials, held: Floats, of: Bools) -> Share:
    """The share of some answers that hold, by participant; its interval draws people and items."""
    one = two_way.whole(trials.person, trials.item)
    own = _by_person(one, held * of, of)[0]
    known = own[np.isfinite(own)]
    many = np.bincount(trials.person[of], minlength=len(trials.people))
    mean = float(known.mean()) if len(known) else float("nan")
    found = Estimate(mean)
    if len(known) >= two_way.FEWEST:
        found = trials.share(lambda drawn: _mean(drawn, _by_person(drawn, held * of, of)))
    chance = mean * (1 - mean)
    by_chance = float(np.sqrt(np.mean(chance / many[many > 0]))) if many.any() else float("nan")
    sd = float(known.std(ddof=1)) if len(known) > 1 else float("nan")
    return Share(what, found, sd, len(known), int(of.sum()), by_chance, tuple(known.tolist()))


def _by_person(drawn: two_way.Draws, held: Floats, of: Bools) -> Floats:
    """The share of each person in each draw of items, draws × people."""
    return ratio(drawn.by_person(held), drawn.by_person(of.astype(float)))


def _mean(drawn: two_way.Draws, own: Floats) -> Floats:
    """The mean over the people of each draw who have a share."""
    there = drawn.people * np.isfinite(own)
    return ratio((there * np.nan_to_num(own)).sum(axis=1), there.sum(axis=1))
