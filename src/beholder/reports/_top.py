"""The top of a benchmark's table, one line per model: who leads, the user's models, people and the blind models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from beholder.core.scores import JUDGED
from beholder.reports import _view
from beholder.reports._lines import Printed, columns, squeezed
from beholder.reports._numbers import NOTHING
from beholder.reports._pages.places import places

if TYPE_CHECKING:
    from beholder.evaluation.sections import Section

MINE = "▶"
WIDEST = 26  # columns of a name; longer ones lose their middle
HEADING = 14  # columns that a measure's name may take where its numbers take less
YARDSTICKS = 2  # people, and blind models, that are shown of each
AROUND = 4  # lines that are no rows: two of headings, what is not shown, how to read it
STYLES = {"model": "bold cyan", "blind": "dim", "ceiling": "green"}


def top(section: Section, width: int, most: int) -> list[Printed]:
    """The head of the table over all datasets, in so many lines at the most; what is not shown is counted."""
    table = _view.table(section).judged
    if not table.cells or most <= AROUND:
        return []
    shown = _chosen(section, table, most - AROUND)
    rows = _rows(section, table, shown, width)
    styles = ["bold", "bold", *("bold" if row.best else STYLES.get(row.role, "") for row in shown)]
    lines = [Printed(line, style) for line, style in zip(_set(rows), styles, strict=True)]
    legend = ["[95 % interval]", *(f"{_view.ARROWS[way]} {way} is better" for way in _ways(table))]
    legend += [f"{MINE} yours"] * any(row.role == "model" for row in shown)
    missing = _missing(table, shown, len(rows[0]) - 3)
    return [*lines, *missing, Printed(" · ".join(filter(None, legend)), "dim")]


def _chosen(section: Section, table: _view.Table, most: int) -> list[_view.Row]:
    """The user's models, the first of the others, and what both are held against, in the order of the table."""
    judged = [row for row in table.rows if row.role in JUDGED]
    people = [row for row in table.rows if row.role == "ceiling"][:YARDSTICKS]
    known = set(map(str, section.blind["blind"])) if len(section.blind) else set()
    blind = sorted((row for row in table.rows if row.role == "blind"), key=lambda row: row.model not in known)
    beside = [*people, *blind[:YARDSTICKS]][: max(most - 2, 0)]
    room = most - len(beside)
    mine = [row for row in judged if row.role == "model"]
    others = [row for row in judged if row.role != "model"]
    ours = others[: max(room - len(mine), 1)]  # the best of the others is always there, to be compared with
    keep = {(row.model, row.role) for row in (*ours, *mine[: room - len(ours)], *beside)}
    return [row for row in table.rows if (row.model, row.role) in keep]


def _rows(section: Section, table: _view.Table, shown: Sequence[_view.Row], width: int) -> list[list[str]]:
    """Two lines of headings and a line per row: mark, number in the standing, name, and as many measures as fit."""
    found = places(section, [row.model for row in shown if row.judged])
    number = {name: str(place.rank) for name, place in found.items() if place.rank}
    rows = [["", "", ""], ["", "#", "model"]]
    for row in shown:
        mark, place = MINE if row.role == "model" else "", number.get(row.model, "") if row.judged else ""
        rows.append([mark, place, squeezed(row.label, WIDEST)])
    for at in range(len(table.cells)):
        wider = [[*row, text] for row, text in zip(rows, _column(table, shown, at), strict=True)]
        if at and max(map(len, _set(wider))) > width:
            break
        rows = wider
    return rows


def _column(table: _view.Table, shown: Sequence[_view.Row], at: int) -> list[str]:
    """A measure's name, its criterion, and the number of each row."""
    digits = table.digits(at)
    texts = [line.text(digits[row.key]) if (line := row.lines[at]) else NOTHING for row in shown]
    room = max(HEADING, *map(len, texts))
    return [*(squeezed(head, room) for head in _heading(table, at)), *texts]


def _heading(table: _view.Table, at: int) -> tuple[str, str]:
    """The measure's name and its criterion; settings only where they tell it from another one."""
    cell = table.cells[at]
    alike = [other for other in table.cells if (other.measure, other.criterion) == (cell.measure, cell.criterion)]
    return cell.heading if len(alike) > 1 else cell._replace(settings="").heading


def _set(rows: Sequence[Sequence[str]]) -> list[str]:
    return columns(rows, right=[1, *range(3, len(rows[0]))])


def _missing(table: _view.Table, shown: Sequence[_view.Row], measures: int) -> list[Printed]:
    """How many models and measures are not shown, if any."""
    models = sum(row.judged for row in table.rows) - sum(row.judged for row in shown)
    mine = sum(row.role == "model" for row in table.rows) - sum(row.role == "model" for row in shown)
    counts = {"model": models, "score column": len(table.cells) - measures}
    told = [f"{count} more {what}{'s' * (count > 1)}" for what, count in counts.items() if count]
    told[:1] = [told[0] + f" ({mine} of them yours)" * (mine > 0)] if told else []
    return [Printed(f"not shown: {', '.join(told)}", "dim")] if told else []


def _ways(table: _view.Table) -> list[str]:
    return [way for way in ("lower", "higher") if any(cell.better == way for cell in table.cells)]
