"""Long tables → columns: CSV and TSV, Parquet where a reader of it is installed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beholder.io.bounds import LARGEST, check_file

if TYPE_CHECKING:
    import pandas as pd

SUFFIXES = (".csv", ".tsv", ".parquet")
COLUMNS = 10_000  # the most that a table may have: each costs far more than the byte that makes it
_LINE, _SEEN = 1 << 20, 100  # how many of its lines are looked at, and how much of each
MISSING = ["", "n/a", "NA", "NaN", "nan", "null", "None"]


def read(path: Path | str, texts: Sequence[str] | None = (), *, limit: int = LARGEST) -> pd.DataFrame:
    """The table in a file; numbers as numbers, all else as texts, and so are the columns `texts`: 007 is not 7.

    With None every column of a text file is text as it stands there, and only an empty cell is missing.
    """
    where = Path(path)
    suffix = where.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{where}: got the suffix {suffix!r}; expected {', '.join(SUFFIXES)}")
    if suffix == ".parquet":
        return _parquet(where, texts or ())
    check_file(where, limit)
    _check_columns(where)
    return _text(where, "\t" if suffix == ".tsv" else ",", texts)


def _check_columns(where: Path) -> None:
    """Refuse a table of too many columns, by its first lines."""
    with where.open("rb") as file:
        filled = (line for line in iter(lambda: file.readline(_LINE), b"") if line.strip())
        widest = max((line.count(b",") + line.count(b"\t") for line in islice(filled, _SEEN)), default=0)
    if widest > COLUMNS:
        raise ValueError(f"{where}: got {widest:,} columns; expected at most {COLUMNS:,}; is this a table?")


def _text(where: Path, separator: str, texts: Sequence[str] | None) -> pd.DataFrame:
    import pandas as pd

    kinds: Any = str if texts is None else dict.fromkeys(texts, str)
    missing = [""] if texts is None else MISSING
    try:
        return pd.read_csv(
            where, sep=separator, encoding="utf-8-sig", dtype=kinds, keep_default_na=False, na_values=missing
        )
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError, ValueError) as fault:
        raise ValueError(f"{where}: got no table that can be read ({fault}); expected columns in UTF-8") from fault


def _parquet(where: Path, texts: Sequence[str]) -> pd.DataFrame:
    """The table in a Parquet file, in which columns have types: `texts` are made texts, NaN where they are empty."""
    read_file = _reader(where)
    try:
        found = read_file(str(where))
    except Exception as fault:  # each reader has errors of its own
        raise ValueError(
            f"{where}: got no table that can be read ({fault}); expected a complete Parquet file"
        ) from fault
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
