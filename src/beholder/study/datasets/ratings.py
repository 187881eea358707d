"""Anybody's ratings: a table of who rated what, with what measures say beside it or in a second file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beholder.core.cite import source
from beholder.core.sample import Dataset, remark
from beholder.errors import Misuse, listed
from beholder.io.columns import meanings
from beholder.registry.find import nearest
from beholder.study.datasets import _tables
from beholder.study.ratings import SCHEMA, WORDS, Item, Opinion, Ratings, clean

if TYPE_CHECKING:
    import pandas as pd

TABLE = "a table of ratings with the columns item and value"
SCORES = "a table of measures with the column item and columns of numbers"


@source("Ling2025")
def ratings(
    path: Path, *, columns: str = "", measures: str = "", dimension: str | Sequence[str] = ""
) -> Dataset[Item, Opinion]:
    """Your table of ratings: .csv, .tsv, .txt, .parquet, .json or .jsonl.

    One row is one rating. It needs the columns item and value; system, group, dimension, rater and media (or file:
    where the item is, relative to the table's folder) are optional. An empty cell is missing; a value that is not a
    number is left out; true is 1 and false is 0. Other names are recognised too: video, image, stimulus, clip, file
    name or id for item; model, method or generator for system; prompt or scene for group; observer, subject, worker,
    annotator, participant, judge or person for rater; score, rating, mos, stars or answer for value. `columns` says any
    other: columns='item=Aufnahme,value=Note'. Of a folder its one table is read.

    Further columns of numbers that are the same in all rows of an item are measures; those that are the same in all
    rows of a rater are facts about that rater, such as age. Other columns are not used, and a remark names them. A
    second file can add measures: `measures`, one row per item, joined by item; its path is relative to the current
    folder, otherwise to the table's.

    `dimension` selects dimensions: "static,temporal". In a wide table, with one row per item and rater and several
    columns of ratings, it names those columns; each becomes a dimension.

    JSON is a list of records, one record per line, or {item: said}, where said is a value, a list of values (of raters
    1, 2, 3 …), a record of further columns, or a list of records.
    """
    file, chosen = _tables.table_file(Path(path)), _names(dimension)
    rows, remarks = _long(_tables.read(file, TABLE, columns), chosen, file, columns)
    roles = _roles(rows)
    table = rows[[name for name in SCHEMA if name in rows]].assign(value=_tables.numbers(rows["value"], flags=True))
    if table["value"].isna().all():
        raise Misuse(
            f"{file}: got no numbers in the column of ratings, but values such as {rows['value'].iloc[0]!r}; "
            "expected numbers"
        )
    own = roles.measures
    further, joined = read_measures(measures, list(rows["item"].unique()), file.parent) if measures else (None, ())
    if further is not None:
        if both := [name for name in further if name in own]:
            raise Misuse(f"got the measure {both[0]!r} in {file} and in {measures}; expected it in one of them")
        own = own.join(further, how="left")
    places, lost = _media(rows, file.parent)
    made = clean(table, own, raters=roles.facts, media=places)
    unused = remark(roles.unused, "column", "not used")
    every = (*remarks, *unused, *joined, *lost, *made.remarks)
    return Ratings(made.table, made.columns, made.raters, made.media, every).dataset(
        f"ratings_{file.stem}",
        cite="Ling2025",
        licence="not stated",
        about=f"Your own ratings from {file.name}.",
    )


def _with_item(rows: pd.DataFrame, remarks: tuple[str, ...], file: Path) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """The rows that name an item, and a remark on how many do not."""
    _tables.require(rows, "item", file)
    named = rows["item"] != ""
    if not named.any():
        raise Misuse(f"{file}: got no row that names an item; expected {TABLE}")
    without = int((~named).sum())
    said = f"{without} rows name no item and are" if without > 1 else "1 row names no item and is"
    return rows[named], (*remarks, f"{said} left out") if without else remarks


def _names(dimension: str | Sequence[str]) -> list[str]:
    several = dimension.split(",") if isinstance(dimension, str) else [str(name) for name in dimension]
    return [name.strip() for name in several if name.strip()]


def _long(raw: pd.DataFrame, chosen: list[str], file: Path, columns: str = "") -> tuple[pd.DataFrame, tuple[str, ...]]:
    """One row per rating: of a long table the chosen dimensions, of a wide one the chosen columns."""
    if chosen and "dimension" not in meanings([str(name) for name in raw], WORDS, columns, of=str(file)):
        return _melted(raw, chosen, file, columns)
    rows, remarks = _with_item(*_tables.named(raw, columns=columns, file=file), file)
    _tables.require(rows, "value", file, hint="; for a wide table give dimension=COLUMN,COLUMN")
    if not chosen:
        return rows, remarks
    there = [str(name) for name in rows["dimension"].unique()]
    if unknown := [name for name in chosen if name not in there]:
        raise Misuse(f"{file}: no dimension called {unknown[0]!r}{nearest(unknown[0], there)}")
    return rows[rows["dimension"].isin(chosen)], remarks


def _melted(raw: pd.DataFrame, chosen: list[str], file: Path, columns: str) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """The rows of a wide table, once for each of the columns of ratings."""
    import pandas as pd

    wide = {name: others for name, others in WORDS.items() if name not in ("dimension", "value")}
    rows, remarks = _with_item(*_tables.named(raw, wide, columns, file=file), file)
    others = [str(name) for name in rows if name not in wide]
    if unknown := [name for name in chosen if name not in others]:
        raise Misuse(f"{file}: no column called {unknown[0]!r}{nearest(unknown[0], others)}")
    other = [name for name in others if name == "value" and name not in chosen]
    rest = rows.drop(columns=[*chosen, *other])
    parts = [rest.assign(dimension=name, value=rows[name]) for name in chosen]
    return pd.concat(parts, ignore_index=True), (*remarks, *remark(other, "column", "not used"))


@dataclass(frozen=True)
class _Roles:
    """What the further columns of a table are."""

    measures: pd.DataFrame  # one row per item
    facts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    unused: list[str] = field(default_factory=list)


def _roles(rows: pd.DataFrame) -> _Roles:
    """Numbers that are constant within an item are measures; what is constant within a rater is a fact of raters."""
    measures = rows[["item"]].drop_duplicates().set_index("item")
    facts: dict[str, dict[str, str]] = {}
    unused = []
    for name in (str(column) for column in rows if column not in WORDS):
        cells, values = _tables.texts(rows[name]), _tables.numbers(rows[name])
        filled = cells != ""
        if filled.any() and values[filled].notna().all() and _constant(values[filled], rows["item"]):
            measures[name] = values.groupby(rows["item"]).first()
        elif filled.any() and "rater" in rows and _constant(cells[filled], rows["rater"]):
            for who, said in cells[filled & (rows["rater"] != "")].groupby(rows["rater"]).first().items():
                facts.setdefault(str(who), {})[name] = str(said)
        else:
            unused.append(name)
    return _Roles(measures, facts, unused)


def _constant(cells: pd.Series[Any], within: pd.Series[Any]) -> bool:
    return bool((cells.groupby(within).nunique() <= 1).all())


def read_measures(measures: str, items: Sequence[str], beside: Path) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """What measures say of items, from a file of their own, and what of it is not used."""
    import pandas as pd

    file = Path(measures).expanduser()
    file = file if file.is_file() else beside / file
    rows, remarks = _tables.named(_tables.read(file, SCORES), {"item": WORDS["item"]}, file=file)
    _tables.require(rows, "item", file)
    if twice := list(rows["item"][rows["item"].duplicated()]):
        raise Misuse(f"{file}: got the item {twice[0]!r} twice; expected one row for each item")
    table = rows.set_index("item")
    values = {str(name): _tables.numbers(table[name]) for name in table}
    numeric = {name: own for name, own in values.items() if own.notna().any()}
    if not numeric:
        raise Misuse(f"{file}: got no column of numbers; expected {SCORES}")
    there, known = set(table.index), set(items)
    if not there & known:
        raise Misuse(
            f"{file}: got only items that nobody rated, such as {table.index[0]!r}; expected some of "
            f"{listed(items, most=3)}"
        )
    return pd.DataFrame(numeric), (
        *remarks,
        *remark([name for name in values if name not in numeric], "column", f"in {file.name} but not used"),
        *remark([str(id) for id in table.index if id not in known], "item", f"in {file.name} but not rated"),
        *remark([str(id) for id in items if id not in there], "rated item", f"not in {file.name}"),
    )


def _media(rows: pd.DataFrame, root: Path) -> tuple[dict[str, Path], tuple[str, ...]]:
    """Where the items lie, as far as they do."""
    if "media" not in rows:
        return {}, ()
    said = rows[rows["media"] != ""].drop_duplicates("item")
    places = {str(id): root / str(name) for id, name in zip(said["item"], said["media"], strict=True)}
    lost = [id for id, place in places.items() if not place.is_file()]
    return {id: place for id, place in places.items() if id not in set(lost)}, remark(lost, "file", "not there")
