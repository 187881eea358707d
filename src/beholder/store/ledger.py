"""What a run has finished, kept so that a kill loses at most half a second of it (SQLite, write-ahead log)."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from beholder.errors import Misuse
from beholder.io.atomic import disk_full
from beholder.store.opened import Stamp, passing, stamp
from beholder.store.paths import cache_folder
from beholder.store.salvage import UNREADABLE, address, as_text, salvage
from beholder.store.seal import MISSING, SMALL_ARRAYS, WELL, is_whole, key_name, seal, spare_of, unseal

CHANGED = "changed during the run"  # for a digest: outcomes are of different states of the file
MISTYPED = (
    "select 1 from outcome where typeof(bench) || typeof(model) || typeof(id) || typeof(sealed) != 'texttexttextblob'"
    " union select 1 from opened where typeof(name) || typeof(facts) || typeof(digest) != 'texttexttext' limit 1"
)
BATCH = 0.5  # seconds between commits; "finished" means committed


class Ledger:
    """Outcomes by (benchmark on a dataset, model, sample). Without a path it lives in memory."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.mended = ""  # what is to be said where the file was damaged
        try:
            self._open()
        except UNREADABLE as fault:
            if isinstance(fault, sqlite3.OperationalError) and _code(fault) != sqlite3.SQLITE_ERROR:
                raise self._misuse(fault) from fault  # a full disk, a lock: no damage, so the file must stay there
            self._db.close()
            if path is None:
                raise
            for file in path.parent.glob(f"{path.name}*"):  # with its -wal and -shm
                file.replace(file.with_name(f"damaged-{file.name}"))
            self._open()
            self._mend(path.with_name(f"damaged-{path.name}"))

    def _mend(self, damaged: Path) -> None:
        """Take over what can still be read of a damaged ledger."""
        found = salvage(damaged)
        for name, own in found.opened.items():
            self._execute("insert or replace into opened values (?, ?, ?)", (name, *own))
        for key, sealed, failed in found.outcomes:
            self.enter(*key, sealed, failed=failed)
        self.commit()
        kept = len(found.outcomes)
        self.mended = (
            f"{self.path} was damaged: {kept} finished outcome{'s' * (kept != 1)} could be read and "
            f"{'are' if kept != 1 else 'is'} kept, the rest is computed again; what it was lies in {damaged.name}."
        )

    def _open(self) -> None:
        try:
            self._db = sqlite3.connect(self.path or ":memory:", isolation_level=None, timeout=10)
        except sqlite3.OperationalError as fault:  # it is somebody else's, or no file
            if self.path and self.path.is_dir():
                raise Misuse(
                    f"{self.path} is a folder; expected the file of finished outcomes: start over with --fresh"
                ) from fault
            raise Misuse(f"cannot open {self.path} ({fault}); expected a file of yours: choose another --out") from None
        self._db.text_factory = as_text
        # The whole check: the quick one would not see an id that has changed, and its outcome would be another sample's
        if self._db.execute("pragma integrity_check").fetchone() != ("ok",):
            raise sqlite3.DatabaseError(f"{self.path} is damaged")
        # The log's index (-shm) is mapped into memory: a model that cuts it short ends this process with SIGBUS, which
        # Python cannot turn into a sentence. What was finished is in the log, and the same command goes on. There is no
        # index with locking_mode = exclusive, but then `beholder runs` could not tell how far a run is; nor with a
        # rollback journal, but then a killed run could not be read until it is resumed: that takes a right to write.
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("pragma synchronous = full")  # a commit outlives a power cut, too; two a second cost little
        self._db.execute(
            "create table if not exists outcome (bench text, model text, id text, failed integer, sealed blob,"
            " primary key (bench, model, id))"
        )
        self._db.execute("create table if not exists opened (name text primary key, facts text, digest text)")
        self._db.execute("create table if not exists planned (bench text primary key, trials integer)")
        self._db.execute("create table if not exists sealed_by (key text)")
        if self._db.execute(MISTYPED).fetchone():  # a changed byte may turn bytes into text, which no check sees
            raise sqlite3.DatabaseError(f"{self.path} is damaged")
        self._open_since: float | None = None
        self._began = time.time()
        self._written: set[str] = set()
        self._name_key()
        self._broken: dict[tuple[str, str], set[str]] = {}  # samples by (benchmark, model), once they were read

    def _name_key(self) -> None:
        """Write down which key seals the outcomes from now on; of those in memory nobody will ask."""
        if self.path and self._db.execute("select key from sealed_by").fetchone() != (key_name(),):
            self._execute("delete from sealed_by", ())
            self._execute("insert into sealed_by values (?)", (key_name(),))
            self.commit()

    def expect(self, trials: Mapping[str, int]) -> None:
        """Write down how many trials there will be of each benchmark, for whoever asks how far the run is."""
        known = set(self._db.execute("select bench, trials from planned"))
        for row in trials.items() - known:  # nothing is written where nothing is new: the file stays as it is
            self._execute("insert or replace into planned values (?, ?)", row)
        self.commit()

    def note(self, opened: set[str], written: set[str]) -> None:
        """Write down the files that outcomes depend on, but for those that models have written themselves."""
        if self.path is None:  # nobody will resume it
            return
        for name in written - self._written:
            self._execute("delete from opened where name = ?", (name,))
        self._written.update(written)
        for name in opened - self._written:
            if passing(name, self._began) or (
                name.endswith("/") and any(own.startswith(name) for own in self._written)
            ):
                continue  # comes and goes, or is a folder that a model itself has written to
            row = self._execute("select facts, digest from opened where name = ?", (name,)).fetchone()
            known = Stamp(*row) if row else None
            now = stamp(name, known)
            if known and now.digest != known.digest:
                now = Stamp(now.facts, CHANGED)
            if now != known:
                self._execute("insert or replace into opened values (?, ?, ?)", (name, *now))

    def opened(self) -> dict[str, Stamp]:
        """The files that outcomes depend on, as they were."""
        return read_opened(self._db)

    def add(self, bench: str, model: str, id: str, outcome: Any) -> bytes:
        """Write one outcome down, and return it sealed; it is finished with the next commit."""
        sealed = seal(outcome, WELL, protocol=SMALL_ARRAYS)
        self.enter(bench, model, id, sealed, failed=bool(outcome.failure))
        return sealed

    def enter(self, bench: str, model: str, id: str, sealed: bytes, *, failed: bool = False) -> None:
        """Write down one outcome that is sealed already."""
        self._execute("insert or replace into outcome values (?, ?, ?, ?, ?)", (bench, model, id, failed, sealed))
        self._broken.get((bench, model), set()).discard(id)
        self.tick()

    def _execute(self, statement: str, row: tuple[Any, ...]) -> sqlite3.Cursor:
        try:
            if self._open_since is None:
                self._db.execute("begin")
                self._open_since = time.monotonic()
            return self._db.execute(statement, row)
        except sqlite3.DatabaseError as fault:
            raise self._misuse(fault) from fault

    def _misuse(self, fault: sqlite3.DatabaseError) -> Misuse:
        """What SQLite says as a sentence; what was not committed is given up."""
        self._open_since = None
        with contextlib.suppress(sqlite3.Error):
            self._db.execute("rollback")
        if self.path and _code(fault) == sqlite3.SQLITE_FULL:
            return disk_full(self.path.parent)
        if not isinstance(fault, sqlite3.OperationalError):
            return damaged_meanwhile(self.path, fault)
        return Misuse(f"cannot write {self.path}: {fault}; what was finished before is kept")

    def tick(self) -> None:
        """Commit when the oldest uncommitted outcome is half a second old."""
        if self._open_since is not None and time.monotonic() - self._open_since > BATCH:
            self.commit()

    def commit(self) -> None:
        """Make everything so far durable."""
        if self._open_since is not None:
            try:
                self._db.execute("commit")
            except sqlite3.DatabaseError as fault:
                raise self._misuse(fault) from fault
            self._open_since = None

    def outcomes(self, bench: str, model: str) -> Iterator[tuple[str, Any]]:
        """(sample id, outcome) of a model, one at a time; a damaged one is as if it had never been."""
        rows = self._db.execute("select id, sealed from outcome where bench = ? and model = ?", (bench, model))
        for id, blob in rows:
            outcome = unseal(blob)
            if outcome is not MISSING:
                yield id, outcome

    def outcome(self, bench: str, model: str, id: str) -> Any:
        """One outcome, or None."""
        row = self._db.execute(
            "select sealed from outcome where bench = ? and model = ? and id = ?", (bench, model, id)
        ).fetchone()
        found = unseal(row[0]) if row else MISSING
        return None if found is MISSING else found

    def finished(self, bench: str, model: str) -> set[str]:
        """The samples that a model has done with."""
        rows = self._db.execute("select id from outcome where bench = ? and model = ?", (bench, model))
        return {id for (id,) in rows} - self._unreadable(bench, model)

    def failed(self, bench: str, model: str) -> int:
        """How many of these samples it has failed on."""
        rows = self._db.execute("select id from outcome where bench = ? and model = ? and failed", (bench, model))
        return len({id for (id,) in rows} - self._unreadable(bench, model))

    def unreadable(self, bench: str) -> int:
        """How many outcomes are there that cannot be read: their seal is broken, or its key was lost."""
        models = self._db.execute("select distinct model from outcome where bench = ?", (bench,))
        return sum(len(self._unreadable(bench, model)) for (model,) in models.fetchall())

    def _unreadable(self, bench: str, model: str) -> set[str]:
        """The samples whose outcomes cannot be read. All are read once; what is entered later is whole."""
        if (bench, model) not in self._broken:
            rows = self._db.execute("select id, sealed from outcome where bench = ? and model = ?", (bench, model))
            states = {id: is_whole(blob) for id, blob in rows}
            one = next((id for id, whole in states.items() if whole), None)
            stale = one is not None and self.outcome(bench, model, one) is None  # another version's, as are all then
            self._broken[bench, model] = {id for id, whole in states.items() if stale or not whole}
        return self._broken[bench, model]

    def forget_failures(self) -> None:
        """Drop the failed outcomes, so that they are tried again."""
        self._execute("delete from outcome where failed", ())
        self.commit()

    def close(self) -> None:
        """Commit and close."""
        try:
            self.commit()
        finally:
            self._db.close()


def _code(fault: sqlite3.Error) -> int | None:
    """What SQLite calls a fault; Python's own have no code."""
    return getattr(fault, "sqlite_errorcode", None)


def damaged_meanwhile(path: Path | None, fault: sqlite3.Error) -> Misuse:
    """The sentence for a ledger that somebody else has written to."""
    return Misuse(
        f"{path} was damaged during the run ({fault}): does a model write to it? "
        "Give the same command again: what can still be read is kept"
    )


def refuse_sealed_elsewhere(path: Path) -> None:
    """Refuse a ledger of which nothing can be read because it was sealed with another key than that of the cache.

    Not where that key was never kept, or nobody knows which it was: then all is computed again.
    """
    count = 0
    with contextlib.suppress(*UNREADABLE), contextlib.closing(sqlite3.connect(address(path), uri=True)) as db:
        (name,) = db.execute("select key from sealed_by").fetchone() or ("",)
        if name in ("", key_name()):
            return
        for (blob,) in db.execute("select sealed from outcome"):
            if is_whole(blob):
                return
            count += 1
    if count:
        spare = spare_of(name)
        back = f"copy {spare} to {cache_folder() / 'key'}" if spare else "restore the former file 'key' there"
        ones = f"the {count} finished outcomes in {path} were" if count > 1 else f"the finished outcome in {path} was"
        raise Misuse(
            f"{ones} sealed with another key than that of {cache_folder()}; "
            f"set BEHOLDER_CACHE as it was, or {back}; --fresh computes everything again"
        )


def read_sealed(path: Path, bench: str, model: str) -> dict[str, bytes]:
    """What another run's ledger holds of a model and has not failed, sealed, by sample; nothing that cannot be read."""
    if not path.is_file():
        return {}
    query = "select id, sealed from outcome where bench = ? and model = ? and not failed"
    try:
        with contextlib.closing(sqlite3.connect(address(path), uri=True)) as db:
            return dict(db.execute(query, (bench, model)))
    except UNREADABLE:
        return {}


def read_opened(db: sqlite3.Connection) -> dict[str, Stamp]:
    """The files that the outcomes in a ledger depend on."""
    return {name: Stamp(*rest) for name, *rest in db.execute("select name, facts, digest from opened")}
