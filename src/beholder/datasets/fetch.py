"""From a record to a dataset on this machine: the licence, the archive, the check, and a folder that is whole."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from beholder.datasets.cards import way
from beholder.datasets.download import Watching, download
from beholder.datasets.record import Folder, Record
from beholder.datasets.unpack import unpack
from beholder.errors import Misuse
from beholder.io.atomic import disk_full, write_whole
from beholder.io.git_tree import read_folder, tree_id
from beholder.store.paths import FETCHED, data_folder, fetched

HOST = "https://github.com"  # BEHOLDER_DATA_HOST names a mirror that offers archives under the same paths
ROOM = 2.5  # times the size of a dataset: the archive, what is unpacked, and some more


class Fetched(NamedTuple):
    """A dataset that is at hand."""

    place: Path
    anew: bool  # whether anything was fetched for it


def get(record: Record, *, accept: Callable[[Record], bool], watch: Watching) -> Fetched:
    """Fetch a dataset that is not at hand; `accept` is asked whether its licence is accepted, before any request."""
    if not record.folders:
        raise Misuse(f"{record.name} cannot be fetched by a program. {way(record)}")
    if (place := fetched(record.name)) and _identity(place) == record.identity:
        return Fetched(place, anew=False)
    home = data_folder()
    place = home / record.name
    _refuse_other(place)
    if not accept(record):
        raise Misuse(f"the licence of {record.name} ({record.licence}) was not accepted; nothing was fetched")
    with _alone(home, record.name):
        _refuse_small_disk(home, record)
        draft = home / f".{record.name}.draft"
        shutil.rmtree(draft, ignore_errors=True)
        try:
            for (repository, commit), folders in _by_archive(record.folders).items():
                archive = home / f".{record.name}-{repository.replace('/', '-')}-{commit}.tar.gz"
                if not archive.is_file():
                    download(f"{host()}/{repository}/archive/{commit}.tar.gz", archive, watch=watch)
                try:
                    unpack(archive, folders, draft)
                finally:
                    archive.unlink(missing_ok=True)
            facts = {"name": record.name, "identity": record.identity, "licence": record.licence, "accepted": _now()}
            write_whole(draft / FETCHED, json.dumps(facts, ensure_ascii=False) + "\n")
            shutil.rmtree(place, ignore_errors=True)  # of an older record
            draft.replace(place)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return Fetched(place, anew=True)


def host() -> str:
    """Where archives are fetched from."""
    return os.environ.get("BEHOLDER_DATA_HOST", HOST).rstrip("/")


def list_changed(record: Record, place: Path) -> list[str]:
    """The folders of a fetched dataset whose bytes are not, or no longer, those of its record."""
    return [folder.to or "." for folder in record.folders if _tree_of(place, folder, record) != folder.tree]


def _tree_of(place: Path, folder: Folder, record: Record) -> str:
    """The tree id of a folder as it is on disk, without what we or other folders of the record have put into it."""
    files = read_folder(place / folder.to) if (place / folder.to).is_dir() else {}
    others = [one.to for one in record.folders if one is not folder and one.to and not folder.to]
    kept = {
        path: found
        for path, found in files.items()
        if path != FETCHED and not any(path.startswith(f"{other}/") for other in others)
    }
    return tree_id(kept)


def remove(name: str) -> int:
    """Remove a dataset that was fetched by name, and what was begun to be fetched of it; the bytes that this frees."""
    place, begun = fetched(name), list(data_folder().glob(f".{name}-*.tar.gz*"))
    if place is None and not begun:
        raise Misuse(f"{name} was not fetched, so there is nothing to remove in {data_folder()}")
    freed = sum(file.stat().st_size for file in begun)
    for file in begun:
        file.unlink()
    if place:
        freed += size(place)
        (place / FETCHED).unlink()  # first: what is half removed is not at hand
        shutil.rmtree(place)
    return freed


def size(place: Path) -> int:
    """The bytes in a folder."""
    return sum(path.stat().st_size for path in place.rglob("*") if path.is_file())


def _identity(place: Path) -> object:
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        return json.loads((place / FETCHED).read_text("utf-8"))["identity"]
    return None


def _refuse_other(place: Path) -> None:
    if place.exists() and not (place / FETCHED).is_file():
        raise Misuse(f"got {place}, which was not fetched by name; move it away, or use it as --dataset NAME:PATH")


def _refuse_small_disk(home: Path, record: Record) -> None:
    if shutil.disk_usage(home).free < ROOM * record.megabytes * 1e6:
        raise disk_full(home)


@contextlib.contextmanager
def _alone(home: Path, name: str) -> Iterator[None]:
    """Only one process fetches a dataset at a time."""
    home.mkdir(parents=True, exist_ok=True)
    with (home / f".{name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Misuse(f"{name} is being fetched by another process; wait for it") from None
        yield


def _by_archive(folders: Sequence[Folder]) -> dict[tuple[str, str], list[Folder]]:
    """The folders of each archive, so that it is fetched once."""
    found: dict[tuple[str, str], list[Folder]] = {}
    for folder in folders:
        found.setdefault((folder.repository, folder.commit), []).append(folder)
    return found


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
