"""The report for a terminal, in tables that fit its width."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from beholder.reports import _blind, _facts, _notes, _skill, _view
from beholder.reports._bands import Line, tables
from beholder.reports._standing import standing_text

if TYPE_CHECKING:
    from rich.console import Console

    from beholder.core.verdict import Verdict
    from beholder.evaluation.sections import Section

FEW = 12  # columns of further measures that are printed; of more, only the names
NARROWEST = 50  # columns: a name beside a number with its interval; in less, numbers would be cut


def terminal(sections: Sequence[Section]) -> str:
    """Verdict first, then standings, numbers with intervals, failures and notes; coloured only on a terminal."""
    console = plain()
    with console.capture() as shown:
        for section in sections:
            _section(console, section)
        console.print(f"How to cite: {_facts.CITE}", style="dim")
    return shown.get()


def plain() -> Console:
    """A console that prints what it gets, in the width of the terminal."""
    from rich.console import Console

    # Names and reasons are anybody's text: no markup, no emoji, no highlighting may be read into them.
    console = Console(markup=False, emoji=False, highlight=False)
    console.width = max(console.width, NARROWEST)
    return console


def _section(console: Console, section: Section) -> None:
    from rich.text import Text

    console.rule(Text(f"{section.benchmark} (version {section.version})"))
    console.print(_notes.trust(section), style="bold")
    for caveat in _notes.caveats(section):
        console.print(caveat, style="red bold")
    if said := _notes.official_headline(section):
        console.print(said)
    console.print()
    for verdict, left_out in _facts.verdicts(section):
        _verdict(console, section, verdict, f"Standing by {verdict.method}", left_out)
    for verdict in section.common_verdicts:
        console.print(_notes.headline(section, verdict))
        title = f"Over the units that every model answered, by {verdict.method}"
        _verdict(console, section, verdict, title, verdict.left_out)
    shown = _view.tables(section)
    for table in shown:
        scores(console, table)
    if not section.scores.empty:
        console.print(shown[0].legend, style="dim")
    _blinded(console, section)
    _skilled(console, section)
    _listed(console, "Failures", (f.sentence for f in _facts.failures(section)), "red")
    _listed(console, "Caveats", _notes.notes(section), "yellow")
    _listed(console, "Datasets", _facts.datasets(section), "dim")
    _listed(console, "Measured with", _facts.used(section), "dim")
    console.print()


def _verdict(console: Console, section: Section, verdict: Verdict, title: str, left_out: Mapping[str, str]) -> None:
    """One judge's standing, its leading models bold, and whom it left out."""
    found, leading = standing_text(verdict), _facts.leading(section, verdict)
    lines = [Line(row, "bold" if row[0] in leading else "") for row in found.rows]
    _titled(console, title, found.header, lines)
    if found.footnote:
        console.print(found.footnote, style="dim")
    _listed(console, "Not judged", (f"{model}: {why}" for model, why in left_out.items()), "red")


def scores(console: Console, table: _view.Table, *, unjudged: bool = True) -> None:
    """The judged numbers of a dataset, then the others."""
    where = f" on {table.dataset}" if table.dataset else ""
    further = table.unjudged
    tables = {f"Scores{where}": table.judged}
    if unjudged and len(further.cells) <= FEW:
        tables[f"Further measures{where}"] = further
    for name, shown in tables.items():
        if shown.cells:
            foot = Line(["reference status", "", *shown.statuses()], "dim")
            _titled(console, name, ["model", "held", *_headings(shown)], [*_lines(shown, counted=True), foot])
    if unjudged and len(further.cells) > FEW:
        names = ", ".join(dict.fromkeys(cell.name for cell in further.cells))
        told = f"Further measures{where}, {len(further.cells)} columns on the page and in scores.csv"
        console.print(told, style="italic")
        console.print(names, style="dim")


def _blinded(console: Console, section: Section) -> None:
    """Who beats the blind models, and who does not, if there are such."""
    if found := _blind.blind(section):
        lines = [*(Line(list(row), "") for row in found.rows), Line(list(found.foot), "dim")]
        _titled(console, _blind.TITLE, ["model", *("\n".join(name) for name in found.heads)], lines)
        console.print(found.legend, style="dim")


def _skilled(console: Console, section: Section) -> None:
    """Where models stand between the best blind model and people, if both are there."""
    found = _skill.skill(section)
    if found:
        lines = [*_lines(found.table, counted=False), *(Line(foot, "dim") for foot in found.feet)]
        _titled(console, _skill.TITLE, ["model", *("\n".join(name) for name in found.heads)], lines)
        console.print(_skill.LEGEND, style="dim")


def _headings(table: _view.Table) -> list[str]:
    return ["\n".join(cell.heading) for cell in table.cells]


def _lines(table: _view.Table, *, counted: bool) -> list[Line]:
    """All rows of a table as text, roles separated by a rule."""
    texts = table.texts()
    return [
        Line([row.label, *[row.counts] * counted, *texts[row.key]], "bold" if row.best else "", row is rows[-1])
        for rows in table.groups()
        for row in rows
    ]


def _titled(console: Console, title: str, header: Sequence[str], lines: Sequence[Line]) -> None:
    for at, table in enumerate(tables(header, lines, console.width)):
        console.print(f"{title} (continued)" if at else title, style="italic")
        console.print(table)


def _listed(console: Console, title: str, sentences: Iterable[str], style: str) -> None:
    """A heading with a list, if there is anything to list."""
    lines = [f"• {sentence}" for sentence in sentences]
    if lines:
        console.print(title, style=f"{style} bold")
        console.print("\n".join(lines), style=style)
