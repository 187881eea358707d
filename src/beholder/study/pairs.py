"""Pairs of items that people tell apart, and how often a measure prefers the same one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from beholder.study.ratings import Judged

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DIGITS = 9  # means of the same ratings may differ by rounding


@dataclass(frozen=True)
class Pairs:
    """Pairs of one group, and of different systems where there are several, that people do not rate alike."""

    first: Ints  # places of items
    second: Ints
    right: Floats  # 1 where the measure prefers what people do, ½ where it ties, else 0
    tied_people: int  # pairs that are left out
    tied_measure: int
    grouped: bool  # there are several groups

    def accuracy(self, counts: Floats | None = None) -> Floats:
        """The share of pairs that the measure has right, for each draw; NaN where there are none.

        Groups are drawn whole, so that a pair is there as often as its items; of one group items are drawn, and a pair
        is there for each copy of the one with each of the other.
        """
        if counts is None:
            return np.array([self.right.mean() if len(self.right) else np.nan])
        often = counts[:, self.first] if self.grouped else counts[:, self.first] * counts[:, self.second]
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(often @ self.right / often.sum(axis=1))


def pairs_of(said: Sequence[float], opinions: Sequence[Judged]) -> Pairs:
    """The pairs among items of which both a measure and people say something."""
    numbers, people = np.asarray(said, float), np.array([one.mean for one in opinions], float)
    held = np.flatnonzero(np.isfinite(numbers) & np.isfinite(people))
    systems = np.array([one.system for one in opinions])[held]
    _, group = np.unique(np.array([one.group for one in opinions])[held], return_inverse=True)
    one, other = _within_groups(group)
    if len(set(systems.tolist())) > 1:
        apart = systems[one] != systems[other]
        one, other = one[apart], other[apart]
    first, second = held[one], held[other]
    prefer = np.sign(np.round(people[first] - people[second], DIGITS))
    told = prefer != 0
    first, second = first[told], second[told]
    says = np.sign(numbers[first] - numbers[second])
    right = np.where(says == 0, 0.5, says == prefer[told])
    return Pairs(first, second, right, int((~told).sum()), int((says == 0).sum()), len(np.unique(group)) > 1)


def _within_groups(group: Ints) -> tuple[Ints, Ints]:
    """The two items of every pair within a group; found once for all measures and repeats."""
    return _pairs_within(group.tobytes())


@lru_cache(maxsize=8)
def _pairs_within(groups: bytes) -> tuple[Ints, Ints]:
    group = np.frombuffer(groups, np.intp)
    order = np.argsort(group, kind="stable")
    members = np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
    corners = [np.triu_indices(len(some), 1) for some in members]
    sides = [[some[corner[side]] for some, corner in zip(members, corners, strict=True)] for side in (0, 1)]
    return np.concatenate(sides[0]).astype(np.int64), np.concatenate(sides[1]).astype(np.int64)
