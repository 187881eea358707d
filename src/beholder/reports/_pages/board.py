"""A board: the score table that is its own dot plot, one row a model, one column a measure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from beholder.reports import _plot
from beholder.reports._pages.names import factored
from beholder.reports._pages.places import OWN
from beholder.reports._view import Row, Table

ACROSS = 6  # measures side by side on a screen of 1280 px
LONG = 30  # judged rows from which some are folded away
KEPT = 20  # of them that stay, from the top; the reader's own and the best always do


class Line(NamedTuple):
    """One model, or person, on the measures of a board."""

    model: str
    shown: str  # its name without settings that have a column
    settings: tuple[str, ...]
    role: str
    own: bool
    best: bool
    folded: bool
    left_out: str
    marks: tuple[_plot.Mark | None, ...]
    counts: str


class Board(NamedTuple):
    """Rows in groups of roles × some measures."""

    settings: tuple[str, ...]
    panels: tuple[_plot.Panel, ...]
    groups: tuple[tuple[Line, ...], ...]
    statuses: tuple[str, ...] = ()  # the worst reference status behind each measure

    @property
    def models(self) -> int:
        """How many rows there are."""
        return sum(map(len, self.groups))

    @property
    def folded(self) -> int:
        """How many of them are folded away."""
        return sum(line.folded for group in self.groups for line in group)


def boards(table: Table, *, stretch: float = _plot.STRETCH) -> list[Board]:
    """A table as one board, or as several with the same rows where there are more measures than fit side by side."""
    panels = _plot.panels(table, stretch=stretch)
    statuses, many = table.statuses(), math.ceil(len(panels) / ACROSS)
    step = math.ceil(len(panels) / many) if many else 1
    return [
        _board(table, panels[at : at + step], statuses[at : at + step]) for at in range(0, len(panels), step)
    ]


def _board(table: Table, panels: Sequence[_plot.Panel], statuses: Sequence[str]) -> Board:
    names = factored(row.model for row in table.rows if row.judged)
    folded = _folded(table.rows)
    groups = tuple(
        tuple(_line(row, names.names, [panel.marks[table.rows.index(row)] for panel in panels], row in folded) for row in rows)
        for rows in table.groups()
    )
    return Board(names.columns, tuple(panels), groups, tuple(statuses))


def _line(row: Row, names: object, marks: Sequence[_plot.Mark | None], folded: bool) -> Line:
    shown, settings = names.get(row.model, (row.model, ()))  # type: ignore[attr-defined]
    mark = " †" if row.tuned else ""
    return Line(
        row.model, f"{shown}{mark}", settings, row.role, row.role == OWN, row.best, folded, row.left_out, tuple(marks), row.counts
    )


def _folded(rows: Sequence[Row]) -> list[Row]:
    """Judged rows that wait in a drawer where there are very many."""
    judged = [row for row in rows if row.judged]
    if len(judged) <= LONG:
        return []
    return [row for at, row in enumerate(judged) if at >= KEPT and row.role != OWN and not row.best]
