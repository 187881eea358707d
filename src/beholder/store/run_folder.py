"""The folder of a run: who owns it, and what of it is ours."""

from __future__ import annotations

import contextlib
import fcntl
import json
import shutil
import sqlite3
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, NamedTuple

from beholder.errors import Misuse, listed
from beholder.io.atomic import list_drafts, write_whole
from beholder.io.names import special
from beholder.io.reading import parse_json
from beholder.store import opened, run_json
from beholder.store.ledger import Ledger, damaged_meanwhile, read_opened, refuse_sealed_elsewhere
from beholder.store.salvage import UNREADABLE, address

MARK = "beholder run"  # the first words of a run folder's `config`
LEDGER, LOCK = "ledger.sqlite", ".lock"
PATIENCE = 1.0  # seconds: who only looks whether a run is under way holds its lock for an instant
# What a run writes into its folder; --fresh removes these and nothing else.
RUN_FILES = (
    f"{LEDGER}*",
    "damaged-*",
    "scores.csv",
    run_json.NAME,
    "report.html",
    "compare-*.html",
    "answers",
    "figures",
    "tuned.toml",
    "config",  # last: without it, nobody would know whose the rest is
)


class Config(NamedTuple):
    """What tells a run from another one: in a word, and part by part."""

    digest: str
    parts: Mapping[str, str] = {}


class Owned(NamedTuple):
    """A run folder that nobody else writes to."""

    ledger: Ledger
    started: str  # when the run began, in this session or an earlier one


@contextlib.contextmanager
def own(folder: Path, config: Config, *, fresh: bool = False, retry: bool = False) -> Iterator[Owned]:
    """The folder, locked, with its ledger; refuses a folder that holds another run, and says what differs.

    `fresh` starts over, `retry` forgets failures, so that they are tried again.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / LOCK).open("w")
    except FileExistsError:
        raise Misuse(f"{folder} is not a folder; choose another --out") from None
    except OSError as fault:
        raise Misuse(f"cannot write to {folder}: {fault.strerror}; choose another --out") from None
    with lock:
        try:
            _take(lock)
        except BlockingIOError:
            raise Misuse(f"{folder} is being written by another run; wait for it, or choose another --out") from None
        except OSError as fault:
            raise Misuse(
                f"{folder} cannot be locked ({fault.strerror}), so two runs could write there at once; choose an --out "
                "on a local disk, or mount this file system with locks (flock)"
            ) from None
        started = _claim(folder, config, fresh=fresh)
        refuse_sealed_elsewhere(folder / LEDGER)
        ledger = Ledger(folder / LEDGER)
        try:
            refuse_changed(folder, opened.list_changed(ledger.opened()))
            if retry:
                ledger.forget_failures()
            yield Owned(ledger, started)
        except sqlite3.DatabaseError as fault:
            raise damaged_meanwhile(folder / LEDGER, fault) from fault
        finally:
            ledger.close()


def _take(lock: IO[str]) -> None:
    """Take the lock; it is let go when its file is closed."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def read_parts(folder: Path) -> dict[str, str]:
    """All that tells the run in a folder from another one; nothing where that is not known."""
    try:
        found = parse_json(_read_config(folder)[1])
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def begun(folder: Path) -> bool:
    """Whether a run has begun in this folder."""
    return (folder / LEDGER).is_file()


def list_changed(folder: Path) -> dict[str, str]:
    """Of the files that the run in a folder depends on, those that have changed since."""
    file = folder / LEDGER
    if not file.is_file():
        return {}
    try:
        with contextlib.closing(sqlite3.connect(address(file), uri=True)) as db:
            return opened.list_changed(read_opened(db))
    except UNREADABLE:  # damaged, or of an older version: who opens it to write will say so
        return {}


def refuse_changed(folder: Path, files: Mapping[str, str]) -> None:
    """Refuse a run some of whose files have changed since."""
    if files:
        raise Misuse(
            f"{folder} holds older scores: {opened.tell_changed(files)} since; "
            "start over with --fresh, or choose another --out"
        )


def refuse_other(folder: Path, config: Config, *, fresh: bool) -> None:
    """Refuse a folder that holds something else: another run, unless that is to be removed, or no run at all."""
    known = read_mark(folder)
    if known is None and any(not path.name.startswith(".") for path in folder.iterdir()):
        raise Misuse(f"{folder} is not empty and holds no Beholder run; choose another --out")
    if known is not None and known[0] != config.digest and not fresh:
        raise Misuse(
            f"{folder} holds another run: {_difference(folder, config)}; "
            "choose another --out, or start over with --fresh"
        )


def _claim(folder: Path, config: Config, *, fresh: bool) -> str:
    """When the run in this folder began, if it is this one; a foreign one is refused, with `fresh` it is removed."""
    refuse_other(folder, config, fresh=fresh)
    for name in ("config", "scores.csv", run_json.NAME):  # in a run's folder, only who holds the lock writes these
        for draft in list_drafts(folder / name):
            draft.unlink(missing_ok=True)
    if fresh:
        for path in [path for pattern in RUN_FILES for path in folder.glob(pattern)]:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    known = read_mark(folder)
    started = known[1] if known else datetime.now(UTC).isoformat(timespec="seconds")
    parts = json.dumps(dict(config.parts), ensure_ascii=False, indent=0)
    write_whole(folder / "config", f"{MARK} {config.digest} {started}\n{parts}\n")
    return started


def _difference(folder: Path, config: Config) -> str:
    """What of this run differs from the one in a folder."""
    before, now = read_parts(folder), config.parts
    changed = [key for key in {**before, **now} if before.get(key) != now.get(key)]
    if not before or not changed:
        return "another model, dataset, setting or version"
    return listed((_what_differs(key, before.get(key), now.get(key)) for key in changed), most=3)


def _what_differs(key: str, before: str | None, now: str | None) -> str:
    """One part of a run that differs.

    >>> _what_differs("--seed", "0", "1"), _what_differs("/w.npz", "1f", None)
    ('--seed was 0 and is 1', '/w.npz is not part of this one')
    """
    name = opened.name_files([key]) if key.startswith("/") else key
    if before is None or now is None:
        return f"{name} is not part of {'that' if before is None else 'this'} one"
    if key.startswith("--"):
        return f"{key} was {before or 'not given'} and is {now or 'not given'}"
    return f"{name} has changed"


def _read_config(folder: Path) -> tuple[str, str]:
    """The first line of a run's `config`, and what follows."""
    file = folder / "config"
    if kind := special(file):
        raise OSError(f"{file} is {kind}")
    first, _, rest = file.read_text("utf-8").partition("\n")
    return first, rest


def read_mark(folder: Path) -> tuple[str, str] | None:
    """Configuration and beginning of the run in a folder; None where there is none of ours."""
    try:
        words = _read_config(folder)[0].split()
    except (OSError, UnicodeDecodeError):
        return None
    return (words[2], words[3]) if len(words) == 4 and " ".join(words[:2]) == MARK else None
