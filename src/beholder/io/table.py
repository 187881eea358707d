"""Long tables → columns: text with any of the usual separators, JSON, Parquet where a reader of it is installed.

What was found out about a text file stands in the table's `attrs["form"]`, as words for a reader.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from beholder.io.bounds import LARGEST, check_file
from beholder.io.reading import reading

if TYPE_CHECKING:
    import pandas as pd

TEXT = (".csv", ".tsv", ".txt")
JSON = (".json", ".jsonl", ".ndjson")
SUFFIXES = (".csv", ".tsv", ".parquet", ".txt", *JSON)
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}
DECIMAL_COMMA = re.compile(r"\s*[-+]?\d*,\d+(?:[eE][-+]?\d+)?\s*")
COLUMNS = 10_000  # the most that a table may have: each costs far more than the byte that makes it
_LINE, _SEEN = 1 << 20, 100  # how many of its lines are looked at, and how much of each
# EyeLink Data Viewer writes ".", Excel "#N/A", and in German "#NV".
MISSING = ["", "n/a", "NA", "NaN", "nan", "null", "None", ".", "#N/A", "#NV"]


def head(path: Path | str) -> list[str]:
    """The names of a table's columns."""
    return [str(name) for name in read(path, rows=0).columns]


def read(
    path: Path | str, texts: Sequence[str] | None = (), *, limit: int = LARGEST, rows: int | None = None
) -> pd.DataFrame:
    """The table in a file; numbers as numbers, all else as texts, and so are the columns `texts`: 007 is not 7.

    With None every column of a text file is text as it stands there, and only an empty cell is missing. `rows` is how
    many of a text file are read, where not all are.
    """
    where = Path(path)
    suffix = where.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{where}: got the suffix {suffix!r}; expected {', '.join(SUFFIXES)}")
    check_file(where, limit)
    if suffix == ".parquet":
        return _parquet(where, texts or ())
    if suffix in JSON:
        return _json(where, texts or ())
    text, encoding = _decoded(where)
    separator = _separator(text, suffix)
    _check_columns(where, text, separator)
    found = _text(where, text, separator, texts, rows)
    turned = found.attrs.pop("turned", 0)
    usual = "\t" if suffix == ".tsv" else ","
    form = [
        encoding,
        f"{SEPARATORS[separator]} between columns" * (separator != usual),
        "decimal commas" * bool(turned),
    ]
    found.attrs["form"] = ", ".join(word for word in form if word)
    return found


def read_numbers(path: Path | str, columns: int) -> NDArray[np.float64]:
    """The numbers below the head of a table with commas and so many columns; NaN where a cell is none."""
    check_file(path, LARGEST)
    wanted = f"numbers below a head, in {columns} columns with commas between them; copy it again"
    with reading(path, "no table that can be read", wanted), warnings.catch_warnings():
        warnings.simplefilter("error")  # NumPy only warns of an empty one
        found = np.genfromtxt(path, delimiter=",", skip_header=1, encoding="utf-8-sig", ndmin=2)
        if found.shape[1] != columns:
            raise ValueError(f"{found.shape[1]} columns")
    return np.asarray(found, np.float64)


def _decoded(where: Path) -> tuple[str, str]:
    """The text of a file, and its encoding where that is another one than UTF-8.

    UTF-16 is known by its mark. What is neither is read as Windows' Latin-1, which is safe for numbers and separators;
    where that has no letter for a byte, or the byte is a control, the file is none of these.
    """
    raw = where.read_bytes()
    try:
        if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
            return raw.decode("utf-16"), "UTF-16"
        return raw.decode("utf-8-sig"), ""
    except UnicodeDecodeError as fault:
        if re.search(rb"[\x00-\x08\x0e-\x1f\x7f\x81\x8d\x8f\x90\x9d]", raw):
            raise ValueError(
                f"{where}: got no table that can be read ({fault}); expected text in UTF-8; save it as such"
            ) from None
        return raw.decode("cp1252"), "Latin-1"


def _separator(text: str, suffix: str) -> str:
    """What stands between columns: that which the head has most of; a comma between digits is one of a number."""
    head = next((line for line in text[:_LINE].splitlines() if line.strip()), "")
    counts = {sign: head.count(sign) for sign in SEPARATORS}
    usual = "\t" if suffix in (".tsv", ".txt") else ","
    return max(counts, key=lambda sign: (counts[sign], sign == usual))


def _check_columns(where: Path, text: str, separator: str) -> None:
    """Refuse a table of too many columns, by its first lines."""
    filled = (line for line in text[: _LINE * _SEEN].splitlines() if line.strip())
    widest = max((line[:_LINE].count(separator) for line in islice(filled, _SEEN)), default=0)
    if widest > COLUMNS:
        raise ValueError(f"{where}: got {widest:,} columns; expected at most {COLUMNS:,}; is this a table?")


def _text(where: Path, text: str, separator: str, texts: Sequence[str] | None, rows: int | None) -> pd.DataFrame:
    import io

    import pandas as pd

    kinds: Any = str if texts is None else dict.fromkeys(texts, str)
    missing = [""] if texts is None else MISSING
    try:
        found = pd.read_csv(
            io.StringIO(text), sep=separator, dtype=kinds, keep_default_na=False, na_values=missing, nrows=rows
        )
    except (pd.errors.ParserError, pd.errors.EmptyDataError, ValueError) as fault:
        raise ValueError(f"{where}: got no table that can be read ({fault}); expected columns in UTF-8") from fault
    turned = [] if texts is None else [name for name in found if name not in kinds and has_decimal_commas(found[name])]
    found = found.assign(**{str(name): with_points(found[name]) for name in turned})
    found.attrs["turned"] = len(turned)
    return found


def has_decimal_commas(cells: pd.Series[Any]) -> bool:
    """Whether texts are numbers, and some of them have a comma where others write a point."""
    filled = cells[cells.notna()]
    if filled.dtype.kind in "fiub" or not len(filled) or not _is_number(str(filled.iloc[0]).strip()):
        return False
    words = [str(cell).strip() for cell in filled]
    return any("," in word for word in words) and all(_is_number(word) for word in words)


def _is_number(word: str) -> bool:
    """Whether a text is a number, with a decimal comma or whole; one with a point beside those with commas is not."""
    return bool(DECIMAL_COMMA.fullmatch(word)) or word.lstrip("+-").isdigit()


def with_points(cells: pd.Series[Any]) -> pd.Series[float]:
    """Texts with decimal commas as numbers."""
    turned = [
        float("nan") if none else float(str(cell).replace(",", "."))
        for cell, none in zip(cells, cells.isna(), strict=True)
    ]
    return cells.__class__(turned, cells.index, dtype=float)


def _json(where: Path, texts: Sequence[str]) -> pd.DataFrame:
    """The table in JSON: a list of records, one record per line, or a record of columns."""
    import pandas as pd

    text, _ = _decoded(where)
    try:
        lines = [text] if where.suffix.lower() == ".json" else filter(str.strip, text.splitlines())
        parsed = [json.loads(line) for line in lines]
        held = parsed[0] if where.suffix.lower() == ".json" else parsed
        if isinstance(held, Mapping):
            held = next((value for value in held.values() if _are_records(value)), held)
        if not _are_records(held) and not _are_columns(held):
            raise ValueError("neither records nor columns")
        found = pd.DataFrame(held)
    except (ValueError, RecursionError) as fault:
        raise ValueError(
            f"{where}: got no table that can be read ({fault}); expected a list of records, or a record of columns"
        ) from fault
    return _with_texts(found, texts)


def _are_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, Mapping) for one in value)


def _are_columns(value: Any) -> bool:
    return isinstance(value, Mapping) and bool(value) and all(isinstance(one, list) for one in value.values())


def _parquet(where: Path, texts: Sequence[str]) -> pd.DataFrame:
    """The table in a Parquet file, in which columns have types: `texts` are made texts, NaN where they are empty."""
    read_file = _reader(where)
    try:
        found = read_file(str(where))
    except Exception as fault:  # each reader has errors of its own
        raise ValueError(
            f"{where}: got no table that can be read ({fault}); expected a complete Parquet file"
        ) from fault
    return _with_texts(found, texts)


def _with_texts(found: pd.DataFrame, texts: Sequence[str]) -> pd.DataFrame:
    told = {name: found[name] for name in texts if name in found}
    return found.assign(
        **{name: column.astype(str).astype(object).mask(column.isna()) for name, column in told.items()}
    )


def _reader(where: Path) -> Callable[[str], pd.DataFrame]:
    """Whatever reads Parquet here."""
    import pandas as pd

    if find_spec("pyarrow") or find_spec("fastparquet"):
        return pd.read_parquet
    if not find_spec("duckdb"):
        raise ValueError(
            f"{where}: nothing installed reads Parquet; install beholder[parquet], or write the table as .csv"
        )
    import duckdb  # type: ignore[import-not-found,unused-ignore]

    return lambda file: duckdb.read_parquet(file).df()
