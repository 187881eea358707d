"""Where a study lies: its file and folder, the database with its answers, its keys."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from beholder.errors import Misuse
from beholder.io.names import special
from beholder.study.design.file import Study, read
from beholder.study.server.security import hidden

DEMO = "demo"
FILE, ANSWERS = "study.toml", "answers.sqlite"
SECRET, SHORTEST = "BEHOLDER_STUDY_SECRET", 16
KEY = "BEHOLDER_STUDY_KEY"


@dataclass(frozen=True)
class Place:
    """A study, and the file that it was read from; media and tracks lie beside it."""

    study: Study
    file: Path

    @property
    def folder(self) -> Path:
        """Where media and tracks are."""
        return self.file.parent


def demo_folder() -> Path:
    """Where the built-in demo study and its answers are kept."""
    import platformdirs

    return Path(platformdirs.user_data_dir("beholder")) / "studies" / DEMO


def place(word: str) -> Place:
    """A study by its file, by the folder that the file is in, or `demo`."""
    file = _demo() if word == DEMO and not Path(word).exists() else Path(word)
    if file.is_dir():
        file = file / FILE
    return Place(read(file), file.resolve())


def places(words: list[str]) -> list[Place]:
    """Several studies, each of its own name."""
    found = [place(word) for word in words]
    names = [one.study.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise Misuse(f"got {names.count(name)} studies called {name!r}; expected different names; change `name = `")
    return found


def _demo() -> Path:
    """The file of the demo study, written when it is first asked for, and when a newer Beholder has another."""
    from beholder.study.design.demo import demo, is_current

    folder = demo_folder()
    if not is_current(folder):
        folder.mkdir(parents=True, exist_ok=True)
        demo(folder)
    return folder / FILE


def database(db: str, at: Place) -> str:
    """The address of the database: as given, else a file beside the (first) study."""
    if db.startswith(("postgresql://", "postgres://")):
        if not find_spec("psycopg"):
            raise Misuse(f"got --db {hidden(db)}, but no PostgreSQL driver is installed; install beholder[postgres]")
        return db
    if "://" in db and not db.startswith("sqlite:///"):
        raise Misuse(f"got --db {hidden(db)}; expected the path of a file, or postgresql://USER@HOST/NAME")
    path = Path(db.removeprefix("sqlite:///")) if db else at.folder / ANSWERS
    if path.is_dir():
        raise Misuse(f"got --db {path}, which is a folder; expected the path of a file, such as {path / ANSWERS}")
    if kind := special(path):
        raise Misuse(f"got --db {path}, which is {kind}; expected the path of a file, such as {ANSWERS}")
    if not path.absolute().parent.is_dir():
        raise Misuse(f"got --db {path}, whose folder does not exist; create it: mkdir -p {path.parent}")
    return str(path.absolute())


def is_file(url: str) -> bool:
    """Whether a database is a file (SQLite)."""
    return "://" not in url


@dataclass(frozen=True)
class Secrets:
    """The key by which people are known again, and the word that opens the admin pages."""

    key: bytes = field(repr=False)
    admin: str = field(repr=False)
    file: Path  # where the key is kept, if the environment does not have it


def secrets_of(url: str, at: Place, *, make: bool = False) -> Secrets | None:
    """The secrets that belong to a database; where there is no key, nothing, unless one is to be made.

    The admin word is BEHOLDER_STUDY_SECRET, else it follows from the key: it stays the same, and needs no file.
    """
    from beholder.study.server.security import Keys, key_place, study_key

    given = os.environ.get(SECRET, "")
    if given and len(given) < SHORTEST:
        raise Misuse(f"got {SECRET} of {len(given)} characters; expected {SHORTEST} or more")
    file = key_place(url, at.folder)
    if not make and not os.environ.get(KEY) and not file.exists():
        return None
    try:
        key = study_key(file, begun=lambda: _begun(url))
    except OSError as fault:
        raise Misuse(
            f"the study key cannot be kept in {file} ({fault.strerror}); choose another place with --db, or set {KEY}"
        ) from fault
    return Secrets(key, given or Keys(key).name("admin word")[:32], file)


def _begun(url: str) -> bool:
    """Whether somebody may have taken part; where it cannot be told, yes."""
    from beholder.study.operations.held import held

    try:
        return bool(sum(held(url).values())) if is_file(url) else True
    except sqlite3.Error:
        return True
