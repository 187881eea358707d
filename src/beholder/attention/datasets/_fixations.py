"""The pictures of a long table of fixations, each with everybody's path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from beholder.attention.datasets import _folder
from beholder.attention.datasets._gaze import Seen
from beholder.attention.recordings.long_table import Rows, Wanted, path_of, picture_name, read_rows
from beholder.errors import Misuse


@dataclass(frozen=True, eq=False)
class Read:
    """The pictures of a table, each with everybody's path, and what is to be said of it."""

    seen: Mapping[str, Seen]
    rows: Rows
    groups: Mapping[str, str]
    remarks: tuple[str, ...]


def read_pictures(path: Path, wanted: Wanted) -> Read:
    """Every picture of a table with its file, and the observers' groups."""
    rows = read_rows(path, wanted)
    stimulus, observer = rows.columns["stimulus"], rows.columns["observer"]
    pictures = Pictures(picture_folder(rows.file, wanted.pictures))
    found = {name: pictures.of(str(name)) for name in rows.table[stimulus].unique()}
    seen: dict[str, Seen] = {}
    for id, theirs in rows.table.groupby(rows.table[stimulus].map(lambda name: found[name][0]), sort=True):
        file = found[theirs[stimulus].iloc[0]][1]
        shape = _folder.picture_size(file) if file else None
        trials = theirs.groupby(observer, sort=True)
        seen[str(id)] = Seen({str(who): path_of(trial, rows, shape, wanted.time) for who, trial in trials}, file)
    return Read(seen, rows, _groups(rows), rows.remarks)


def _groups(rows: Rows) -> dict[str, str]:
    if "group" not in rows.columns:
        return {}
    pairs = rows.table[[rows.columns["observer"], rows.columns["group"]]]
    return {str(who): str(group) for who, group in pairs.itertuples(index=False)}


def picture_folder(file: Path, pictures: str) -> Path:
    """The folder of pictures: as given, from here or from the table's folder, or the table's folder itself."""
    if not pictures:
        return file.parent
    places = [Path(pictures).expanduser(), file.parent / pictures]
    found = next((place for place in places if place.is_dir()), None)
    if found is None:
        raise Misuse(f"got pictures={pictures}, which is not a folder here or beside {file.name}; expected one")
    return found


class Pictures:
    """Pictures by the names that tables give them: with or without a suffix or a folder, in any case."""

    def __init__(self, folder: Path) -> None:
        self._by_id = _folder.pictures(folder)
        self._short = {self._key(id): id for id in reversed(list(self._by_id))}

    @staticmethod
    def _key(id: str) -> str:
        return Path(id).name.strip().casefold()

    def of(self, name: str) -> tuple[str, Path | None]:
        """The picture's id and file; without a file, the id that the name gives."""
        own = picture_name(name)
        file = self._by_id.get(own) or self._by_id.get(self._short.get(self._key(own), ""))
        return (Path(own).with_name(file.stem).as_posix() if file else own), file
