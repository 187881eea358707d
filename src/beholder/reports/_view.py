"""What every report shows of a section, and in what order: written once, drawn by each report in its own way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from beholder.core.measure import label
from beholder.core.sample import worst
from beholder.core.scores import CELL, JUDGED, ROLES
from beholder.reports._numbers import NOTHING, decimals, interval, number, share, telling
from beholder.verdicts.summary import summary
from beholder.verdicts.yardsticks import like_with_like

if TYPE_CHECKING:
    import pandas as pd

    from beholder.evaluation.sections import Section

# The order of rows: who is judged stands together, whether ours or the user's.
GROUPS = (JUDGED, *((role,) for role in ROLES if role not in JUDGED))
ARROWS = {"higher": "↑", "lower": "↓", "neither": ""}
COUNTS = ("held", "expected", "na", "low", "partial")
COLUMN = [*CELL, "part"]
LINE = ["model", "role", *COLUMN]
CROWD = 6  # more persons than this stand as one row in tables; each of them is in the score rows
TUNED = "†"
LEGEND = (
    "mean [95 % interval] over units (Hall's t; Wilson's for yes/no scores; none below 3 units); ↓ lower is better, "
    "↑ higher is better; held/expected counts scores"
)


class Cell(NamedTuple):
    """One column of the table: a measure, or a part of it, confined to a criterion."""

    measure: str
    settings: str
    criterion: str
    part: str
    better: str
    unit: str = ""
    official: bool = True
    bounds: tuple[float, float] = (-np.inf, np.inf)
    person: float = np.nan  # what a person expects of it

    @property
    def name(self) -> str:
        """What the measure, the variant or the part is called."""
        return label(self.measure, self.settings, self.part)

    @property
    def judged(self) -> bool:
        """Whether it has a part in the verdict."""
        return self.official and not self.part

    @property
    def arrow(self) -> str:
        """Where better values lie; nothing for a part that only describes."""
        return ARROWS[self.better]

    @property
    def heading(self) -> tuple[str, str]:
        """Its name on two lines: measure with unit and arrow, criterion."""
        unit = f" [{self.unit}]" if self.unit else ""
        return f"{self.name}{unit} {self.arrow}".strip(), self.criterion


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
    tuned: bool = False  # on this kind of stimulus

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from the other rows of a table."""
        return self.model, self.role

    @property
    def judged(self) -> bool:
        """Whether it takes part in the verdict."""
        return self.role in JUDGED

    @property
    def label(self) -> str:
        """Its name with a mark where it was tuned on such stimuli, and its role where it is not judged."""
        return self.marked if self.judged else f"{self.marked} ({self.role})"

    @property
    def marked(self) -> str:
        """Its name with a mark where it was tuned on such stimuli."""
        return f"{self.model} {TUNED}" if self.tuned else self.model

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

    @property
    def legend(self) -> str:
        """How its numbers and marks are to be read."""
        mark = f"; {TUNED} tuned on this kind of stimulus" if any(row.tuned for row in self.rows) else ""
        return LEGEND + mark

    def column(self, at: int) -> list[tuple[Row, Line]]:
        """The rows that have a line in a cell."""
        return [(row, line) for row in self.rows if (line := row.lines[at]) is not None]

    def digits(self, at: int) -> dict[tuple[str, str], int]:
        """Digits after the point of each row in a cell: the same for all but models that would read alike."""
        column = self.column(at)
        least = decimals([line.value for _, line in column], [line.hi - line.lo for _, line in column])
        models = [(row, line) for row, line in column if row.role != "person"]
        more = telling([line.value for _, line in models], least)
        every = {(row.model, row.role): least for row, _ in column}
        return every | dict(zip(((row.model, row.role) for row, _ in models), more, strict=True))

    def texts(self) -> dict[tuple[str, str], list[str]]:
        """Every row's numbers as text, by model and role."""
        digits = [self.digits(at) for at in range(len(self.cells))]
        return {row.key: _texts(row, digits) for row in self.rows}

    def statuses(self) -> list[str]:
        """The worst reference status behind each cell."""
        found = [worst(sorted({line.provenance for _, line in self.column(at)})) for at in range(len(self.cells))]
        return [status or "not stated" for status in found]

    def groups(self) -> list[list[Row]]:
        """Rows in the order of GROUPS, without empty groups."""
        return [rows for roles in GROUPS if (rows := [row for row in self.rows if row.role in roles])]

    def marks(self) -> list[str]:
        """The roles whose marks look different, in the order of GROUPS: baselines look like models."""
        return [rows[0].role if not rows[0].judged else "model" for rows in self.groups()]

    def select(self, wanted: Iterable[bool]) -> Table:
        """The same rows with some of the cells."""
        at = [i for i, keep in enumerate(wanted) if keep]
        rows = tuple(row._replace(lines=tuple(row.lines[i] for i in at)) for row in self.rows)
        return Table(
            self.dataset,
            tuple(self.cells[i] for i in at),
            tuple(row for row in rows if any(row.lines)),
        )

    @property
    def judged(self) -> Table:
        """The cells that are judged."""
        return self.select(cell.judged for cell in self.cells)

    @property
    def unjudged(self) -> Table:
        """The cells that are not judged: further measures, and parts of measures."""
        return self.select(not cell.judged for cell in self.cells)


def _texts(row: Row, digits: Sequence[Mapping[tuple[str, str], int]]) -> list[str]:
    return [line.text(own[row.key]) if line else NOTHING for line, own in zip(row.lines, digits, strict=True)]


def tables(section: Section) -> list[Table]:
    """The table over all datasets; where there are several, one for each dataset after it."""
    datasets = list(dict.fromkeys(section.scores["dataset"]))
    return [table(section), *(table(section, dataset) for dataset in datasets if len(datasets) > 1)]


def table(section: Section, dataset: str = "") -> Table:
    """Every model's mean on every measure × criterion, ordered for reading."""
    scores = section.scores if not dataset else section.scores[section.scores["dataset"] == dataset]
    if scores.empty:
        return Table(dataset, (), ())
    records = summed(like_with_like(scores))
    cells = {tuple(r[name] for name in COLUMN): _cell(section, r) for r in records}
    bounds = {key: cell.bounds for key, cell in cells.items()}
    lines = {tuple(r[name] for name in LINE): _line(r, bounds[tuple(r[name] for name in COLUMN)]) for r in records}
    rows = [
        _row(section, who, tuple(lines.get((*who, *cell)) for cell in cells))
        for who in order(section, [(r["model"], r["role"]) for r in records])
    ]
    return Table(dataset, tuple(cells.values()), tuple(_gather_persons(rows)))


def summed(scores: pd.DataFrame) -> list[dict[str, Any]]:
    """The records of `summary` and how many rows are partial; its intervals are those of the judges."""
    if scores.empty:
        return []
    records = [{str(key): value for key, value in record.items()} for record in summary(scores).to_dict("records")]
    lost = Counter(scores.loc[scores["state"] == "partial", LINE].itertuples(index=False, name=None))
    return [{**record, "partial": lost[tuple(record[name] for name in LINE)]} for record in records]


def order(section: Section, everyone: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Each (model, role) once: models by the official standing, those that could not be judged, then other roles."""
    standing = list(map(str, section.verdicts[0].standing.index)) if section.verdicts else []
    position = {model: at for at, model in enumerate(standing)}
    group: dict[str, int] = {role: at for at, roles in enumerate(GROUPS) for role in roles}
    return sorted(dict.fromkeys(everyone), key=lambda who: (group[who[1]], position.get(who[0], len(position))))


def _row(section: Section, who: tuple[str, str], lines: tuple[Line | None, ...]) -> Row:
    """A row, marked by what the official verdict says of its model, and bold where the trust line calls it best."""
    model, role = who
    if role not in JUDGED or not section.verdicts:
        return Row(model, role, False, "", lines)
    left_out = section.verdicts[0].left_out.get(model, "")
    return Row(model, role, model in section.trust.best, left_out, lines, model in section.known.tuned)


def _cell(section: Section, record: dict[str, Any]) -> Cell:
    """A column with what is known of its measure; a card describes the measure, and not its parts."""
    known = {(m["name"], m["settings"], ""): m for m in section.facts["measures"]}
    plain = Cell(**{name: record[name] for name in (*COLUMN, "better")}, official=not known)
    card = known.get((plain.measure, plain.settings, plain.part))
    if card is None:
        return plain
    least, most = map(float, card["bounds"])
    person = np.nan if card["person"] is None else float(card["person"])
    official = card["official"] and plain.criterion not in section.facts["unjudged"]
    return plain._replace(unit=card["unit"], official=official, bounds=(least, most), person=person)


def _line(record: dict[str, Any], bounds: tuple[float, float]) -> Line:
    """A number with its interval, which ends where the measure does."""
    value = float(record["value"])
    lo, hi = (float(np.clip(record[name], *bounds)) for name in ("lo", "hi"))
    counts = {name: int(record[name]) for name in COUNTS}
    return Line(value, lo, hi, **counts, provenance=record["provenance"])


def _gather_persons(rows: Sequence[Row]) -> list[Row]:
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
