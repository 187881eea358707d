"""Where the marks of a dot plot stand: geometry only, the template draws it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from beholder.core.scores import JUDGED
from beholder.reports._numbers import decimals, number, ticks
from beholder.reports._view import Cell, Line, Row, Table

WIDTH = 390.0  # user units of the drawing; the page scales it
ROW = 24.0
TOP = 10.0
FOOT = 46.0  # tick labels and the axis title
RIGHT = 16.0
LETTER = 9.2  # width of a letter in bold at the drawing's font size, on the wide side: names must not be cut off
LONGEST = 24  # letters of a name before it is cut: a model with two or three settings; the plot keeps a third
STRETCH = 2.0  # blind models may widen an axis so much; beyond, they stand at its edge with their number


class Mark(NamedTuple):
    """One row of a panel; x, lo, hi are NaN where there is nothing to draw. `off`: its number, beyond the axis."""

    y: float
    label: str
    role: str
    best: bool
    left_out: bool
    x: float
    lo: float
    hi: float
    off: str
    tip: str


class Panel(NamedTuple):
    """One measure × criterion over all rows."""

    title: str
    axis: str
    width: float
    height: float
    left: float
    right: float
    foot: float
    marks: tuple[Mark, ...]
    rules: tuple[float, ...]  # y of lines between groups of roles
    ticks: tuple[tuple[float, str], ...]
    ceiling: tuple[float, float, float] | None  # x of lo, value, hi
    blind: float | None  # x of the best blind model
    person: float | None  # x of what a person expects
    tells: str  # the same in words


def panels(table: Table, *, stretch: float = STRETCH) -> list[Panel]:
    """A dot plot for each cell of a table."""
    return [panel(table, at, stretch=stretch) for at in range(len(table.cells))]


def panel(table: Table, at: int, *, stretch: float = STRETCH) -> Panel:
    """One dot plot: rows in the table's order on a common axis, which blind models may widen up to `stretch` times."""
    cell, column, digits = table.cells[at], table.column(at), table.digits(at)
    left = 14 + LETTER * max((len(cut(row.marked)) for row, _ in column), default=0)
    foot = TOP + ROW * len(column)
    axis = Axis(*extent(cell, column, stretch), left, WIDTH - RIGHT)
    marks = tuple(
        _mark(row, line, axis, y=TOP + ROW * (n + 0.5), digits=digits) for n, (row, line) in enumerate(column)
    )
    roles = [JUDGED if row.judged else row.role for row, _ in column]
    return Panel(
        title=f"{cell.name} · {cell.criterion}",
        axis=_axis_title(cell),
        width=WIDTH,
        height=foot + FOOT,
        left=left,
        right=WIDTH - RIGHT,
        foot=foot,
        marks=marks,
        rules=tuple(TOP + ROW * n for n in range(1, len(roles)) if roles[n] != roles[n - 1]),
        ticks=axis.ticks,
        ceiling=_ceiling(marks),
        blind=_best_blind(marks, cell),
        person=None if math.isnan(cell.person) else axis.at(cell.person),
        tells="; ".join([*(mark.tip for mark in marks), *_expected(cell)]),
    )


class Axis(NamedTuple):
    """From values to positions along a panel."""

    least: float
    most: float
    left: float
    right: float

    def at(self, value: float) -> float:
        """The position of a value; NaN where it has none.

        >>> Axis(0, 10, 100, 200).at(2.5)
        125.0
        """
        if not math.isfinite(value):
            return math.nan
        return self.left + (self.right - self.left) * (value - self.least) / (self.most - self.least)

    def beyond(self, value: float, text: str) -> str:
        """The text with an arrow for a value outside of the axis; nothing for one inside.

        >>> Axis(0, 10, 100, 200).beyond(72, "72.0"), Axis(0, 10, 100, 200).beyond(7, "7.0")
        ('72.0 →', '')
        """
        if self.least <= value <= self.most or math.isnan(value):
            return ""
        return f"{text} →" if value > self.most else f"← {text}"

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """Positions and labels of round numbers."""
        found = ticks(self.least, self.most)
        digits = decimals([], [10 * (b - a) for a, b in pairwise(found)])
        return tuple((self.at(value), number(value, digits)) for value in found)


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


def cut(name: str) -> str:
    """A name short enough to stand beside the plot; what is cut is its middle, as settings differ at the end.

    >>> cut("sgbm(block=1,p1=8,p2=32)"), cut("sgbm(block=1,p1=16,p2=32)")
    ('sgbm(block=1,p1=8,p2=32)', 'sgbm(block=1…1=16,p2=32)')
    """
    half = LONGEST // 2
    return name if len(name) <= LONGEST else f"{name[:half]}…{name[half + 1 - LONGEST :]}"


def _mark(row: Row, line: Line, axis: Axis, *, y: float, digits: int) -> Mark:
    held = line.held > 0
    x, lo, hi = (axis.at(v) if held else math.nan for v in (line.value, line.lo, line.hi))
    text = line.text(digits) if held else f"no value, {line.counts} held"
    off = axis.beyond(line.value, number(line.value, digits)) if held else ""
    tip = f"{row.label}: {text}"
    lo, hi = (min(max(end, axis.left), axis.right) for end in (lo, hi))
    return Mark(y, cut(row.marked), row.role, row.best, bool(row.left_out), x, lo, hi, off, tip)


def _axis_title(cell: Cell) -> str:
    unit = f"[{cell.unit}]" if cell.unit else ""
    before, after = {"↓": ("← lower is better ", ""), "↑": ("", " higher is better →"), "": ("", "")}[cell.arrow]
    return f"{before}{unit}{after}".strip()


def _expected(cell: Cell) -> list[str]:
    return [] if math.isnan(cell.person) else [f"a typical person scores {cell.person:.3f}"]


def _ceiling(marks: tuple[Mark, ...]) -> tuple[float, float, float] | None:
    """Where people stand; a line without a band where there is no interval."""
    found = [m for m in marks if m.role == "ceiling" and not math.isnan(m.x)]
    if not found:
        return None
    one = found[0]
    return (one.x, one.x, one.x) if math.isnan(one.lo) or math.isnan(one.hi) else (one.lo, one.x, one.hi)


def _best_blind(marks: tuple[Mark, ...], cell: Cell) -> float | None:
    """Where the best blind model stands, if it is within the axis and there is a better and a worse."""
    blind = [m for m in marks if m.role == "blind" and not math.isnan(m.x)]
    if not blind or not cell.arrow:
        return None
    best = max(blind, key=lambda m: m.x) if cell.better == "higher" else min(blind, key=lambda m: m.x)
    return None if best.off else best.x
