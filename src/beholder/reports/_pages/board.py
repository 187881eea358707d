"""A board: the score table that is its own dot plot, one row a model, one column a measure."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from typing import NamedTuple

from beholder.reports import _plot
from beholder.reports._pages.names import Factored, factored, split_measure
from beholder.reports._pages.places import OWN
from beholder.reports._view import TUNED, Row, Table

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
    heads: tuple[tuple[str, str], ...]  # of each measure: its name, and in what variant or part of the data
    panels: tuple[_plot.Panel, ...]
    groups: tuple[tuple[Line, ...], ...]

    @property
    def models(self) -> int:
        """How many rows there are."""
        return sum(map(len, self.groups))

    @property
    def widest(self) -> int:
        """Letters of its longest number."""
        marks = (mark for group in self.groups for line in group for mark in line.marks if mark)
        return max((len(mark.off or mark.text) for mark in marks), default=1) + 1

    @property
    def folded(self) -> int:
        """How many of them are folded away."""
        return sum(line.folded for group in self.groups for line in group)


def boards(table: Table, *, stretch: float = _plot.STRETCH) -> list[Board]:
    """A table as one board, or as several with the same rows where there are more measures than fit side by side."""
    panels = _plot.panels(table, stretch=stretch)
    many = math.ceil(len(panels) / ACROSS)
    step = math.ceil(len(panels) / many) if many else 1
    heads = [_head(panel, panels) for panel in panels]
    return [_board(table, heads[at : at + step], panels[at : at + step]) for at in range(0, len(panels), step)]


def _head(panel: _plot.Panel, panels: Sequence[_plot.Panel]) -> tuple[str, str]:
    """A measure's name, and below it its settings and criterion; a criterion that all share is left out."""
    name, settings = split_measure(panel.name, [other.name for other in panels])
    shared = len({other.criterion for other in panels}) == 1
    return name, " ".join(filter(None, (settings, "" if shared and panel.criterion == "all" else panel.criterion)))


def _board(table: Table, heads: Sequence[tuple[str, str]], panels: Sequence[_plot.Panel]) -> Board:
    names = factored(row.model for row in table.rows if row.judged)
    folded = {row.model for row in _folded(table.rows)}
    at = {(row.model, row.role): n for n, row in enumerate(table.rows)}
    groups = tuple(
        tuple(_line(row, names, [panel.marks[at[row.model, row.role]] for panel in panels], folded) for row in rows)
        for rows in table.groups()
    )
    return Board(names.columns, tuple(heads), tuple(panels), groups)


def _line(row: Row, names: Factored, marks: Sequence[_plot.Mark | None], folded: Container[str]) -> Line:
    shown, settings = names.names.get(row.model, (row.model, ()))
    return Line(
        row.model,
        f"{shown} {TUNED}" if row.tuned else shown,
        settings if row.judged else (),
        row.role,
        own=row.role == OWN,
        best=row.best,
        folded=row.judged and row.model in folded,
        left_out=row.left_out,
        marks=tuple(marks),
        counts=row.counts,
    )


def _folded(rows: Sequence[Row]) -> list[Row]:
    """Judged rows that wait in a drawer where there are very many."""
    judged = [row for row in rows if row.judged]
    if len(judged) <= LONG:
        return []
    return [row for at, row in enumerate(judged) if at >= KEPT and row.role != OWN and not row.best]
