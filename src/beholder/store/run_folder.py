"""The folder of a run: who owns it, what of it is ours, and which runs there are."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from beholder.errors import Misuse
from beholder.io.atomic import write_whole
from beholder.store import run_json
from beholder.store.ledger import Ledger

MARK = "beholder run"  # the first words of a run folder's `config`
LEDGER = "ledger.sqlite"
# What a run writes into its folder; --fresh removes these and nothing else.
RUN_FILES = (
    "config",
    f"{LEDGER}*",
    "damaged-*",
    "scores.csv",
    run_json.NAME,
    "report.html",
    "answers",
    "figures",
    "tuned.toml",
)


class Owned(NamedTuple):
    """A run folder that nobody else writes to."""

    ledger: Ledger
    started: str  # when the run began, in this session or an earlier one


@contextlib.contextmanager
def own(folder: Path, config: str, *, fresh: bool = False, retry: bool = False) -> Iterator[Owned]:
    """The folder, locked, with its ledger; refuses a folder that another run owns.

    `fresh` starts over, `retry` forgets failures, so that they are tried again.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("w")
    except OSError as fault:
        raise Misuse(f"cannot write to {folder}: {fault.strerror}; choose another --out") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Misuse(f"{folder} is being written by another run; wait for it, or choose another --out") from None
        started = _claim(folder, config, fresh=fresh)
        ledger = Ledger(folder / LEDGER)
        try:
            if retry:
                ledger.forget_failures()
            yield Owned(ledger, started)
        finally:
            ledger.close()


def begun(folder: Path) -> bool:
    """Whether a run has begun in this folder."""
    return (folder / LEDGER).is_file()


def _claim(folder: Path, config: str, *, fresh: bool) -> str:
    """When the run in this folder began, if it is this one; a foreign one is refused, with `fresh` it is removed."""
    known = _mark(folder)
    ours = [path for pattern in RUN_FILES for path in folder.glob(pattern)]
    others = [path for path in folder.iterdir() if path not in ours and not path.name.startswith(".")]
    if known is None and (ours or others):
        raise Misuse(f"{folder} is not empty and holds no run of ours; choose another --out")
    if fresh:
        for path in ours:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        known = None
    if known is not None and known[0] != config:
        raise Misuse(
            f"{folder} holds another run (configuration {known[0]}, this one is {config}): another model, dataset, "
            "setting or version; choose another --out, or start over with --fresh"
        )
    started = known[1] if known else datetime.now(UTC).isoformat(timespec="seconds")
    write_whole(folder / "config", f"{MARK} {config} {started}\n")
    return started


def _mark(folder: Path) -> tuple[str, str] | None:
    """Configuration and beginning of the run in a folder; None where there is none of ours."""
    try:
        words = (folder / "config").read_text("utf-8").split()
    except (OSError, UnicodeDecodeError):
        return None
    return (words[2], words[3]) if len(words) == 4 and " ".join(words[:2]) == MARK else None


def list_runs(root: Path) -> list[dict[str, Any]]:
    """The runs below a folder, newest first: folder, configuration, when, state, failures and seconds."""
    found = []
    for config in sorted(root.glob("*/config"), key=os.path.getmtime, reverse=True):
        mark = _mark(config.parent)
        if mark:
            known = {"folder": str(config.parent), "config": mark[0], "started": mark[1]}
            found.append({**known, **_ending(config.parent)})
    return found


def _ending(folder: Path) -> dict[str, Any]:
    """State, failures and duration of a run, from its run.json."""
    if not (folder / run_json.NAME).is_file():
        return {"state": "unfinished", "failed": 0, "seconds": None}
    try:
        facts = run_json.read(folder)
    except (Misuse, OSError, UnicodeDecodeError):
        return {"state": "damaged", "failed": 0, "seconds": None}
    failed = sum(entry.get("failed", 0) for entry in facts["benchmarks"])
    return {"state": facts.get("state", "finished"), "failed": failed, "seconds": facts.get("seconds")}
