"""Who is best by one number, and who cannot be told from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beholder.core.verdict import Verdict
from beholder.errors import listed
from beholder.stats import bootstrap
from beholder.verdicts.components import Components
from beholder.verdicts.wording import scope, with_interval

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]


def judge_by_number(method: str, found: Components, standing: pd.DataFrame, losses: Floats, drawn: Floats) -> Verdict:
    """The verdict of a judge that gives each model one number: it stands, with its interval, in the first columns.

    `losses` is that number signed so that less is better, `drawn` its bootstrap distribution, draws × models, from
    the same resampled units for all; without draws nothing is said on who cannot be told from the best.
    """
    leads = np.isclose(losses, losses.min(), rtol=1e-12, atol=0.0)  # equal up to rounding error is equal
    best = [str(name) for name in standing.index[leads]]
    unsure = [str(name) for name in standing.index[undecided(drawn, leads)]]
    number = with_interval(*(float(x) for x in standing.iloc[int(np.argmax(leads)), :3]))
    finding = f"{_lead(method, best, len(standing))} {number}, on {scope(found)}"
    if unsure:
        finding += f"; not to be told from {best[0]} (the interval of the paired difference holds 0): {listed(unsure)}"
    table = standing.iloc[np.argsort(losses, kind="stable")]
    return Verdict(method, tuple(best), table, finding, left_out=found.left_out, notes=found.notes)


def _lead(method: str, best: Sequence[str], models: int) -> str:
    if models == 1:
        return f"{best[0]} is the only model judged, so there is nothing to compare; its {method} is"
    return f"{listed(best)} {'has' if len(best) == 1 else 'share'} the best {method} of {models} models,"


def undecided(drawn: Floats, leads: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Who cannot be told from the first leader: the interval of the paired difference of losses holds 0.

    >>> drawn = np.array([[0.0, 1.0, 1.0], [0.0, -1.0, 2.0]])
    >>> undecided(drawn, np.array([True, False, False]))
    array([False,  True, False])
    """
    with np.errstate(invalid="ignore"):  # infinite losses differ by nothing that is known
        lo, _ = bootstrap.interval(drawn - drawn[:, [int(np.argmax(leads))]])
    return np.asarray((lo <= 0) & ~leads)
