"""Models against the best blind model on each measure: who beats it, who hardly does, who loses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from beholder.core.measure import label
from beholder.core.scores import CELL, JUDGED
from beholder.core.verdict import Note
from beholder.errors import listed
from beholder.verdicts.gains import CellKey, Difference, Gains, by_cell

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ["model", *CELL, "blind", "gain", "lo", "hi", "units", "outcome"]
Right = Mapping[str, Sequence[str]]  # blind model → measures and criteria on which it is right by construction


def against_blind(scores: pd.DataFrame, right: Right | None = None) -> pd.DataFrame:
    """Each model beside the best blind model, measure by measure; the columns are COLUMNS.

    The best blind model is the one with the best mean; a blind model that is `right` by construction on a measure or
    criterion is no yardstick there. `gain` is the paired difference over the units that both hold, more being better,
    with its interval. `outcome`: "better" where the interval lies above 0, "hardly" where only the mean does, "equal"
    where nothing but rounding differs, else "worse".
    """
    import pandas as pd

    rows = []
    for cell, gains in by_cell(scores):
        blind = gains.best((gains.roles == "blind") & ~_exempt(gains, cell, right or {}))
        if blind is None:
            continue
        for at in map(int, np.flatnonzero(np.isin(gains.roles, JUDGED))):
            lead = gains.lead(at, blind)
            if lead.units:
                rows.append((str(gains.names[at]), *cell, str(gains.names[blind]), *lead, outcome(lead)))
    return pd.DataFrame(rows, columns=COLUMNS)


def _exempt(gains: Gains, cell: CellKey, right: Right) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    named = {cell[0], label(*cell[:2]), cell[2]}
    return np.array([bool(named & set(right.get(str(name), ()))) for name in gains.names], dtype=bool)


def outcome(lead: Difference) -> str:
    """What a paired difference says, in a word.

    >>> [outcome(Difference(mean, lo, 0.5, 9)) for mean, lo in ((0.2, 0.1), (0.2, -0.1), (0.0, 0.0))]
    ['better', 'hardly', 'equal']
    """
    if lead.mean == 0:
        return "equal"
    if lead.mean < 0:
        return "worse"
    return "better" if lead.lo > 0 else "hardly"


def note_blind(table: pd.DataFrame) -> list[Note]:
    """One sentence on the models that lose to a blind one somewhere; the table has the rest."""
    lost = [str(model) for model in table.loc[table["outcome"].isin(["worse", "equal"]), "model"].unique()]
    models = table["model"].nunique()
    if not lost:
        return []
    whom = f"all {models} models" if len(lost) == models > 1 else listed(lost)
    text = f"no better than a blind model on at least one measure: {whom}"
    return [Note("blind", text, numbers={"models": models, "lost": len(lost)})]
