"""Which runs there are below a folder, and how far each is: read, never written."""

from __future__ import annotations

import contextlib
import fcntl
import sqlite3
from pathlib import Path
from typing import Any, NamedTuple

from beholder.errors import Misuse
from beholder.store import run_json
from beholder.store.run_folder import LEDGER, LOCK, read_mark
from beholder.store.salvage import UNREADABLE, address
from beholder.store.seal import is_whole

WHOLE = "is_whole(sealed)"  # of outcomes: those whose seal is unbroken
PRODUCT = (run_json.NAME, "scores.csv")  # what a report is made of


class Finished(NamedTuple):
    """What a ledger holds of one model."""

    ids: frozenset[str]  # samples
    failed: int
    bytes: int


class RunState(NamedTuple):
    """A run as its folder tells."""

    folder: Path
    started: str
    state: str  # running, stopped, done, or damaged: its run.json cannot be read
    scored: bool  # whether it has scores that can be read
    share: float | None  # of its trials that are finished; None: not known
    failed: int
    seconds: float | None
    size: int  # bytes


def list_runs(root: Path) -> list[RunState]:
    """The runs below a folder, newest first; a folder that is itself a run is the only one."""
    if _is_run(root):
        return [_run(root)]
    folders = {file.parent for name in ("config", run_json.NAME) for file in root.glob(f"*/{name}")}
    return [_run(folder) for folder in sorted(folders, key=_touched, reverse=True) if _is_run(folder)]


def _is_run(folder: Path) -> bool:
    """Whether a run was made here, or its product was copied here: its scores, and the facts of it."""
    return read_mark(folder) is not None or all((folder / name).is_file() for name in PRODUCT)


def _touched(folder: Path) -> float:
    """When a run was begun, finished or copied; 0 where it has gone away meanwhile."""
    with contextlib.suppress(OSError, ValueError):
        return max(file.stat().st_mtime for name in ("config", run_json.NAME) if (file := folder / name).exists())
    return 0.0


def _run(folder: Path) -> RunState:
    there, facts = (folder / run_json.NAME).is_file(), None
    with contextlib.suppress(Misuse, OSError, UnicodeDecodeError):
        facts = run_json.read(folder) if there else None
    finished = read_finished(folder)
    state = "running" if _locked(folder) else "done" if facts else "damaged" if there else "stopped"
    failed = sum(own.failed for own in finished.values())
    if facts and state == "done":  # measures over many samples that failed are counted there, too
        failed = sum(entry.get("failed", 0) for entry in facts["benchmarks"])
    return RunState(
        folder,
        mark[1] if (mark := read_mark(folder)) else facts.get("started", "") if facts else "",
        state,
        facts is not None,
        1.0 if state == "done" else _share(folder, finished),
        failed,
        facts.get("seconds") if facts else None,
        size_of(folder),
    )


def _locked(folder: Path) -> bool:
    """Whether somebody writes there."""
    try:
        with (folder / LOCK).open("r") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _share(folder: Path, finished: dict[tuple[str, str], Finished]) -> float | None:
    """How much of what was planned is finished."""
    planned = dict(_select(folder, "select bench, trials from planned"))
    whole = sum(planned.values())
    done = sum(len(own.ids) for (key, _), own in finished.items() if key in planned)
    return min(done / whole, 1.0) if whole else None


def read_finished(folder: Path, which: str = "true") -> dict[tuple[str, str], Finished]:
    """What the ledger of a run holds, by benchmark and model; nothing where there is none that can be read.

    `which`: a condition of SQL's, such as WHOLE, which takes some μs for each outcome.
    """
    found: dict[tuple[str, str], list[tuple[str, int, int]]] = {}
    query = f"select bench, model, id, failed, length(sealed) from outcome where {which}"
    for bench, model, *one in _select(folder, query):
        found.setdefault((bench, model), []).append(tuple(one))
    return {
        key: Finished(frozenset(id for id, _, _ in own), sum(bad for _, bad, _ in own), sum(size for *_, size in own))
        for key, own in found.items()
    }


def _select(folder: Path, query: str) -> list[Any]:
    file = folder / LEDGER
    if not file.is_file():
        return []
    try:
        with contextlib.closing(sqlite3.connect(address(file), uri=True)) as db:
            db.create_function("is_whole", 1, is_whole, deterministic=True)
            return db.execute(query).fetchall()
    except UNREADABLE:  # damaged, or of an older version
        return []


def size_of(place: Path) -> int:
    """Bytes of a file, or of all files in a folder; what goes away meanwhile counts nothing."""
    total = 0
    for file in (place, *place.rglob("*")):
        with contextlib.suppress(OSError):
            total += file.stat().st_size if file.is_file() else 0
    return total
