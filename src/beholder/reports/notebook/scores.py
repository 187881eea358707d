"""Scores in a notebook: the trust line, then everyone's means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from beholder.evaluation.sections import open_run, sections
from beholder.reports import _view
from beholder.reports._pieces import answer, frame, grid, note

if TYPE_CHECKING:
    import pandas as pd

    from beholder.evaluation.sections import Section

ACROSS = 6  # columns of numbers


def scores(table: pd.DataFrame) -> str:
    """Means with intervals by model, the user's own first; of each benchmark, its trust line before."""
    found = sections([open_run(table)])
    many = f"{len(table)} score rows"
    hint = f"{many}: a pandas table with one row for each number. bh.plot(scores) draws it; .head() shows its rows."
    return frame(*(piece for section in found for piece in _section(section, named=len(found) > 1)), note(hint))


def _section(section: Section, *, named: bool) -> list[str]:
    """The pieces of one benchmark."""
    table = _view.table(section).judged
    mine = [row.label for row in table.rows if row.role == "model"]
    rows = sorted(table.rows, key=lambda row: row.role != "model")  # stable: the standing's order else
    shown = table.cells[:ACROSS]
    header = ["", *(" ".join(cell.heading) for cell in shown)]
    left, texts = len(table.cells) - len(shown), table.texts()
    return [
        answer(str(section.trust), section.benchmark if named else ""),
        grid(header, [[row.label, *texts[row.key][:ACROSS]] for row in rows], mine) if shown else "",
        note(f"… and {left} more measures") if left else "",
        note(table.legend),
    ]
