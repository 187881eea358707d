"""Models against the best blind model on each measure: who beats it, who is ahead but not significantly, who loses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import label
from beholder.core.scores import CELL, JUDGED
from beholder.core.verdict import Note
from beholder.errors import listed
from beholder.verdicts.gains import CellKey, Difference, Gains, by_cell

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ["model", *CELL, "blind", "gain", "lo", "hi", "units", "outcome"]
SURE = ("worse", "behind", "equal", "hardly", "better")  # outcomes, from the clearest defeat to the clearest win
LOST = SURE[:3]  # those that are not ahead
Ints = NDArray[np.int64]
Right = Mapping[str, Sequence[str]]  # blind model → measures and criteria on which it is right by construction


def against_blind(scores: pd.DataFrame, right: Right | None = None) -> pd.DataFrame:
    """Each model beside the blind models, measure by measure; the columns are COLUMNS.

    A model beats the blind models where it beats each of them: `blind` is the one that it beats least surely, `gain`
    the paired difference to it over the units that both hold, more being better, with its interval. `outcome`: "better"
    where the difference is significant, corrected for the number of models (Bonferroni), so that the leader, who is
    picked after the fact, has no more than a 5 % chance to be said to beat a blind model that is as good; "hardly"
    where only the mean is ahead; "equal" where nothing but rounding differs; "behind" and "worse" likewise on the other
    side. A blind model that is `right` by construction on a measure or criterion is no yardstick there, and neither is
    one that lacks units which the model and another blind model hold.
    """
    import pandas as pd

    rows = []
    for cell, gains in by_cell(scores):
        yardsticks = np.flatnonzero((gains.roles == "blind") & ~exempt(gains, cell, right or {}))
        models = np.flatnonzero(np.isin(gains.roles, JUDGED))
        level = 1 - 0.05 / max(len(models), 1)
        for at in map(int, models):
            found = [(blind, gains.lead(at, blind, level)) for blind in _sharing(gains, at, yardsticks)]
            if found:
                blind, least = min(found, key=lambda one: _sureness(one[1]))
                shown = gains.lead(at, blind)
                rows.append((str(gains.names[at]), *cell, str(gains.names[blind]), *shown, outcome(least)))
    return pd.DataFrame(rows, columns=COLUMNS)


def _sharing(gains: Gains, model: int, yardsticks: Ints) -> list[int]:
    """The blind models that share most units with a model."""
    held = ~np.isnan(gains.units)
    shared = (held[:, yardsticks] & held[:, [model]]).sum(axis=0)
    return [int(at) for at in yardsticks[shared == shared.max(initial=1)]]


def _sureness(lead: Difference) -> tuple[int, float]:
    """What orders differences from the clearest defeat to the clearest win."""
    end = lead.lo if lead.mean > 0 else lead.hi
    return list(SURE).index(outcome(lead)), lead.mean if np.isnan(end) else end


def exempt(gains: Gains, cell: CellKey, right: Right) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which columns are of blind models that are right by construction on a measure × criterion."""
    named = {cell[0], label(*cell[:2]), cell[2]}
    return np.array([bool(named & set(right.get(str(name), ()))) for name in gains.names], dtype=bool)


def outcome(lead: Difference) -> str:
    """What a paired difference says, in a word.

    >>> [outcome(Difference(mean, lo, hi, 9)) for mean, lo, hi in ((2, 1, 3), (2, -1, 3), (0, 0, 0), (-2, -3, 1))]
    ['better', 'hardly', 'equal', 'behind']
    """
    if lead.mean == 0:
        return "equal"
    if lead.mean < 0:
        return "worse" if lead.hi < 0 else "behind"
    return "better" if lead.lo > 0 else "hardly"


def note_blind(table: pd.DataFrame) -> list[Note]:
    """One sentence on the models that lose to a blind one somewhere; the table has the rest."""
    lost = [str(model) for model in table.loc[table["outcome"].isin(LOST), "model"].unique()]
    models = table["model"].nunique()
    if not lost:
        return []
    whom = f"all {models} models" if len(lost) == models > 1 else listed(lost)
    text = f"no better than a blind model on at least one measure: {whom}"
    return [Note("blind", text, numbers={"models": models, "lost": len(lost)})]
