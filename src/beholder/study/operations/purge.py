"""Deleting what was collected: one participant's data, a whole study, or the link between answers and people."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

from beholder.errors import DiskFull, Misuse
from beholder.study.design.file import Study
from beholder.study.operations.tidy import session_label
from beholder.study.operations.wording import count_of


def session_of(store: Any, study: Study, *, person: str = "", session: str = "") -> str:
    """The id of the session of a person, by the platform's id (or the invite), or by its id or label."""
    if person:
        found = store.find(study.name, study.platform, person)
        if found is None:
            raise Misuse(
                f"got {person!r}, who has no session in {study.name}; expected the id from {study.platform}, as in "
                "the link; after purge --people nobody can be found by their id"
            )
        return str(found.id)
    ids = [str(one["id"]) for one in store.tables(study.name)["sessions"]]
    match = [id for id in ids if session in (id, session_label(id))]
    if not match:
        raise Misuse(f"got the session {session!r}; expected one of {study.name}, as its export or status names it")
    return match[0]


def purge_session(store: Any, study: Study, id: str) -> str:
    """Delete all that is kept of one session; what was done, in a sentence."""
    before = _rows(store.tables(study.name), id)
    refuse_full(store)
    store.delete(id)
    left = _rows(store.tables(study.name), id)
    if sum(left.values()):
        raise Misuse(f"session {session_label(id)} could not be deleted: {left} are left")
    overwrite(store)
    many = ", ".join(count_of(count, name[:-1]) for name, count in before.items() if count)
    return f"deleted session {session_label(id)}: {many}"


def _rows(tables: Mapping[str, list[dict[str, Any]]], id: str) -> dict[str, int]:
    """How much of a session there is in each table."""
    return {
        name: sum(row.get("session", row.get("id")) == id for row in tables[name])
        for name in ("sessions", "trials", "answers", "events")
    }


def purge_study(store: Any, study: Study, *, today: date, force: bool = False) -> str:
    """Delete all sessions of a study whose retention date has passed."""
    if not force:
        if study.retain_until is None:
            raise Misuse(f"{study.name} has no retain_until; expected a date that has passed; --force deletes anyway")
        if today <= study.retain_until:
            raise Misuse(
                f"{study.name} is kept until {study.retain_until}; expected a date that has passed; --force deletes "
                "anyway"
            )
    refuse_full(store)
    sessions = store.erase(study.name)
    overwrite(store)
    return f"deleted {count_of(sessions, 'session')} of {study.name}, and the study itself"


def purge_people(store: Any, study: Study) -> str:
    """Cut the link between sessions and people: answers stay, and nobody can be found or known again."""
    refuse_full(store)
    sessions = store.anonymise(study.name)
    overwrite(store)
    belong = "belongs" if sessions == 1 else "belong"
    return (
        f"{count_of(sessions, 'session')} of {study.name} {belong} to nobody any more; the answers stay, and people "
        "who return are not recognised"
    )


def refuse_full(store: Any) -> None:
    """Refuse to begin where the disk has no room to write the file anew: deleted must mean gone."""
    if store.database.path is None:
        return
    path = Path(store.database.path).absolute()
    free, needed = shutil.disk_usage(path.parent).free, 2 * path.stat().st_size  # a copy, and its log
    if free < needed:
        raise DiskFull(
            f"got {free / 1e6:.1f} MB free at {path.parent}; expected {needed / 1e6:.1f} MB or more, to rewrite "
            f"{path.name} without the deleted rows; nothing was deleted: free some space, and try again"
        )


def overwrite(store: Any) -> None:
    """Leave nothing in the file: SQLite keeps deleted rows in free pages and in its log until these are used again."""
    if store.database.path is None:
        return  # PostgreSQL's autovacuum frees what was deleted
    try:
        with closing(sqlite3.connect(store.database.path, timeout=60)) as database:
            database.execute("VACUUM")
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error as fault:
        raise Misuse(
            f"the rows are deleted, but {store.database.path} could not be rewritten ({fault}), so their bytes may "
            f"still be in it; free some space, then run: sqlite3 {store.database.path} VACUUM"
        ) from fault


def mine(store: Any, study: Study, id: str) -> dict[str, Any]:
    """All that is kept of one session, to be handed to the participant."""
    tables = store.tables(study.name)
    own = {
        name: [row for row in tables[name] if row.get("session", row.get("id")) == id]
        for name in ("sessions", "trials", "answers", "events")
    }
    for row in own["trials"]:
        row.pop("token", None)
    return {
        "study": study.name,
        "title": study.title,
        "contact": study.consent.contact,
        "about": "times are seconds since 1970, UTC; the platform's id itself is not kept, only a keyed hash of it",
        **own,
    }
