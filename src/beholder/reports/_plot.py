"""Where the marks of a dot plot stand: geometry only, the template draws it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from beholder.reports._numbers import NOTHING, decimals, interval, number, ticks
from beholder.reports._view import Cell, Line, Row, Table

STRETCH = 2.0  # blind models may widen an axis so much; beyond, they stand at its edge with their number

LETTER = 7.0  # per cent of the narrowest axis that a letter of a tick's label takes


class Mark(NamedTuple):
    """One row of a panel; x, lo, hi are NaN where there is nothing to draw. `off`: its number, beyond the axis."""

    label: str
    role: str
    best: bool
    left_out: bool
    x: float
    lo: float
    hi: float
    off: str
    value: float
    text: str  # the number alone
    about: str  # its interval, and on how many scores it rests
    tip: str


class Panel(NamedTuple):
    """One measure × criterion over all rows; places are per cent of the axis."""

    name: str
    criterion: str
    axis: str
    arrow: str
    marks: tuple[Mark | None, ...]  # one for each row of the table; None where it has no line
    ticks: tuple[tuple[float, str], ...]
    ceiling: tuple[float, float, float] | None  # x of lo, value, hi
    blind: float | None  # x of the best blind model
    person: float | None  # x of what a person expects
    tells: str  # the same in words

    @property
    def edges(self) -> tuple[tuple[float, str], ...]:
        """The first and the last tick; one where two labels would meet in a narrow column."""
        if len(self.ticks) < 2:
            return self.ticks
        first, last = self.ticks[0], self.ticks[-1]
        return (first, last) if last[0] - first[0] > LETTER * (len(first[1]) + len(last[1])) / 2 else (last,)


def panels(table: Table, *, stretch: float = STRETCH) -> list[Panel]:
    """A dot plot for each cell of a table."""
    return [panel(table, at, stretch=stretch) for at in range(len(table.cells))]


def panel(table: Table, at: int, *, stretch: float = STRETCH) -> Panel:
    """One dot plot: rows in the table's order on a common axis, which blind models may widen up to `stretch` times."""
    cell, column, digits = table.cells[at], table.column(at), table.digits(at)
    axis = Axis(*extent(cell, column, stretch))
    marks = tuple(_mark(row, row.lines[at], axis, digits.get((row.model, row.role), 0)) for row in table.rows)
    drawn = [mark for mark in marks if mark]
    return Panel(
        name=cell.name,
        criterion=cell.criterion,
        axis=_axis_title(cell),
        arrow=cell.arrow,
        marks=marks,
        ticks=axis.ticks,
        ceiling=_ceiling(drawn),
        blind=_best_blind(drawn, cell),
        person=None if math.isnan(cell.person) else axis.at(cell.person),
        tells="; ".join([*(mark.tip for mark in drawn), *_expected(cell)]),
    )


class Axis(NamedTuple):
    """From values to positions along a panel."""

    least: float
    most: float

    def at(self, value: float) -> float:
        """The position of a value in per cent; NaN where it has none.

        >>> Axis(0, 10).at(2.5)
        25.0
        """
        if not math.isfinite(value):
            return math.nan
        return 100 * (value - self.least) / (self.most - self.least)

    def beyond(self, value: float, text: str) -> str:
        """The text with an arrow for a value outside of the axis; nothing for one inside.

        >>> Axis(0, 10).beyond(72, "72.0"), Axis(0, 10).beyond(7, "7.0")
        ('72.0 →', '')
        """
        if self.least <= value <= self.most or math.isnan(value):
            return ""
        return f"{text} →" if value > self.most else f"← {text}"

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """Positions and labels of round numbers, two at the least; no label stands twice.

        >>> [text for _, text in Axis(-0.3, 0.45).ticks]
        ['-0.2', '0.0', '0.2', '0.4']
        """
        few = ticks(self.least, self.most, about=3)
        found = few if len(few) > 1 else ticks(self.least, self.most)
        digits = decimals([], [10 * (b - a) for a, b in pairwise(found)])
        labels = {number(value, digits): self.at(value) for value in reversed(found)}
        return tuple((at, text) for text, at in reversed(labels.items()))


def extent(cell: Cell, column: Sequence[tuple[Row, Line]], stretch: float = STRETCH) -> tuple[float, float]:
    """The range of an axis: values and intervals with a little air, within the measure's bounds.

    Blind models far from everybody else would press the others together: they do not count then.

    >>> row, line = Row("a", "model", True, "", ()), Line(2.0, 1.0, 3.0, 9, 9, 0, 0, 0, "")
    >>> far = row._replace(role="blind"), Line(90.0, 89.0, 91.0, 9, 9, 0, 0, 0, "")
    >>> extent(Cell("bad", "", "all", "", "lower", bounds=(1, 100)), [(row, line), far])
    (1, 3.1)
    """
    whole = _span([line for _, line in column]) or (0.0, 1.0)
    core = _span([line for row, line in column if row.role != "blind"]) or whole
    least, most = whole if whole[1] - whole[0] <= stretch * (core[1] - core[0]) else core
    if least == most:
        least, most = whole
    if not math.isnan(cell.person):
        least, most = min(least, cell.person), max(most, cell.person)
    air = 0.05 * (most - least) or 0.5 * abs(most) or 0.5
    return max(least - air, min(cell.bounds[0], least)), min(most + air, max(cell.bounds[1], most))


def _span(lines: Sequence[Line]) -> tuple[float, float] | None:
    found = [v for line in lines for v in (line.value, line.lo, line.hi) if math.isfinite(v)]
    return (min(found), max(found)) if found else None


def _mark(row: Row, line: Line | None, axis: Axis, digits: int) -> Mark | None:
    if line is None:
        return None
    held = line.held > 0
    x, lo, hi = (axis.at(v) if held else math.nan for v in (line.value, line.lo, line.hi))
    text = line.text(digits) if held else f"no value, {line.counts} held"
    own = number(line.value, digits) if held else NOTHING
    off = axis.beyond(line.value, own) if held else ""
    spread = f"{interval(line.lo, line.hi, digits)} " if held and not math.isnan(line.lo) else ""
    lo, hi = (min(max(end, 0.0), 100.0) for end in (lo, hi))
    about, tip = f"{spread}n {line.counts}", f"{row.label}: {text}"
    return Mark(row.marked, row.role, row.best, bool(row.left_out), x, lo, hi, off, line.value, own, about, tip)


def _axis_title(cell: Cell) -> str:
    unit = f"[{cell.unit}]" if cell.unit else ""
    before, after = {"↓": ("← lower is better ", ""), "↑": ("", " higher is better →"), "": ("", "")}[cell.arrow]
    return f"{before}{unit}{after}".strip()


def _expected(cell: Cell) -> list[str]:
    return [] if math.isnan(cell.person) else [f"a typical person scores {cell.person:.3f}"]


def _ceiling(marks: Sequence[Mark]) -> tuple[float, float, float] | None:
    """Where people stand; a line without a band where there is no interval."""
    found = [m for m in marks if m.role == "ceiling" and not math.isnan(m.x)]
    if not found:
        return None
    one = found[0]
    return (one.x, one.x, one.x) if math.isnan(one.lo) or math.isnan(one.hi) else (one.lo, one.x, one.hi)


def _best_blind(marks: Sequence[Mark], cell: Cell) -> float | None:
    """Where the best blind model stands, if it is within the axis and there is a better and a worse."""
    blind = [m for m in marks if m.role == "blind" and not math.isnan(m.x)]
    if not blind or not cell.arrow:
        return None
    best = max(blind, key=lambda m: m.x) if cell.better == "higher" else min(blind, key=lambda m: m.x)
    return None if best.off else best.x
