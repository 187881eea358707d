"""A copy of the database while people answer, and the way back."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex

from beholder.errors import Misuse, listed
from beholder.io.atomic import FULL, disk_full
from beholder.study.operations.held import copied, held
from beholder.study.operations.opening import refuse_stranger, unusable
from beholder.study.operations.place import KEY, Place, is_file
from beholder.study.operations.private import FILE, make_folder, unwritable, write_private
from beholder.study.operations.wording import count_of
from beholder.study.server.security import Keys, hidden, key_place, study_key

STAMP = "%Y%m%dT%H%M%SZ"
NAME_IT = f"give the key file with --key FILE, or set {KEY}"


def backup(
    url: str, out: Path, *, study: str = "", keep: int = 0, now: datetime | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Path:  # fmt: skip
    """Copy the database into the folder `out` under the name of this moment; only the newest `keep` stay (0: all).

    A database without a session is refused: it would push out copies that hold some. `study`: it must hold this one.
    Copies with more sessions than the new one stay, and `say` is told of them.
    """
    if is_file(url) and not Path(url).is_file():
        raise Misuse(f"got {url}, which is not a file; expected the database of a study that has been served")
    if is_file(url):
        refuse_stranger(Path(url))
    _refuse_empty(url, study)
    made = make_folder(out)
    suffix = ".sqlite" if is_file(url) else ".dump"
    target = out / f"answers-{(now or datetime.now(UTC)).strftime(STAMP)}{suffix}"
    try:
        with _draft(target) as draft:
            if is_file(url):
                _copy(Path(url), draft)
            else:
                _run(["pg_dump", "--format=custom", "--no-owner", f"--file={draft}"], url)
    finally:
        if made and not any(out.iterdir()):
            out.rmdir()
    _rotate(sorted(out.glob(f"answers-*Z{suffix}"))[: -keep or None] if keep else [], target, say)
    return target


def _refuse_empty(url: str, study: str) -> None:
    try:
        many = held(url)
    except sqlite3.Error as fault:
        raise unusable(url, fault) from fault
    if study and study not in many:
        raise Misuse(
            f"got {hidden(url)}, which does not hold {study!r} (it holds {listed(many) or 'nothing'}); nothing was "
            "copied; correct --db"
        )
    if not sum(many.values()):
        raise Misuse(
            f"got {hidden(url)}, which holds no session; nothing was copied, to protect older copies; correct --db, "
            "or wait until somebody takes part"
        )


def _rotate(old: Sequence[Path], newest: Path, say: Callable[[str], None]) -> None:
    """Delete old copies, but none that holds more sessions than the newest, or of which that cannot be told."""
    here = copied(newest) if old else None
    for copy in old:
        many = copied(copy)
        if here is not None and many is not None and many <= here:
            copy.unlink()
            continue
        more = "sessions that cannot be counted" if many is None or here is None else f"{many} sessions"
        than = "" if here is None else f", the newest {here}"
        say(f"{copy} stays, because it holds {more}{than}; if that is expected, delete it yourself")


def restore(file: Path, url: str, at: Place, key: Path | None = None) -> None:
    """Bring a copy back into a database that is not there yet, or holds no session; its key must be at hand.

    A copy does not hold the key: `key` is the file that it was kept in, unless it lies where it belongs already.
    """
    if not file.is_file():
        raise Misuse(f"got {file}, which is not a file; expected a copy made by beholder study backup")
    with file.open("rb") as copy:
        head = copy.read(16)
    lite = head.startswith(b"SQLite format 3")
    if not lite and not head.startswith(b"PGDMP"):
        raise Misuse(f"got {file}, which is not a copy; expected one made by beholder study backup")
    if lite != is_file(url):
        kind = "SQLite" if lite else "PostgreSQL"
        raise Misuse(f"got a copy of a {kind} database for {hidden(url)}; expected one of the same kind")
    if lite:
        _refuse_answers(Path(url))
    place = key_place(url, at.folder)
    own = _key_file(key, place)
    if not lite:
        if not own and not os.environ.get(KEY):
            raise Misuse(f"the copy needs the key of its studies, and there is none at {place}; {NAME_IT}")
        _run(["pg_restore", "--exit-on-error", "--single-transaction", "--no-owner", str(file)], url, name="--dbname")
        _keep(own, place)
        return
    with _draft(Path(url)) as draft:
        _copy(file, draft)
        _refuse_key(draft, own, place)
        _release(Path(url))
        _keep(own, place)


def _refuse_answers(path: Path) -> None:
    """Refuse to write over a database that holds a session, or over what is no study's database."""
    if not path.exists():
        return
    refuse_stranger(path)
    try:
        many = sum(held(str(path)).values())
    except sqlite3.Error as fault:
        raise Misuse(f"got {path}, which exists but cannot be read ({fault}); move it away first") from fault
    if many:
        raise Misuse(
            f"got {path}, which exists and holds {count_of(many, 'session')}; it will not be overwritten: move it "
            "away first"
        )


def _release(path: Path) -> None:
    """Make an empty database one file that nobody uses: its log would spoil the one that takes its place."""
    if not path.exists():
        return
    try:
        with closing(sqlite3.connect(path, timeout=1)) as base:
            base.execute("PRAGMA journal_mode=DELETE").fetchall()
    except sqlite3.Error as fault:
        raise Misuse(f"got {path}, which is in use ({fault}); stop the server first") from fault
    _refuse_answers(path)  # somebody may have come meanwhile


def _key_file(key: Path | None, place: Path) -> Path | None:
    """The key file that is named, or that lies where it belongs."""
    if key is None:
        return place if place.is_file() else None
    if not key.is_file():
        raise Misuse(
            f"got --key {key}, which is not a file; expected the key file, which is kept apart from the copies"
        )
    if place.exists() and place.read_bytes() != key.read_bytes():
        raise Misuse(f"got --key {key}, but there is another key at {place}; move that away first")
    return key


def _refuse_key(copy: Path, own: Path | None, place: Path) -> None:
    """Refuse a copy whose key is not at hand: better now than when people come back."""
    with closing(sqlite3.connect(copy)) as base:
        tables = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        if "studies" not in tables:
            raise Misuse("got a copy that holds no study; expected one made by beholder study backup")
        begun = dict(base.execute("SELECT name, key FROM studies").fetchall())
    mark = Keys(study_key(own or place)).fingerprint if own or os.environ.get(KEY) else ""
    others = [name for name, needed in begun.items() if needed != mark]
    if others:
        got = f"{KEY if os.environ.get(KEY) else own} holds another key" if mark else f"there is none at {place}"
        raise Misuse(f"the copy needs the key that {listed(others)} was started with, but {got}; {NAME_IT}")


def _keep(own: Path | None, place: Path) -> None:
    """Put the key where it belongs."""
    if own is not None and not place.exists():
        write_private(place, own.read_bytes())


@contextmanager
def _draft(target: Path) -> Iterator[Path]:
    """A file beside its final place that takes it when all went well; nobody but its owner reads it."""
    draft = target.with_name(f".{target.name}.{token_hex(4)}")
    try:
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, FILE))
        yield draft
        draft.chmod(FILE)
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        draft.replace(target)
    except OSError as fault:
        if isinstance(fault, Misuse):
            raise
        raise disk_full(target.parent) if fault.errno in FULL else unwritable(target, fault) from fault
    finally:
        for rest in ("", "-journal", "-wal", "-shm"):
            with suppress(OSError):  # where nothing can be written, nothing can be left
                draft.with_name(draft.name + rest).unlink()


def _copy(source: Path, target: Path) -> None:
    """SQLite's own online copy: it holds all that was committed when it began, whoever writes meanwhile."""
    try:
        with (
            closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as old,
            closing(sqlite3.connect(target)) as new,
        ):
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
            (whole,) = new.execute("PRAGMA integrity_check").fetchone()
    except sqlite3.DatabaseError as fault:
        if "full" in str(fault):
            raise disk_full(target.parent) from fault
        raise Misuse(f"{source} cannot be copied: {fault}") from fault
    if whole != "ok":
        raise Misuse(f"{source} is damaged ({whole}); use an earlier copy")


def _run(words: Sequence[str], url: str, name: str = "--dbname") -> None:
    """One of PostgreSQL's programs; the password goes by the environment, where others do not see it."""
    if shutil.which(words[0]) is None:
        raise Misuse(f"{words[0]} is not installed; on Debian: apt-get install postgresql-client")
    plain = url.replace("postgres://", "postgresql://", 1)
    head, at, tail = plain.removeprefix("postgresql://").rpartition("@")
    user, _, word = head.partition(":")
    address = f"postgresql://{user}{at}{tail}"
    env = os.environ | ({"PGPASSWORD": _unquoted(word)} if word else {})
    done = subprocess.run([*words, f"{name}={address}"], env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Misuse(f"{words[0]} failed on {hidden(url)}: {done.stderr.strip()[-500:]}")


def _unquoted(word: str) -> str:
    from urllib.parse import unquote

    return unquote(word)
