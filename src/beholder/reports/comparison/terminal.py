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

SHORT = "Difference: paired, with its 95 % interval. p: sign-flip test, corrected by Holm. -v shows more."


def terminal(compared: Sequence[Compared]) -> str:
    """The answer first, then the numbers, the units where the two differ most, and caveats."""
    return printed(compared)


def printed(compared: Sequence[Compared], *, brief: bool = False) -> str:
    """All of it, or of each benchmark one screen."""
    console = plain()
    with console.capture() as shown:
        for one in compared:
            _benchmark(console, one, brief)
    return shown.get().rstrip("\n")


def _benchmark(console: Console, one: Compared, brief: bool) -> None:
    from rich.text import Text

    console.rule(Text(_view.title(one)))
    console.print(one.found.says, style="bold")
    for note in one.found.notes:
        console.print(note, style="yellow")
    console.print()
    for table in _view.tables(one)[: 1 if brief else None]:
        texts = [table.header, *(row.texts for row in table.rows)]
        header, *cells = map(_narrow, texts) if brief else texts
        lines = [Line(own, "bold" if row.sure else "") for own, row in zip(cells, table.rows, strict=True)]
        _titled(console, f"On {table.dataset}" if table.dataset else "", header, lines)
    if len(one.found.table):
        console.print(SHORT if brief else _view.legend(one), style="dim")
    _most(console, one, 1 if brief else None)
    console.print()


def _narrow(texts: Sequence[str]) -> list[str]:
    """What one screen has of a row: the measure, the two models, their difference, and p in few letters."""
    return [*texts[:4], texts[6].removesuffix(" (Holm)").replace(" ", "")]


def _most(console: Console, one: Compared, most: int | None) -> None:
    """One line per measure: where each of the two is furthest ahead, on `most` units."""
    names = (one.found.a, one.found.b)
    lines = [
        Line([measure, *("\n".join(_ahead(own, name)[:most]) for name in names)])
        for measure, own in _view.by_measure(_view.extremes(one)).items()
    ]
    if lines:
        console.print()
        _titled(console, _view.MOST, ["measure", *(f"in favour of {name}" for name in names)], lines)


def _ahead(extremes: Sequence[_view.Extreme], name: str) -> list[str]:
    return [f"{one.unit} ({one.difference})" for one in extremes if one.ahead == name]


def _titled(console: Console, title: str, header: Sequence[str], lines: Sequence[Line]) -> None:
    for at, table in enumerate(tables(header, lines, console.width)):
        if title:
            console.print(f"{title} (continued)" if at else title, style="italic")
        console.print(table)
