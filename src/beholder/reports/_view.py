"""What every report shows of a chapter, and in what order: written once, drawn by each report in its own way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from beholder.core.sample import worst
from beholder.core.scores import is_part, summary
from beholder.reports._numbers import NOTHING, decimals, interval, number, share

if TYPE_CHECKING:
    import pandas as pd

    from beholder.evaluation.sections import Chapter

ROLES = ("model", "oracle", "ceiling", "person", "null")  # the order of rows; only models are judged
ARROWS = {"higher": "↑", "lower": "↓"}
COUNTS = ("held", "expected", "na", "low", "partial")
LINE = ["model", "role", "measure", "criterion"]
CROWD = 6  # more persons than this stand as one row in tables; each of them is in the score rows
LEGEND = "mean [95 % interval] over units; ↓ lower is better, ↑ higher is better; held/expected counts scores"


class Cell(NamedTuple):
    """One column of the table: a measure confined to a criterion."""

    measure: str
    criterion: str
    better: str
    unit: str = ""
    official: bool = True
    bounds: tuple[float, float] = (-np.inf, np.inf)
    person: float = np.nan  # what a person expects of it

    @property
    def arrow(self) -> str:
        """Where better values lie; nothing for a part of a measure, which only describes."""
        return "" if is_part(self.measure) else ARROWS[self.better]

    @property
    def heading(self) -> tuple[str, str]:
        """Its name on two lines: measure with unit and arrow, criterion."""
        unit = f" [{self.unit}]" if self.unit else ""
        return f"{self.measure}{unit} {self.arrow}".strip(), self.criterion


class Line(NamedTuple):
    """One model's number in one cell, with all that must be read with it."""

    value: float
    lo: float
    hi: float
    held: int
    expected: int
    na: int
    low: int
    partial: int
    provenance: str

    @property
    def counts(self) -> str:
        """Held of expected."""
        return share(self.held, self.expected, na=self.na, low=self.low, partial=self.partial)

    def text(self, digits: int) -> str:
        """Value and interval; counts too where not everything held."""
        shown = f"{number(self.value, digits)} {interval(self.lo, self.hi, digits)}" if self.held else NOTHING
        whole = self.held == self.expected and not self.low and not self.partial
        return shown if whole else f"{shown} {self.counts}"


class Row(NamedTuple):
    """One model, or a crowd of persons, over all cells of a table."""

    model: str
    role: str
    best: bool
    left_out: str  # why it is not in the verdict; empty for those that are, and for those never judged
    lines: tuple[Line | None, ...]

    @property
    def label(self) -> str:
        """Its name, and its role where that is not model."""
        return self.model if self.role == "model" else f"{self.model} ({self.role})"

    @property
    def counts(self) -> str:
        """Held of expected over all cells."""
        there = [line for line in self.lines if line]
        return share(**{name: sum(getattr(line, name) for line in there) for name in COUNTS})


class Table(NamedTuple):
    """Rows × cells of one dataset, or of all datasets pooled (`dataset` is empty)."""

    dataset: str
    cells: tuple[Cell, ...]
    rows: tuple[Row, ...]

    def column(self, at: int) -> list[tuple[Row, Line]]:
        """The rows that have a line in a cell."""
        return [(row, line) for row in self.rows if (line := row.lines[at]) is not None]

    def digits(self, at: int) -> int:
        """Digits after the point in a cell: the same for all rows."""
        lines = [line for _, line in self.column(at)]
        return decimals([line.value for line in lines], [line.hi - line.lo for line in lines])

    def texts(self, row: Row) -> list[str]:
        """A row's numbers as text."""
        return [line.text(self.digits(at)) if line else NOTHING for at, line in enumerate(row.lines)]

    def statuses(self) -> list[str]:
        """The worst reference status behind each cell."""
        found = [worst(sorted({line.provenance for _, line in self.column(at)})) for at in range(len(self.cells))]
        return [status or "not stated" for status in found]

    def groups(self) -> list[list[Row]]:
        """Rows by role, in the order of ROLES, without empty groups."""
        return [rows for role in ROLES if (rows := [row for row in self.rows if row.role == role])]

    def part(self, wanted: Iterable[bool]) -> Table:
        """The same rows with some of the cells."""
        at = [i for i, keep in enumerate(wanted) if keep]
        rows = tuple(row._replace(lines=tuple(row.lines[i] for i in at)) for row in self.rows)
        return Table(
            self.dataset,
            tuple(self.cells[i] for i in at),
            tuple(row for row in rows if any(row.lines)),
        )

    @property
    def official(self) -> Table:
        """The cells that are judged."""
        return self.part(c.official and not is_part(c.measure) for c in self.cells)

    @property
    def beside(self) -> Table:
        """The cells that are not judged: further measures, and parts of measures."""
        return self.part(not c.official or is_part(c.measure) for c in self.cells)


def tables(chapter: Chapter) -> list[Table]:
    """The table over all datasets; where there are several, one for each dataset after it."""
    datasets = list(dict.fromkeys(chapter.scores["dataset"]))
    return [table(chapter), *(table(chapter, dataset) for dataset in datasets if len(datasets) > 1)]


def table(chapter: Chapter, dataset: str = "") -> Table:
    """Every model's mean on every measure × criterion, ordered for reading."""
    scores = chapter.scores if not dataset else chapter.scores[chapter.scores["dataset"] == dataset]
    if scores.empty:
        return Table(dataset, (), ())
    records = summed(scores)
    cells = tuple({(r["measure"], r["criterion"]): _cell(chapter, r) for r in records}.values())
    lines = {(r["model"], r["role"], r["measure"], r["criterion"]): _line(r) for r in records}
    rows = [
        _row(chapter, who, tuple(lines.get((*who, cell.measure, cell.criterion)) for cell in cells))
        for who in order(chapter, [(r["model"], r["role"]) for r in records])
    ]
    return Table(dataset, cells, tuple(_gathered(rows)))


def summed(scores: pd.DataFrame) -> list[dict[str, Any]]:
    """The records of `summary` and how many rows are partial; draws and seed are the judges', so intervals agree."""
    if scores.empty:
        return []
    records = [{str(key): value for key, value in record.items()} for record in summary(scores).to_dict("records")]
    lost = Counter(scores.loc[scores["state"] == "partial", LINE].itertuples(index=False, name=None))
    return [{**record, "partial": lost[tuple(record[name] for name in LINE)]} for record in records]


def order(chapter: Chapter, everyone: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Each (model, role) once: models by the official standing, those that could not be judged, then other roles."""
    standing = list(map(str, chapter.verdicts[0].standing.index)) if chapter.verdicts else []
    place = {model: at for at, model in enumerate(standing)}
    return sorted(dict.fromkeys(everyone), key=lambda who: (ROLES.index(who[1]), place.get(who[0], len(place))))


def _row(chapter: Chapter, who: tuple[str, str], lines: tuple[Line | None, ...]) -> Row:
    """A row, marked by what the official verdict says of its model."""
    model, role = who
    if role != "model" or not chapter.verdicts:
        return Row(model, role, False, "", lines)
    official = chapter.verdicts[0]
    return Row(model, role, model in official.best, official.left_out.get(model, ""), lines)


def _cell(chapter: Chapter, record: dict[str, Any]) -> Cell:
    known = {m["name"]: m for m in chapter.facts.get("measures", ())}
    fact = known.get(record["measure"], {})
    least, most = fact.get("bounds") or (None, None)
    bounds = (-np.inf if least is None else float(least), np.inf if most is None else float(most))
    official = bool(fact.get("official", not known)) and record["criterion"] not in chapter.facts.get("aside", ())
    person = float("nan" if fact.get("person") is None else fact["person"])
    head = (record["measure"], record["criterion"], record["better"], fact.get("unit") or "")
    return Cell(*head, official, bounds, person)


def _line(record: dict[str, Any]) -> Line:
    value, lo, hi = (float(record[name]) for name in ("value", "lo", "hi"))
    counts = {name: int(record[name]) for name in COUNTS}
    return Line(value, lo, hi, **counts, provenance=record["provenance"])


def _gathered(rows: Sequence[Row]) -> list[Row]:
    """The same rows; many persons become one row with their mean, and with the range from least to most."""
    persons = [row for row in rows if row.role == "person"]
    if len(persons) <= CROWD:
        return list(rows)
    lines = tuple(_crowd([line for line in column if line]) for column in zip(*(p.lines for p in persons), strict=True))
    crowd = Row(f"mean [range] of {len(persons)}", "person", False, "", lines)
    at = rows.index(persons[0])
    others = [row for row in rows if row.role != "person"]
    return [*others[:at], crowd, *others[at:]]


def _crowd(lines: Sequence[Line]) -> Line | None:
    values = [line.value for line in lines if line.held]
    if not lines:
        return None
    value, lo, hi = (np.mean(values), min(values), max(values)) if values else (np.nan,) * 3
    counts = {name: sum(getattr(line, name) for line in lines) for name in COUNTS}
    status = worst(sorted({line.provenance for line in lines}))
    return Line(float(value), float(lo), float(hi), **counts, provenance=status)
