"""A study with its database opened, for as long as a verb needs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from beholder.errors import Misuse
from beholder.study.design.file import Study
from beholder.study.operations.place import Place, Secrets, database, is_file, place, secrets_of
from beholder.study.server.security import hidden

if TYPE_CHECKING:
    from beholder.study.server.store import Store


@dataclass(frozen=True)
class Opened:
    """A study, where it lies, and its database."""

    at: Place
    url: str
    secrets: Secrets
    store: Store

    @property
    def study(self) -> Study:
        """The study as it was served last; if it never was, as its file has it."""
        name = self.at.study.name
        return self.store.study(name) if name in self.store.names() else self.at.study


@contextmanager
def opened(word: str, db: str = "", *, make: bool = False) -> Iterator[Opened]:
    """The study that a word names, with its database; one that is not there is refused, or made."""
    from beholder.study.server.store import Store

    at = place(word)
    url = database(db, at)
    if is_file(url) and not Path(url).is_file() and not make:
        raise Misuse(f"got no answers at {url}; expected a study that was served, or --db with where they are")
    secrets = secrets_of(url, at)
    store = Store(url, secrets.key)
    try:
        if not make and at.study.name not in store.names():
            known = ", ".join(store.names()) or "nothing"
            raise Misuse(f"got {at.study.name!r}, which {hidden(url)} does not hold (it holds {known}); mend --db")
        yield Opened(at, url, secrets, store)
    finally:
        store.close()
