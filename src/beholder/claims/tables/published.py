"""What was published on each dataset by name: published.toml, read and checked."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

FILE = Path(__file__).with_name("published.toml")
STATUSES = ("published", "library", "independent", "none")  # see the head of published.toml


class Column(NamedTuple):
    """A column of a table: its name, and which rows of a run it is made of (nothing: any)."""

    name: str
    measure: str = ""
    settings: str = ""
    part: str = ""
    criterion: str = "all"
    unit: str = ""
    digits: int = -1  # other than those of the table


class Row(NamedTuple):
    """A row of a table: who, as it is called there and in our run, and the values ours are compared with."""

    name: str
    model: str
    values: tuple[float | None, ...]


class Table(NamedTuple):
    """A table of published values, and what gives ours: a run, or a function of `recipes`."""

    title: str
    source: str
    status: str
    digits: int
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    why: str = ""  # where ours differ
    benchmark: str = ""
    settings: str = ""  # of the dataset
    options: str = ""  # of the command, besides --dataset
    recipe: str = ""


class Section(NamedTuple):
    """A dataset by name: what is here of it, and its tables."""

    name: str  # of its record
    title: str
    folder: str  # of the part, in the folder of real data; nothing where none is here
    here: str
    tables: tuple[Table, ...]
    cpu: float  # seconds of CPU time, measured on one core of the machine that made the page, of all runs of the set
    of: int  # samples that these seconds were spent on
    whole: int  # samples of the whole set
    note: str = ""


def sections(file: Path = FILE) -> list[Section]:
    """All datasets with their tables, in the order of the file."""
    return [_section(one) for one in tomllib.loads(file.read_text("utf-8"))["set"]]


def _section(held: Mapping[str, Any]) -> Section:
    return Section(**{**held, "tables": tuple(map(_table, held.get("tables", ())))})


def _table(held: Mapping[str, Any]) -> Table:
    columns = tuple(Column(**one) for one in held["columns"])
    rows = tuple(_rows(held["rows"], len(columns)))
    made = Table(**{**held, "columns": columns, "rows": rows})
    if made.status not in STATUSES or bool(made.benchmark) == bool(made.recipe):
        raise ValueError(f"{made.title}: got status {made.status!r}, benchmark {made.benchmark!r}, {made.recipe!r}")
    return made


def _rows(held: Sequence[Sequence[Any]], width: int) -> Iterator[Row]:
    """Rows as they stand in the file: [name, values …]; "name = model" where our run calls it otherwise."""
    for name, *values in held:
        if values and len(values) != width:
            raise ValueError(f"{name}: got {len(values)} values; expected {width}")
        shown, _, model = str(name).partition(" = ")
        yield Row(shown, model or shown, tuple(None if v == "" else float(v) for v in values or [""] * width))
