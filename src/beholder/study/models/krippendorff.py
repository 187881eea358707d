"""Krippendorff's α: agreement of any number of raters on any scale."""

from __future__ import annotations

from beholder.core.cite import source
from beholder.stats import rater_agreement
from beholder.study.tables import Coefficient, Table, take


@source("Krippendorff2004,Krippendorff2011")
def krippendorff(table: Table, *, level: rater_agreement.Level = "ordinal") -> Coefficient:
    """Krippendorff's α = 1 − D_o / D_e on a nominal, ordinal or interval scale; raters need not rate every item."""
    return take(rater_agreement.krippendorff, table, level=level)
