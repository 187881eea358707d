"""Gwet's AC1 and AC2: agreement that stays high where one value prevails."""

from __future__ import annotations

from beholder.core.cite import source
from beholder.stats import rater_agreement
from beholder.study.tables import Coefficient, Table, take


@source("Gwet2008,Gwet2014")
def gwet(table: Table, *, weights: rater_agreement.Weights = "nominal") -> Coefficient:
    """Gwet's AC1 (nominal weights) or AC2 (ordinal or quadratic weights).

    For raters who answer at random it is 0 only if all values are used equally often.
    """
    return take(rater_agreement.gwet, table, weights=weights)
