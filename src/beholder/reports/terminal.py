"""The report for a terminal, in tables that fit its width."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from beholder.reports import _facts, _view
from beholder.reports._standing import standing

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from beholder.spine.benchmark import Verdict
    from beholder.spine.chapter import Chapter

CELL = 22  # columns that a number with its interval commonly needs
NAMES = 34  # columns left for names and counts


def terminal(chapters: Sequence[Chapter]) -> str:
    """Verdict first, then standings, numbers with intervals, failures and notes; coloured only on a terminal."""
    from rich.console import Console

    # Names and reasons are anybody's text: no markup, no emoji, no highlighting may be read into them.
    console = Console(markup=False, emoji=False, highlight=False)
    with console.capture() as shown:
        for chapter in chapters:
            _chapter(console, chapter)
        console.print(f"How to cite: {_facts.CITE}", style="dim")
    return shown.get()


def _chapter(console: Console, chapter: Chapter) -> None:
    from rich.text import Text

    console.rule(Text(f"{chapter.benchmark} (version {chapter.version})"))
    console.print(_facts.says(chapter), style="bold")
    console.print()
    for verdict in _facts.verdicts(chapter):
        _verdict(console, verdict, f"Standing by {verdict.method}")
    for verdict in chapter.common:
        console.print(verdict.says)
        _verdict(console, verdict, f"Over the units that every model answered, by {verdict.method}")
    for table in _view.tables(chapter):
        _scores(console, table)
    if not chapter.scores.empty:
        console.print(_view.LEGEND, style="dim")
    _listed(console, "Failures", (f.sentence for f in _facts.failures(chapter)), "red")
    _listed(console, "Notes", _facts.notes(chapter), "yellow")
    _listed(console, "Beds", _facts.beds(chapter), "dim")
    console.print()


def _verdict(console: Console, verdict: Verdict, title: str) -> None:
    """One judge's standing, and whom it left out."""
    found = standing(verdict)
    table = _grid(found.header)
    for row in found.rows:
        table.add_row(*row, style="bold" if row[0] in verdict.best else None)
    _titled(console, title, table)
    _listed(console, "Not judged", (f"{model}: {why}" for model, why in verdict.left_out.items()), "red")


def _scores(console: Console, table: _view.Table) -> None:
    """The judged numbers of a bed, then the others; as many cells side by side as the terminal holds."""
    most = max(1, (console.width - NAMES) // CELL)
    where = f" on {table.bed}" if table.bed else ""
    for name, part in ((f"Scores{where}", table.official), (f"Further measures{where}", table.beside)):
        for first in range(0, len(part.cells), most):
            band = part.part(first <= at < first + most for at in range(len(part.cells)))
            _titled(console, name, _numbers(band))


def _numbers(band: _view.Table) -> Table:
    """Some cells of all rows, roles separated by a rule."""
    made = _grid(["model", "held", *("\n".join(cell.heading) for cell in band.cells)])
    for rows in band.groups():
        for row in rows:
            made.add_row(row.label, row.counts, *band.texts(row), style="bold" if row.best else None)
        made.add_section()
    made.add_row("reference status", "", *band.statuses(), style="dim")
    return made


def _grid(header: Iterable[str]) -> Table:
    """An empty table; the first column left, the others right."""
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for at, name in enumerate(header):
        table.add_column(Text(name), justify="right" if at else "left", overflow="fold")
    return table


def _titled(console: Console, title: str, table: Table) -> None:
    console.print(title, style="italic")
    console.print(table)


def _listed(console: Console, title: str, sentences: Iterable[str], style: str) -> None:
    """A heading with a list, if there is anything to list."""
    lines = [f"• {sentence}" for sentence in sentences]
    if lines:
        console.print(title, style=f"{style} bold")
        console.print("\n".join(lines), style=style)
