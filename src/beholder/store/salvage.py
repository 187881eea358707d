"""What can still be read of a damaged ledger: outcomes whose seal is whole and whose key table and index agree on."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Any, NamedTuple

from beholder.store.opened import Stamp
from beholder.store.seal import MISSING, unseal

UNREADABLE = (sqlite3.Error, UnicodeDecodeError)  # the latter where a message of SQLite's quotes damaged text
BOTH_WAYS = ("asc", "desc")  # a damaged page stops a reader: it is met from both sides


class Salvaged(NamedTuple):
    """What was found: outcomes by (benchmark, model, sample), sealed, and the files that they depend on."""

    outcomes: list[tuple[tuple[str, str, str], bytes, bool]]
    opened: dict[str, Stamp]


def as_text(data: bytes) -> str:
    """Text of a file that may be damaged."""
    return data.decode("utf-8", "replace")


def address(path: Path) -> str:
    """A ledger to be read by SQLite; without a log beside it, in such a way that none is left there."""
    alone = "" if path.with_name(f"{path.name}-wal").exists() else "&immutable=1"
    return f"{path.absolute().as_uri()}?mode=ro{alone}"


def salvage(path: Path) -> Salvaged:
    """Everything that is whole; nothing where it is no longer known on which files that depends."""
    try:
        with contextlib.closing(sqlite3.connect(address(path), uri=True)) as db:
            db.text_factory = as_text
            opened = {name: Stamp(*rest) for name, *rest in db.execute("select name, facts, digest from opened")}
            rows = {row[0]: row for way in BOTH_WAYS for row in _rows(db, way)}
            found = [_checked(db, *row) for _, row in sorted(rows.items())]
    except UNREADABLE:
        return Salvaged([], {})
    return Salvaged([one for one in found if one], opened)


def _rows(db: sqlite3.Connection, way: str) -> list[tuple[Any, ...]]:
    """The rows up to the first that cannot be read."""
    found = []
    with contextlib.suppress(*UNREADABLE):
        for row in db.execute(f"select rowid, bench, model, id, sealed from outcome order by rowid {way}"):
            found.append(row)
    return found


def _checked(
    db: sqlite3.Connection, number: int, bench: Any, model: Any, id: Any, sealed: Any
) -> tuple[tuple[str, str, str], bytes, bool] | None:
    """A row, if its seal is whole and the index knows it by the same key."""
    outcome = unseal(sealed) if isinstance(sealed, bytes) else MISSING
    if outcome is MISSING:
        return None
    query = "select rowid from outcome indexed by sqlite_autoindex_outcome_1 where bench = ? and model = ? and id = ?"
    try:
        known = db.execute(query, (bench, model, id)).fetchall()
    except UNREADABLE:
        return None
    return ((bench, model, id), sealed, bool(getattr(outcome, "failure", ""))) if known == [(number,)] else None
