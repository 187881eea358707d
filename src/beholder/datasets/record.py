"""What is known of a dataset before it is on this machine."""

from __future__ import annotations

from typing import NamedTuple

from beholder.errors import NotFound
from beholder.registry.find import find, nearest
from beholder.registry.load import RECORDS, on_record


class Folder(NamedTuple):
    """A folder of a public repository at one commit; the git tree id covers every byte in it."""

    repository: str  # owner/name
    commit: str
    folder: str  # nothing: the whole repository
    tree: str
    files: int
    megabytes: float
    to: str = ""  # where it goes below the dataset's own folder


class Record(NamedTuple):
    """A dataset by name. Either it has folders, which are fetched, or steps, which a person takes."""

    name: str
    about: str
    size: str  # people × items
    licence: str
    permits: str  # what the licence lets you do, in a sentence
    loader: str  # domain.datasets/name, or nothing where no benchmark reads it
    run: str  # the benchmark to try first, or the command that reads it
    folders: tuple[Folder, ...] = ()
    steps: str = ""
    cite: str = ""  # where no loader says it

    @property
    def megabytes(self) -> float:
        """What is kept on disk."""
        return sum(folder.megabytes for folder in self.folders)

    @property
    def identity(self) -> list[list[str]]:
        """What tells these bytes from others: where each folder goes, and its tree id."""
        return [[folder.to, folder.tree] for folder in self.folders]


def records() -> list[Record]:
    """All records, in the order of their names: ours, and those of installed packages (`beholder.datasets.records`)."""
    return [record(name) for name in on_record()]


def record(name: str) -> Record:
    """The record of a dataset; `NotFound` with the nearest name where there is none."""
    if name not in (known := on_record()):
        raise NotFound(f"no dataset called {name!r} can be had by name{nearest(name, known)}")
    found: Record = find(RECORDS, name)
    return found
