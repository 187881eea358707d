"""The intraclass correlation: the share of variance that is the items'."""

from __future__ import annotations

import numpy as np

from beholder.core.cite import source
from beholder.stats import rater_agreement
from beholder.study.tables import Coefficient, Table, take


@source("ShroutFleiss1979,Donner1986")
def icc(table: Table, *, form: rater_agreement.Form = "1,1") -> Coefficient:
    """The intraclass correlation of Shrout & Fleiss (1979): forms 1,1, 2,1 and 3,1, or 1,k, 2,k and 3,k.

    Forms with k are of the mean of k raters. One-way forms (1) take any design; two-way forms use the items that all
    raters rated.
    """
    found = take(rater_agreement.icc, table, form=form)
    lacks = form[0] != "1" and np.isfinite(table.values).all(axis=1).sum() < 2
    return found._replace(reason=found.reason or "fewer than two items were rated by all raters") if lacks else found
