"""Models between the best blind model and people, as a table like that of the scores."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from beholder.core.scores import JUDGED
from beholder.reports._view import Cell, Line, Row, Table, order

if TYPE_CHECKING:
    from beholder.evaluation.sections import Section

TITLE = "Skill: 0 is the best blind model, 1 is people"
LEGEND = "(score − best blind model) / (people − best blind model) [95 % interval, bootstrap over the units that all "
LEGEND += "three hold]"
LEGEND += "; —: see notes"


class Skill(NamedTuple):
    """The skill of models on each measure × criterion, and what its 0 and its 1 are there."""

    table: Table  # models only
    feet: tuple[tuple[str, ...], ...]  # a name and a word for each cell: best blind model, people, units

    @property
    def heads(self) -> list[tuple[str, str]]:
        """Measure and criterion of each cell; more is better, whatever the measure's own direction."""
        return [(cell.name, cell.criterion) for cell in self.table.cells]

    @property
    def with_ends(self) -> Table:
        """The same with the blind model at 0 and people at 1, for plots."""
        ends = (*_marks(self.feet[1][1:], "ceiling", 1.0), *_marks(self.feet[0][1:], "blind", 0.0))
        return self.table._replace(rows=(*self.table.rows, *ends))


def skill(section: Section) -> Skill | None:
    """The skill table of a section; nothing where there is no blind model or no ceiling."""
    if section.skill.empty:
        return None
    records = records_of(section)
    cells = {_cell(r): r for r in records}
    lines = {(r["model"], *_cell(r)): _line(r) for r in records}
    rows = tuple(
        Row(model, role, model in section.trust.best, "", tuple(lines.get((model, *cell)) for cell in cells))
        for model, role in order(section, _who(section, records))
    )
    ends = [
        (name, *(str(cell[key]) for cell in cells.values())) for name, key in (("0 is", "blind"), ("1 is", "ceiling"))
    ]
    held = [_range([int(r["units"]) for r in records if _cell(r) == cell]) for cell in cells]
    heads = (Cell(measure, settings, criterion, "", "higher") for measure, settings, criterion in cells)
    table = Table("", tuple(heads), rows)
    return Skill(table, (*ends, ("units", *held)))


def why_none(section: Section) -> str:
    """Why nobody has a skill, where so."""
    if section.skill["units"].max() > 0:
        return "Nobody's can be measured: people are not significantly better than the best blind model on any measure."
    return "Nobody's can be measured: on no unit do a model, a blind model and people all have a score."


def _cell(record: dict[str, Any]) -> tuple[str, str, str]:
    return record["measure"], record["settings"], record["criterion"]


def _who(section: Section, records: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """The models with their roles: the user's own, or ours."""
    judged = section.scores[section.scores["role"].isin(JUDGED)]
    roles = dict(zip(judged["model"], judged["role"], strict=True))
    return [(r["model"], roles.get(r["model"], "model")) for r in records]


def records_of(section: Section) -> list[dict[str, Any]]:
    """The rows of the table as they were made."""
    return [{str(key): value for key, value in record.items()} for record in section.skill.to_dict("records")]


def _line(record: dict[str, Any]) -> Line:
    """One skill with its interval; where it is unknown, nothing held."""
    value, lo, hi = (float(record[name]) for name in ("skill", "lo", "hi"))
    held = 0 if math.isnan(value) else int(record["units"])
    return Line(value, lo, hi, held, held, 0, 0, 0, "")


def _range(counts: list[int]) -> str:
    """From the fewest to the most.

    >>> _range([9, 9]), _range([7, 9])
    ('9', '7 to 9')
    """
    return " to ".join(map(str, sorted({min(counts), max(counts)})))


def _marks(names: tuple[str, ...], role: str, value: float) -> list[Row]:
    """A row for each blind model or ceiling, with a line in the cells where it is the one compared with."""
    end = Line(value, math.nan, math.nan, 1, 1, 0, 0, 0, "")
    return [
        Row(one, role, False, "", tuple(end if name == one else None for name in names)) for one in dict.fromkeys(names)
    ]
