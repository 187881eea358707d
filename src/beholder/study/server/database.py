"""A database that keeps what it has acknowledged: SQLite (WAL, synchronous=FULL) or PostgreSQL, with the same calls."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

from beholder.errors import DiskFull, Misuse

T = TypeVar("T")
Work = Callable[[Connection], T]
BATCH = 64  # transactions that share one fsync, at most
WAIT = 30.0  # seconds for which one process waits for another to have written
POOL = 12  # connections that read


class Full(DiskFull):
    """The database could not write: there is no space left."""


def database(url: str) -> SQLite | PostgreSQL:
    """The database behind a path or an address."""
    if url.startswith(("postgresql://", "postgres://")):
        return PostgreSQL(url)
    if "://" in url and not url.startswith("sqlite:///"):
        raise Misuse(f"got the database {url.split('://', maxsplit=1)[0]}://…; expected a path, or postgresql://…")
    return SQLite(Path(url.removeprefix("sqlite:///")))


class SQLite:
    """SQLite in one file. Writes of one process share transactions, and so fsyncs: each is a savepoint of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        _make_file(path)
        self.engine = create_engine(
            f"sqlite:///{path}", connect_args={"timeout": WAIT, "check_same_thread": False}, pool_size=POOL
        )
        event.listen(self.engine, "connect", _durable)
        event.listen(self.engine, "begin", _begin)
        self._jobs: queue.SimpleQueue[tuple[Work[Any], Future[Any]] | None] = queue.SimpleQueue()
        self._writer: threading.Thread | None = None
        self._starting = threading.Lock()

    def read(self, work: Work[T]) -> T:
        """What the work finds, in one view of the database."""
        with self.engine.connect() as connection, connection.begin():
            return work(connection)

    def write(self, work: Work[T]) -> T:
        """Do it in a transaction; when this returns, the answer is on the disk."""
        return self.submit(work).result()

    def submit(self, work: Work[T]) -> Future[T]:
        """The same, for a caller that does not want to wait at once."""
        with self._starting:
            if self._writer is None:
                self._writer = threading.Thread(target=self._write_on, name="study-writer", daemon=True)
                self._writer.start()
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()  # from now on nobody can take it back: who waits may go, the work is done
        self._jobs.put((work, future))
        return future

    def durability(self) -> str:
        """The setting by which a commit waits for the disk."""
        with self.engine.connect() as connection:
            level = connection.exec_driver_sql("PRAGMA synchronous").scalar()
            journal = connection.exec_driver_sql("PRAGMA journal_mode").scalar()
        return f"journal_mode={journal}, synchronous={level}"

    def close(self) -> None:
        """Finish what was begun."""
        if self._writer is not None:
            self._jobs.put(None)
            self._writer.join()
            self._writer = None
        self.engine.dispose()

    def _write_on(self) -> None:
        going = True
        while going:
            batch = [self._jobs.get()]
            while batch[-1] is not None and len(batch) < BATCH and not self._jobs.empty():
                batch.append(self._jobs.get())
            going = batch[-1] is not None
            self._commit([job for job in batch if job is not None])

    def _commit(self, batch: list[tuple[Work[Any], Future[Any]]]) -> None:
        """All of a batch in one transaction: only when it is on the disk does anybody hear of it."""
        done: list[tuple[Future[Any], Any, BaseException | None]] = []
        try:
            with self.engine.connect().execution_options(write=True) as connection, connection.begin():
                for work, future in batch:
                    try:
                        with connection.begin_nested():
                            done.append((future, work(connection), None))
                    except DBAPIError as fault:
                        if _broken(fault):
                            raise
                        done.append((future, None, fault))
                    except Exception as fault:  # noqa: BLE001  it belongs to who asked for the work
                        done.append((future, None, fault))
        except Exception as fault:  # noqa: BLE001  nothing of the batch was kept: everybody hears so
            said = Full(str(getattr(fault, "orig", None) or fault)) if _full(fault) else fault
            done = [(future, None, said) for _, future in batch]
        for future, result, problem in done:
            if problem is None:
                future.set_result(result)
            else:
                future.set_exception(problem)


def _make_file(path: Path) -> None:
    """A new database is for its owner's eyes only."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as fault:
        raise Misuse(f"the database {path} cannot be created: {fault.strerror}; choose another with --db") from fault


def _durable(connection: Any, _: Any) -> None:
    """Every connection waits for the disk; one that will not is refused."""
    connection.isolation_level = None  # transactions are begun by `_begin`, not by the driver
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {setting}").close()
    got = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
    if got != ["wal", 2]:
        raise Misuse(
            f"SQLite has journal_mode={got[0]}, synchronous={got[1]} here; expected wal and 2 (FULL); "
            "put the database on a local disk"
        )


def _begin(connection: Connection) -> None:
    write = connection.get_execution_options().get("write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def _full(fault: BaseException | None) -> bool:
    """Whether there was no space, or no leave to write; a failed rollback hides the first fault, so all are asked."""
    signs = ("database or disk is full", "disk i/o error", "no space left", "readonly database", "unable to open")
    while fault is not None:
        if isinstance(fault, DBAPIError) and any(sign in str(fault).lower() for sign in signs):
            return True
        fault = fault.__context__
    return False


def _broken(fault: DBAPIError) -> bool:
    """Whether the whole transaction is lost, not only one statement."""
    return _full(fault) or fault.connection_invalidated


class PostgreSQL:
    """PostgreSQL. A commit waits for the disk; whoever draws items locks the study's row."""

    path = None

    def __init__(self, url: str) -> None:
        address = url.split("://", maxsplit=1)[1]
        self.engine: Engine = create_engine(
            f"postgresql+psycopg://{address}", pool_size=POOL, max_overflow=0, pool_pre_ping=True
        )
        event.listen(self.engine, "connect", _waits)
        self._threads = ThreadPoolExecutor(POOL, thread_name_prefix="study-writer")

    def read(self, work: Work[T]) -> T:
        """What the work finds, in one transaction."""
        with self.engine.connect() as connection, connection.begin():
            return work(connection)

    def write(self, work: Work[T]) -> T:
        """Do it in a transaction; when this returns, the answer is on the disk."""
        try:
            with self.engine.connect() as connection, connection.begin():
                return work(connection)
        except DBAPIError as fault:
            if "no space left" in str(fault).lower() or "could not extend file" in str(fault).lower():
                raise Full(str(getattr(fault, "orig", None) or fault)) from fault
            raise

    def submit(self, work: Work[T]) -> Future[T]:
        """The same, for a caller that does not want to wait at once."""
        return self._threads.submit(self.write, work)

    def durability(self) -> str:
        """The settings by which a commit waits for the disk."""
        with self.engine.connect() as connection:
            names = ("fsync", "synchronous_commit")
            return ", ".join(f"{name}={connection.exec_driver_sql(f'SHOW {name}').scalar()}" for name in names)

    def close(self) -> None:
        """Finish what was begun, and give all connections back."""
        self._threads.shutdown()
        self.engine.dispose()


def _waits(connection: Any, _: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
        cursor.execute("SHOW fsync")
        (fsync,) = cursor.fetchone()
    connection.commit()
    if fsync != "on":
        raise Misuse("PostgreSQL runs with fsync = off; set fsync = on, or a power cut could lose answers")
