"""docs/explanation/published-tables.md: for each dataset by name the published tables, and ours beside them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from beholder.claims.claim import markdown_table
from beholder.claims.local_data import data_folder
from beholder.claims.tables.ours import Ours, command, measured
from beholder.claims.tables.published import Column, Row, Section, Table, sections
from beholder.datasets.cards import usage
from beholder.datasets.record import Record, records
from beholder.errors import Misuse, listed

HEAD = """# Published tables

Our values on real sets, beside values that are not ours: do they agree, why not, and which command gives them? {sets}

{tables} No value was read off a printed paper. Agreement with a check shows that two programs agree, not that a paper
is reproduced.

The first cell of a table says what stands in the others; a cell with one number is ours alone. Below the table stands
what ours are compared with, in one word:

{words}

Ours were computed on the parts of the sets named below. The command gives the table on the whole set, once
`beholder data get NAME` has fetched it; it runs unattended, and goes on where it was stopped. Times are for two cores.
What papers *claim*, beyond these numbers, is on [the claims page](claims.md)."""
CORES = 2


class Status(NamedTuple):
    """What a table is compared with, in the words of the page."""

    corner: str  # the first cell of its head
    source: str
    agree: str  # with whom values agree
    rest: str  # what tables rest on
    means: str


STATUS = {
    "published": Status(
        "ours / published",
        "Published: {}.",
        "the authors' numbers",
        "the authors' own numbers",
        "the authors' own numbers, from their repository at the commit that the record pins",
    ),
    "library": Status(
        "ours / library",
        "Library: {}.",
        "the library's numbers",
        "numbers of another library",
        "numbers that another library asserts of the set in its own tests",
    ),
    "independent": Status(
        "ours / check",
        "Independent: {}.",
        "the check",
        "an independent check",
        "computed from the authors' files by other code, before ours was written, because the table that the paper "
        "prints was not at hand",
    ),
    "none": Status(
        "ours",
        "No other value is at hand.",
        "nothing",
        "nothing",
        "no other value is at hand, so only ours stand there",
    ),
}


def page(runs: Path) -> str:
    """The whole page; runs are kept below a folder, so that a page that was broken off goes on."""
    _refuse_absent()
    return "\n\n".join([head(), *(section_text(one, runs) for one in sections()), without_table()]) + "\n"


def _refuse_absent() -> None:
    """Refuse to make a page that would lack tables."""
    absent = [one.folder for one in sections() if _shown(one) and data_folder(one.folder) is None]
    if absent:
        raise Misuse(
            f"got no {listed(dict.fromkeys(absent), most=3)} below BEHOLDER_DATA; expected the data of every table: "
            "set BEHOLDER_DATA to their folder; nothing was written"
        )


def head() -> str:
    """What the page is, how many tables rest on what, and the words for it: those that are used."""
    used = Counter(table.status for one in sections() for table in _shown(one))
    rest = ", ".join(f"{used[status]} on {STATUS[status].rest}" for status in STATUS if used[status])
    rest = rest.replace(" on ", " rest on ", 1)
    words = ";\n".join(f"- *{status}*: {STATUS[status].means}" for status in STATUS if used[status])
    bare = [one.title.partition(":")[0] for one in sections() if not _shown(one)]
    rows, without = len(sections()) - len(bare), len(bare) + len(_rest())
    sets = (
        f"Of the {rows + without} sets that `beholder data get` fetches, {rows} have a table here and {without} only a "
        f"command ({', '.join(bare)}, and those [at the end](#sets-without-a-table-here))."
    )
    return HEAD.format(sets=sets, tables=f"Of the {used.total()} tables, {rest}.", words=f"{words}.")


def _shown(section: Section) -> list[Table]:
    return [table for table in section.tables if table.rows]


def _rest() -> list[Record]:
    shown = {one.name for one in sections()}
    return [one for one in records() if one.folders and one.name not in shown]


def without_table() -> str:
    """The datasets that can be fetched, and of which no table stands here: what runs on them."""
    lines = [f"- {one.about} `beholder data get {one.name}`, then `{usage(one)}`" for one in _rest()]
    return "\n".join(["## Sets without a table here", "", *lines])


def section_text(section: Section, runs: Path) -> str:
    """One dataset: what is here of it, its tables, how to get them on the whole."""
    place = data_folder(section.folder) if section.folder else None
    tables = [_table_text(section, table, place, runs) for table in section.tables]
    facts = f"Here: {section.here}. The whole: `beholder data get {section.name}`, then {needs(section)}."
    return "\n\n".join([f"## {section.title}", facts, *tables, *([section.note] if section.note else [])])


def needs(section: Section) -> str:
    """How long the commands of a set run on two cores: measured, or projected from the CPU time of what is here.

    >>> needs(Section("mit1003", "", "", "", (), cpu=300, of=50, whole=500))
    'about 25 minutes on two cores (projected from 300 s of CPU time for 50 of 500)'
    """
    seconds = section.cpu / section.of * section.whole / CORES
    spent = f"about {math.ceil(seconds / 60)} minute{'s' * (seconds > 60)} on two cores"
    if section.of == section.whole:
        return f"{spent} (measured: {section.cpu:g} s of CPU time)"
    return f"{spent} (projected from {section.cpu:g} s of CPU time for {section.of:,} of {section.whole:,})"


def _table_text(section: Section, table: Table, place: Path | None, runs: Path) -> str:
    parts = [f"### {table.title}"] if table.rows else []
    if place and table.rows:
        ours = measured(section, table, place, runs)
        parts += [_cells(table, ours), " ".join(_caption(table, ours))]
    if table.benchmark:
        parts.append(f"<!-- not run: it needs the whole set -->\n```sh\n{command(section, table)}\n```")
    return "\n\n".join(parts)


def _cells(table: Table, ours: Ours) -> str:
    rows = [
        [_name(row), *(_cell(row, at, column, table, ours) for at, column in enumerate(table.columns))]
        for row in table.rows
    ]
    return markdown_table([STATUS[table.status].corner, *(column.name for column in table.columns)], rows)


def _name(row: Row) -> str:
    return row.name if row.name != row.model else f"`{row.name}`"


def _cell(row: Row, at: int, column: Column, table: Table, ours: Ours) -> str:
    digits = _digits(column, table)
    own, known = ours.values.get((row.model, column.name), math.nan), row.values[at]
    shown = "—" if math.isnan(own) else f"{own:.{digits}f}"
    return shown if known is None else f"{shown} / {known:.{digits}f}"


def _caption(table: Table, ours: Ours) -> Iterator[str]:
    """Of how many samples, compared with what, how many values agree, and why others do not."""
    yield f"{ours.samples:,} samples."
    status = STATUS[table.status]
    yield status.source.format(table.source)
    differ = dict(_differences(table, ours))
    agreed = sum(size <= 0 for size in differ.values())
    if differ and agreed == len(differ):
        words = f"All {len(differ)} values agree" if len(differ) > 1 else "The value agrees"
        yield f"{words} with {status.agree} to the last digit printed."
    elif differ:
        worst = max(differ, key=lambda cell: differ[cell])
        told = f"{agreed} of {len(differ)} values agree with {status.agree} to the last digit printed"
        yield f"{told}; the furthest is {worst}."
    if table.why:
        yield table.why


def _differences(table: Table, ours: Ours) -> Iterator[tuple[str, float]]:
    """By how much each value lies beyond what rounding explains; 0 or less where it does not."""
    for row in table.rows:
        for column, known in zip(table.columns, row.values, strict=True):
            if known is not None:
                off = abs(ours.values.get((row.model, column.name), math.inf) - known)
                half = 0.5 * 10.0 ** -_digits(column, table)
                yield f"{row.name}, {column.name}, by {off:.2g}", off - half * (1 + 1e-6)


def _digits(column: Column, table: Table) -> int:
    return table.digits if column.digits < 0 else column.digits
