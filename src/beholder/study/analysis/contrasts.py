"""Who does better, and when: kinds of participants against each other, the second half of a session against the first.

Differences are of pooled answers: of all answers of a kind, or of a half, whoever gave them.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np

from beholder.stats import signal_detection, two_way
from beholder.study.analysis.table2 import named
from beholder.study.analysis.trials import Bools, Contrast, Estimate, Floats, Ints, Trials, ratio

QUARTERS = 4
MOST = 3  # kinds of participants that are compared two by two


class Stretch(NamedTuple):
    """A part of the session, and how right people are in it."""

    trials: str  # such as 1–5
    accuracy: Estimate
    answers: int


def kinds_apart(trials: Trials, kinds: list[str], *, choice: bool) -> tuple[Contrast, ...]:
    """Every two kinds of participants: the difference of accuracy, and that of d′."""
    known = [kind for kind in kinds if kind]
    found = []
    for one, other in combinations(known if len(known) <= MOST else [], 2):
        kind = trials.frame["person"].to_numpy(dtype=str)
        mask = np.isin(kind, [one, other])
        part = trials.of(mask)
        mine = kind[mask] == one
        what = f"{named(one)} − {named(other)}"
        of_people = np.zeros(len(part.people), np.int64)
        of_people[part.person] = mine
        found += _apart(part, what, mine, choice=choice, kinds=of_people)
    return tuple(found)


def halves_apart(trials: Trials, *, choice: bool) -> tuple[Contrast, ...]:
    """The second half of every session less the first: what people learn, or how they tire."""
    rank, many = places(trials)
    if not len(rank):
        return ()
    part = trials.of(many > 1)
    second = (rank >= many / 2)[many > 1]
    return tuple(_apart(part, "second half − first half", second, choice=choice)) if len(second) else ()


def stretches(trials: Trials) -> tuple[Stretch, ...]:
    """The share of right answers in each quarter of the session."""
    rank, many = places(trials)
    if not len(rank) or many.max() < QUARTERS:
        return ()
    ends = np.linspace(0, many.max(), QUARTERS + 1).round().astype(int)
    found = []
    for first, end in pairwise(ends):
        part = trials.of((rank >= first) & (rank < end))
        found.append(Stretch(f"{first + 1}–{end}", part.share(partial(_pooled, part)), len(part.person)))
    return tuple(found)


def _pooled(trials: Trials, of: two_way.Draws) -> Floats:
    """The share of all answers that are right."""
    held, many = of.sums(np.stack([trials.right, np.ones(len(trials.person))], axis=1)).T
    return ratio(held, many)


def places(trials: Trials) -> tuple[Ints, Ints]:
    """The place of each answer among its participant's own, from 0, and how many these are; nothing if unknown."""
    nothing = np.zeros(0, np.int64)
    position = trials.frame["position"].to_numpy(float)
    if not len(position) or np.isnan(position).any():
        return nothing, nothing
    own = trials.frame.groupby("session")["position"]
    rank = own.rank(method="first").to_numpy(float).astype(np.int64) - 1
    return rank, own.transform("size").to_numpy(np.int64)


def _apart(trials: Trials, what: str, mine: Bools, *, choice: bool, kinds: Ints | None = None) -> list[Contrast]:
    """Accuracy and d′ of some answers less those of the others."""

    def accuracy(of: two_way.Draws) -> Floats:
        columns = np.stack([trials.right * mine, mine, trials.right * ~mine, ~mine], axis=1)
        held, many, others, rest = of.sums(columns).T
        return ratio(held, many) - ratio(others, rest)

    def dprime(of: two_way.Draws) -> Floats:
        signal = trials.signal
        parts = []
        for side in (mine, ~mine):
            columns = np.stack([trials.said * signal * side, signal & side, trials.said * ~signal * side,
                                ~signal & side], axis=1)  # fmt: skip
            parts.append(signal_detection.detection(*of.sums(columns).T).dprime)
        return np.asarray(parts[0] - parts[1])

    found = [trials.contrast((what, "accuracy"), accuracy, kinds=kinds)]
    if not choice:
        found.append(trials.contrast((what, "pooled d′"), dprime, kinds=kinds))
    return [one for one in found if not np.isnan(one.difference.value)]
