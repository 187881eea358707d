"""A study with its database opened, for as long as a verb needs it; what is no study's database is left alone."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from beholder.errors import Misuse, listed
from beholder.study.design.file import Study
from beholder.study.operations.held import held
from beholder.study.operations.place import KEY, Place, Secrets, database, is_file, place, secrets_of
from beholder.study.operations.private import unwritable
from beholder.study.server.security import Keys, hidden, key_place

if TYPE_CHECKING:
    from beholder.study.server.store import Store

MAGIC, HEADER = b"SQLite format 3\0", 100  # bytes that an SQLite file begins with


@dataclass(frozen=True)
class Opened:
    """A study, where it lies, and its database."""

    at: Place
    url: str
    store: Store
    trouble: str = ""  # what is wrong with the key, where the verb can do without it
    known: Secrets | None = None

    @property
    def secrets(self) -> Secrets:
        """The key and the admin word; where the key is missing or another one, this is refused."""
        if self.known is None or self.trouble:
            raise Misuse(self.trouble or f"{hidden(self.url)} has no study key yet; beholder study serve creates it")
        return self.known

    @property
    def study(self) -> Study:
        """The study as it was served last; if it never was, as its file has it."""
        name = self.at.study.name
        return self.store.study(name) if name in self.store.names() else self.at.study


@contextmanager
def opened(word: str, db: str = "", *, make: bool = False, people: bool = False) -> Iterator[Opened]:
    """The study that a word names, with its database; one that is not there is refused, or made.

    `people`: the verb finds somebody by the key, so a key that does not fit is refused. Others only say it: a lost
    key is no reason to withhold answers.
    """
    at = place(word)
    url = database(db, at)
    with connected(url, at, make=make) as it:
        names = it.store.names()
        if not make and at.study.name not in names:
            raise Misuse(
                f"got {at.study.name!r}, which {hidden(url)} does not hold (it holds {listed(names) or 'nothing'}); "
                f"correct --db, or serve the study first: beholder study serve {word}"
            )
        if people and it.trouble:
            raise Misuse(it.trouble)
        yield it


@contextmanager
def connected(url: str, at: Place, *, make: bool = False) -> Iterator[Opened]:
    """A database, looked at before anything is written; `make`: it, and its key, where there is none yet."""
    from sqlalchemy.exc import DatabaseError

    from beholder.study.server.database import Full
    from beholder.study.server.store import Store

    if is_file(url):
        refuse_stranger(Path(url))
        if not make and (not Path(url).is_file() or not Path(url).stat().st_size):
            raise Misuse(
                f"got no answers at {url}; expected a study that has been served, or --db with the place of its answers"
            )
    secrets_of(url, at)  # a key that cannot be used is refused before a database is made
    store = None
    inside = False
    try:
        store = Store(url, b"")
        begun = store.fingerprints()
        secrets = secrets_of(url, at, make=make and not begun)
        trouble = misfit(begun, secrets, key_place(url, at.folder))
        if trouble and make:
            raise Misuse(trouble)
        store.keys = Keys(secrets.key if secrets else b"")
        inside = True
        yield Opened(at, url, store, trouble, secrets)
    except Full as fault:
        why = str(fault).partition("\n")[0].rpartition(") ")[2]
        mend = "nothing was changed" if inside else "SQLite writes files beside the database even when it only reads"
        raise Misuse(
            f"the database {hidden(url)} cannot be {'written' if inside else 'opened'}: {why}; free some space or "
            f"correct its permissions, then try again: {mend}"
        ) from fault
    except (DatabaseError, sqlite3.Error) as fault:
        raise unusable(url, getattr(fault, "orig", fault)) from fault
    finally:
        if store is not None:
            store.close()


@contextmanager
def tried(word: str, db: str = "") -> Iterator[tuple[Place, str, RoundTrip]]:
    """The study that a word names, its database's address, and what can be written there and read; nothing stays.

    Where there is no database yet, one is made in a folder beside its place, and deleted.
    """
    at = place(word)
    url = database(db, at)
    if is_file(url) and (not Path(url).exists() or not Path(url).stat().st_size):
        secrets_of(url, at)  # a key that lies there already must be one
        with _beside(Path(url)) as other, connected(str(other), at, make=True) as it:
            yield at, url, it.store
    elif not is_file(url) and not held(url):
        yield at, url, Passing(url)
    else:
        with connected(url, at) as it:
            if it.trouble:
                raise Misuse(it.trouble)
            yield at, url, it.store


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """The place of a database for a moment, on the same disk."""
    try:
        folder = tempfile.mkdtemp(dir=path.parent, prefix=".check-")
    except OSError as fault:
        raise unwritable(path, fault) from fault
    try:
        yield Path(folder) / path.name
    except Misuse as fault:
        raise Misuse(str(fault).replace(f"{folder}/", f"{path.parent}/")) from fault
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class RoundTrip(Protocol):
    """Something that keeps what is written."""

    def round_trip(self) -> None:
        """Write, read and delete something; raises what goes wrong."""


class Passing:
    """A PostgreSQL database that holds no study yet: what is written is gone with the connection."""

    def __init__(self, url: str) -> None:
        self.url = url

    def round_trip(self) -> None:
        """Write and read a row of a table of our own, and see whether tables may be made."""
        from beholder.study.server.database import database as base

        it = base(self.url)
        try:
            found = it.write(_written)
        finally:
            it.close()
        if found != ("check", True):
            raise Misuse("its user may not make tables there: GRANT CREATE ON SCHEMA public")


def _written(connection: Any) -> tuple[str, bool]:
    connection.exec_driver_sql("CREATE TEMP TABLE beholder_check (what text) ON COMMIT DROP")
    connection.exec_driver_sql("INSERT INTO beholder_check VALUES ('check')")
    what = connection.exec_driver_sql("SELECT what FROM beholder_check").scalar()
    may = connection.exec_driver_sql("SELECT has_schema_privilege(current_schema(), 'CREATE')").scalar()
    return what, bool(may)


def unusable(url: str, why: object) -> Misuse:
    """The sentence on a database that cannot be read or written."""
    return Misuse(
        f"the database {hidden(url)} cannot be used: {why}; check its permissions and disk, or restore a copy: "
        "beholder study backup --restore"
    )


def misfit(begun: Mapping[str, str], secrets: Secrets | None, file: Path) -> str:
    """What is wrong with the key of a database, in a sentence; `begun`: study → fingerprint of its key."""
    mend = (
        "without it, returning participants are not recognised, and links already sent do not work; put it back at "
        f"{file}, or set {KEY}; if it is lost, start a new database with new participants (--db)"
    )
    if begun and secrets is None:
        return f"the study key of {listed(begun)} is missing; {mend}"
    own = Keys(secrets.key).fingerprint if secrets else ""
    others = [name for name, mark in begun.items() if mark != own]
    where = KEY if os.environ.get(KEY) else str(file)
    return f"the study key in {where} is not the one that {listed(others)} was started with; {mend}" if others else ""


def refuse_stranger(path: Path) -> None:
    """Refuse a file that is no database, half of one, or somebody else's; nothing is written."""
    if not path.exists():
        return
    mend = "expected the database of a study, or a path that does not exist yet"
    if not path.is_file():
        raise Misuse(f"got --db {path}, which is not a file; {mend}")
    try:
        with path.open("rb") as file:
            head = file.read(HEADER)
    except OSError as fault:
        raise Misuse(f"got --db {path}, which cannot be read ({fault.strerror}); correct its permissions") from None
    if not head:
        return
    if not head.startswith(MAGIC):
        raise Misuse(f"got --db {path}, which is not a database; {mend}")
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size:
        return  # what stands in the log completes the file
    if len(head) < HEADER or path.stat().st_size < _whole(head):
        raise Misuse(
            f"got --db {path}, which is incomplete ({path.stat().st_size} bytes of {_whole(head)}); restore a copy: "
            "beholder study backup --restore"
        )
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)) as base:
            tables = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    except sqlite3.Error as fault:
        raise unusable(str(path), fault) from fault
    if tables and "studies" not in tables:
        raise Misuse(f"got --db {path}, which holds {listed(tables, most=3)} but no study; {mend}")


def _whole(head: bytes) -> int:
    """How many bytes an SQLite file has by its own header: the size of a page times their number."""
    size = int.from_bytes(head[16:18], "big")
    return (65536 if size == 1 else size) * int.from_bytes(head[28:32], "big")
