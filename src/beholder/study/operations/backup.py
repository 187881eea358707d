"""A copy of the database while people answer, and the way back."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex

from beholder.errors import Misuse
from beholder.study.operations.place import is_file
from beholder.study.server.security import hidden

STAMP = "%Y%m%dT%H%M%SZ"


def backup(url: str, out: Path, *, keep: int = 0, now: datetime | None = None) -> Path:
    """Copy the database into the folder `out` under the name of this moment; only the newest `keep` stay (0: all)."""
    out.mkdir(parents=True, exist_ok=True)
    suffix = ".sqlite" if is_file(url) else ".dump"
    target = out / f"answers-{(now or datetime.now(UTC)).strftime(STAMP)}{suffix}"
    draft = target.with_name(f".{target.name}.{token_hex(4)}")
    try:
        if is_file(url):
            _copy(Path(url), draft)
        else:
            _run(["pg_dump", "--format=custom", "--no-owner", f"--file={draft}"], url)
        draft.chmod(0o600)
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    for old in sorted(out.glob(f"answers-*Z{suffix}"))[: -keep or None] if keep else []:
        old.unlink()
    return target


def restore(file: Path, url: str) -> None:
    """Bring a copy back into a database that is not there yet, or is empty."""
    if not file.is_file():
        raise Misuse(f"got {file}, which is no file; expected a copy that beholder study backup made")
    with file.open("rb") as copy:
        lite = copy.read(16).startswith(b"SQLite format 3")
    if lite != is_file(url):
        kind = "SQLite" if lite else "PostgreSQL"
        raise Misuse(f"got a copy of a {kind} database for {hidden(url)}; expected one of the same kind")
    if not lite:
        _run(["pg_restore", "--exit-on-error", "--single-transaction", "--no-owner", str(file)], url, name="--dbname")
        return
    target = Path(url)
    if target.exists():
        raise Misuse(f"got {target}, which is there; move it away first: nothing is written over it")
    draft = target.with_name(f".{target.name}.{token_hex(4)}")
    try:
        _copy(file, draft)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    """SQLite's own online copy: it holds all that was committed when it began, whoever writes meanwhile."""
    if not source.is_file():
        raise Misuse(f"got {source}, which is no file; expected the database of a study that was served")
    try:
        with (
            closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as old,
            closing(sqlite3.connect(target)) as new,
        ):
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
            (whole,) = new.execute("PRAGMA integrity_check").fetchone()
    except sqlite3.DatabaseError as fault:
        raise Misuse(f"{source} cannot be copied: {fault}") from fault
    if whole != "ok":
        raise Misuse(f"{source} is damaged ({whole}); take an earlier copy")


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
