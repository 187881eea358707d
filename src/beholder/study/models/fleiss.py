"""Fleiss' κ: agreement of many raters on categories."""

from __future__ import annotations

from beholder.core.cite import source
from beholder.stats import rater_agreement
from beholder.study.tables import Coefficient, Table, take


@source("Fleiss1971,Gwet2014")
def fleiss(table: Table) -> Coefficient:
    """Fleiss' κ = (P̄ − P̄_e) / (1 − P̄_e), generalised (Gwet 2014) to items with different numbers of ratings."""
    return take(rater_agreement.fleiss, table)
