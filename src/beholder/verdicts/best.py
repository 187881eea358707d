"""Who is best by one number, and who is not significantly worse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beholder.core.verdict import Verdict
from beholder.stats import best_set
from beholder.verdicts.components import Components
from beholder.verdicts.wording import Lead, best_of, scope, too_few, with_interval

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]


def judge_by_number(method: str, found: Components, standing: pd.DataFrame, losses: Floats, units: Floats) -> Verdict:
    """The verdict of a judge that gives each model one number: it stands, with its interval, in the first columns.

    `losses` is that number signed so that less is better; `units` the same of each unit, units × models, whose mean it
    is, or no rows where it was measured once and nothing can be tested. The best are those with the least loss; `tied`
    are the others of the set that holds every truly best model with 95 % (`stats.best_set`).
    """
    lead = leaders(losses, units, standing.index)
    number = with_interval(*(float(x) for x in standing.iloc[int(np.argmin(losses)), :3]))
    finding = best_of(method, lead, number, scope(found))
    table = standing.iloc[np.argsort(losses, kind="stable")]
    return Verdict(method, lead.best, table, finding, "", found.left_out, found.notes, lead.tied, lead.untested)


def leaders(losses: Floats, units: Floats, names: pd.Index) -> Lead:
    """The models with the least loss, and those that are not significantly worse, best first.

    Below six units nothing can be tested: nobody is said to be tied.
    """
    leads = np.isclose(losses, losses.min(), rtol=1e-12, atol=0.0)  # equal up to rounding error is equal
    tested = len(units) >= best_set.LEAST
    within = best_set.best_set(units).within if tested else np.zeros(len(losses), dtype=bool)
    order = np.argsort(losses, kind="stable")
    best = [str(name) for name in names[leads]]
    tied = [str(names[at]) for at in order if within[at] and not leads[at]]
    return Lead(tuple(best), tuple(tied), len(losses), "" if tested else too_few(len(units)))


def over_strata(units: Floats, strata: Sequence[int] | NDArray[np.int64]) -> Floats:
    """Units × models whose plain mean is the sum of the strata's means: each unit weighs by its stratum's size.

    >>> over_strata(np.array([[1.0], [3.0], [4.0]]), [0, 0, 1]).mean(axis=0)  # 2 + 4
    array([6.])
    """
    sizes = np.bincount(np.asarray(strata, dtype=np.int64))[np.asarray(strata, dtype=np.int64)]
    return np.asarray(units * (len(units) / sizes)[:, None])
