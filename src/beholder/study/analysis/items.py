"""Items one by one: which look human, and which fool people."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from beholder.stats.proportion import wilson
from beholder.study.analysis.trials import Trials


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

    @property
    def fools(self) -> bool:
        """Whether most people are wrong about it, beyond 95 %."""
        return self.hi < 0.5 if self.signal else self.lo > 0.5


def item_shares(trials: Trials) -> tuple[ItemShare, ...]:
    """Every item that was judged, the most human-like first."""
    held = np.bincount(trials.item, trials.said, minlength=len(trials.items))
    many = np.bincount(trials.item, minlength=len(trials.items))
    first = trials.frame.drop_duplicates("thing").set_index("thing")
    classes = trials.classes
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
        )
        for at, name in enumerate(trials.items)
    ]
    return tuple(sorted(rows, key=lambda row: (-row.share, -row.of, row.item)))
