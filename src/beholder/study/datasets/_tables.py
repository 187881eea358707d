"""Anybody's table of ratings: from a file to rows, and what each column means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from beholder.errors import Misuse, listed
from beholder.io import table as tables
from beholder.io.columns import Words, meanings
from beholder.io.columns import named as named_columns
from beholder.registry.find import nearest
from beholder.study.datasets import _files
from beholder.study.ratings import WORDS

if TYPE_CHECKING:
    import pandas as pd

SUFFIXES = tables.SUFFIXES
TEXTS = ("item", "system", "group", "dimension", "rater", "media")


def read(file: Path, what: str, columns: str = "") -> pd.DataFrame:
    """The rows of a file; cells of text files are texts. `columns` says what columns mean that have other names."""
    if not file.is_file():
        raise Misuse(f"got {file}, which is not a file; expected {what}")
    if file.suffix.lower() not in SUFFIXES:
        raise Misuse(f"{file}: got the suffix {file.suffix!r}; expected {', '.join(SUFFIXES)}")
    if file.stat().st_size == 0:
        raise Misuse(f"{file}: got an empty file; expected {what}")
    rows = _read(file, columns)
    if rows.empty:
        raise Misuse(f"{file}: got no rows; expected {what}")
    return rows


def _read(file: Path, columns: str) -> pd.DataFrame:
    import pandas as pd

    if file.suffix.lower() in tables.JSON:
        return pd.DataFrame(list(_records(_files.read_json(file), file, columns)), dtype=object)
    try:
        return tables.read(file, None)
    except ValueError as fault:
        raise Misuse(str(fault)) from fault


def named(
    rows: pd.DataFrame, words: Words = WORDS, columns: str = "", *, file: Path
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """The rows with the schema's words for known columns, and a remark on those that had others."""
    names = {name: word for word, name in meanings([str(name) for name in rows], words, columns, of=str(file)).items()}
    known = rows.rename(columns=lambda name: names.get(str(name), str(name).strip()))
    known = known.assign(**{name: texts(known[name]) for name in TEXTS if name in known and name in words})
    other = [f"{old.strip()} as {new}" for old, new in names.items() if old.strip().lower() != new]
    return known, (f"columns recognised by other names: {', '.join(other)}",) if other else ()


def require(rows: pd.DataFrame, name: str, file: Path, hint: str = "") -> None:
    """Refuse a table that lacks a column."""
    if name in rows:
        return
    have = [str(column) for column in rows]
    also = f", nor by another usual name such as {' or '.join(WORDS[name][:3])}" if WORDS.get(name) else ""
    near = nearest(name, have)
    meant = "" if "there are" in near else near  # the columns stand there already
    raise Misuse(
        f"{file}: no column called {name}{also}; got {listed(have)}{hint or meant}; or say which it is: "
        f"--columns {name}=COLUMN"
    )


def table_file(path: Path) -> Path:
    """The table: the file itself, or the one in a folder."""
    if not path.is_dir():
        return path
    found = [file for file in sorted(path.iterdir()) if file.suffix.lower() in SUFFIXES and file.name[0] != "."]
    if len(found) != 1:
        names = listed([file.name for file in found]) or "none"
        raise Misuse(f"got {path} with {names} of {', '.join(SUFFIXES)}; expected one table; give the file itself")
    return found[0]


def texts(cells: pd.Series[Any]) -> pd.Series[str]:
    """Cells as texts, none where they are empty; 7.0 of a typed table is 7."""
    empty = cells.isna()
    return cells.__class__(
        ["" if none else _text(cell) for cell, none in zip(cells, empty, strict=True)], cells.index, dtype=object
    )


def numbers(cells: pd.Series[Any], *, flags: bool = False) -> pd.Series[float]:
    """Cells as numbers, NaN where they are none or infinite; with `flags` true is 1 and false is 0."""
    return cells.__class__([_number(cell, flags) for cell in cells], cells.index, dtype=float)


def _text(cell: Any) -> str:
    if isinstance(cell, (bool, np.bool_)):
        return str(bool(cell)).lower()
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def _number(cell: Any, flags: bool) -> float:
    if isinstance(cell, (bool, np.bool_)) or (flags and str(cell).strip().lower() in ("true", "false")):
        return float(str(cell).strip().lower() == "true") if flags else np.nan
    if isinstance(cell, str) and tables.DECIMAL_COMMA.fullmatch(cell):
        cell = cell.replace(",", ".")
    try:
        found = float(cell)
    except (TypeError, ValueError, OverflowError):
        return np.nan
    return found if np.isfinite(found) else np.nan


def _records(found: Any, file: Path, columns: str) -> Iterator[dict[str, Any]]:
    """The rows in a list of records, in one record, or in {item: a value, values of raters, a record, records}."""
    if isinstance(found, list):
        for entry in found:
            if not isinstance(entry, dict):
                raise Misuse(
                    f"{file}: got {str(entry)[:40]!r} in a list; expected records such as {{item: …, value: …}}"
                )
            yield from _records(entry, file, columns)
    elif not isinstance(found, dict):
        raise Misuse(f"{file}: got a {type(found).__name__}; expected a list of records, or {{item: value}}")
    elif "item" in meanings(
        list(found), WORDS, {k: n for k, n in named_columns(columns).items() if n in found}, of=str(file)
    ):
        yield found
    else:
        for item, said in found.items():
            yield from _of_item(item, said, file)


def _said_of(found: Mapping[str, Any], columns: str) -> dict[str, str]:
    """What is said of columns that a record has: not every record has all."""
    return {word: name for word, name in named_columns(columns).items() if name in found}


def _of_item(item: str, said: Any, file: Path) -> Iterator[dict[str, Any]]:
    if isinstance(said, Mapping):
        yield {**said, "item": item}
    elif isinstance(said, list):
        for place, each in enumerate(said, 1):
            if isinstance(each, list):
                raise Misuse(
                    f"{file}: got lists in the list of item {item!r}; expected numbers, one per rater, or records"
                )
            record = each if isinstance(each, Mapping) else {"rater": str(place), "value": each}
            yield {**record, "item": item}
    else:
        yield {"item": item, "value": said}
