"""How many sessions a database or a copy of it holds; nothing is written, and no key is needed."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

QUERY = (
    "SELECT studies.name, count(sessions.id) FROM studies LEFT JOIN sessions ON sessions.study = studies.name "
    "GROUP BY studies.name"
)


def held(url: str) -> dict[str, int]:
    """Sessions by study; nothing where there is no database, or none of a study."""
    if "://" in url:
        return _asked(url)
    path = Path(url)
    if not path.is_file():
        return {}
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as base:
            return dict(base.execute(QUERY).fetchall())
    except sqlite3.OperationalError as fault:
        if "no such table" in str(fault):
            return {}
        raise


def _asked(url: str) -> dict[str, int]:
    from sqlalchemy.exc import ProgrammingError

    from beholder.study.server.database import database

    base = database(url)
    try:
        return base.read(lambda connection: {row[0]: row[1] for row in connection.exec_driver_sql(QUERY)})
    except ProgrammingError:  # its tables are not there
        return {}
    finally:
        base.close()


def copied(file: Path) -> int | None:
    """Sessions in a copy that `backup` made; None where it cannot be told."""
    if file.suffix == ".sqlite":
        try:
            return sum(held(str(file)).values())
        except sqlite3.Error:
            return None
    if shutil.which("pg_restore") is None:
        return None
    words = ["pg_restore", "--data-only", "--table=sessions", "--file=-", str(file)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    _, begun, rest = done.stdout.partition("FROM stdin;\n")
    return len(rest.partition("\\.\n")[0].splitlines()) if begun and not done.returncode else None
