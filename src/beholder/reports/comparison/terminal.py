"""Two models side by side, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from beholder.reports import _comparison as _view
from beholder.reports._bands import Line, tables
from beholder.reports.terminal import plain

if TYPE_CHECKING:
    from rich.console import Console

    from beholder.evaluation.comparisons import Compared


def terminal(compared: Sequence[Compared]) -> str:
    """The answer first, then the numbers, the units where the two differ most, and caveats."""
    console = plain()
    with console.capture() as shown:
        for one in compared:
            _benchmark(console, one)
    return shown.get().rstrip("\n")


def _benchmark(console: Console, one: Compared) -> None:
    from rich.text import Text

    console.rule(Text(_view.title(one)))
    console.print(one.found.says, style="bold")
    for note in one.found.notes:
        console.print(note, style="yellow")
    console.print()
    for table in _view.tables(one):
        lines = [Line(row.texts, "bold" if row.sure else "") for row in table.rows]
        _titled(console, f"On {table.dataset}" if table.dataset else "", table.header, lines)
    if len(one.found.table):
        console.print(_view.legend(one), style="dim")
    _most(console, one)
    console.print()


def _most(console: Console, one: Compared) -> None:
    """One line per measure: where each of the two is furthest ahead."""
    names = (one.found.a, one.found.b)
    lines = [
        Line([measure, *("\n".join(f"{x.unit} ({x.difference})" for x in own if x.ahead == name) for name in names)])
        for measure, own in _view.by_measure(_view.extremes(one)).items()
    ]
    if lines:
        console.print()
        _titled(console, _view.MOST, ["measure", *(f"in favour of {name}" for name in names)], lines)


def _titled(console: Console, title: str, header: Sequence[str], lines: Sequence[Line]) -> None:
    for at, table in enumerate(tables(header, lines, console.width)):
        if title:
            console.print(f"{title} (continued)" if at else title, style="italic")
        console.print(table)
