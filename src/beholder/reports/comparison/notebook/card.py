"""Two models side by side in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from beholder.evaluation.comparisons import Compared
from beholder.reports import _comparison as _view
from beholder.reports._pieces import answer, frame, grid, note

if TYPE_CHECKING:
    from beholder.verdicts.compare import Comparison


def card(of: Comparison) -> str:
    """The answer first, then the numbers, and the units where the two differ most."""
    one = Compared("", 0, of)
    tables = _view.tables(one)
    every = [(x.measure, x.ahead, x.unit, x.a, x.b, x.difference) for x in _view.extremes(one)]
    return frame(
        answer(of.says),
        *(grid(table.header, [row.texts for row in table.rows]) for table in tables[:1]),
        note(_view.legend(one)) if len(of.table) else "",
        *map(note, of.notes),
        grid((_view.MOST, "ahead", "unit", of.a, of.b, "difference"), every) if every else "",
    )
