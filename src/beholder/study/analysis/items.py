"""Items one by one: which look human, and which fool people."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from beholder.stats.false_discovery import benjamini_hochberg, binomial_above
from beholder.stats.proportion import wilson
from beholder.study.analysis.trials import Trials

LEVEL = 0.05
ENOUGH = 5  # answers: of fewer, an exact test at 5 % finds nothing even where all are wrong (0.5⁴ > 0.05)


class ItemShare(NamedTuple):
    """How often one item was called signal: of a human, its human-likeness."""

    item: str
    kind: str  # its class
    group: str
    system: str
    stimulus: str
    held: int
    of: int
    share: float
    lo: float  # Wilson's interval
    hi: float
    signal: bool
    p: float  # that so many or more are wrong by a coin: exact binomial test, one-sided; NaN of fewer than 5 answers
    q: float  # p corrected for the number of items tested (Benjamini–Hochberg)

    @property
    def enough(self) -> bool:
        """Whether there are answers enough for a test."""
        return self.of >= ENOUGH

    @property
    def fools(self) -> bool:
        """Whether most people are wrong about it, at a false discovery rate of 5 % over all items."""
        return self.q < LEVEL

    @property
    def told(self) -> str:
        """What can be said of it."""
        return "fools people" if self.fools else "" if self.enough else "too few answers to tell"


def item_shares(trials: Trials) -> tuple[ItemShare, ...]:
    """Every item that was judged, the most human-like first."""
    held = np.bincount(trials.item, trials.said, minlength=len(trials.items))
    many = np.bincount(trials.item, minlength=len(trials.items))
    first = trials.frame.drop_duplicates("thing").set_index("thing")
    classes = trials.classes
    p = np.where(many >= ENOUGH, binomial_above(np.where(classes, many - held, held), many), np.nan)
    q = np.full(len(p), np.nan)
    q[many >= ENOUGH] = benjamini_hochberg(p[many >= ENOUGH])
    rows = [
        ItemShare(
            name,
            str(first.loc[name, "class"]),
            str(first.loc[name, "group"]),
            str(first.loc[name, "system"]),
            str(first.loc[name, "stimulus"]),
            int(held[at]),
            int(many[at]),
            float(held[at] / many[at]),
            *wilson(int(held[at]), int(many[at])),
            bool(classes[at]),
            float(p[at]),
            float(q[at]),
        )
        for at, name in enumerate(trials.items)
    ]
    return tuple(sorted(rows, key=lambda row: (-row.share, -row.of, row.item)))
