"""What a folder says of itself: `dataset.toml` beside the data names its kind, its columns and its settings."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from beholder.errors import Misuse, listed
from beholder.io.atomic import write_whole
from beholder.io.columns import named
from beholder.io.reading import parse_toml
from beholder.io.toml import written

FILE = "dataset.toml"
TABLES = "tables"  # the key of the list, where a folder holds several
SAME = {"table": "fixations"}  # kinds that have two names
PATHS = ("pictures", "manifest", "measures", "folders", "ratings")  # settings that name files; several by semicolons
HEAD = """\
# How these data are to be read: written by `beholder check … --save`, read whenever they are used.
# What a command says itself wins over what stands here. Delete this file to start over.
#   kind      the dataset that reads them: `beholder show KIND` explains it
#   file      the table, if the folder holds several
#   columns   what a column means = what it is called here
#   settings  whatever else the dataset is to be told: units, screen …; paths count from this folder, and stay in it
# Several tables of one folder stand in a list, each under [[tables]].

"""


@dataclass(frozen=True)
class Remembered:
    """What stands in a dataset.toml of a folder, or of one table in it."""

    place: Path  # the file itself
    kind: str
    file: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)  # columns are one of them

    def fits(self, kind: str) -> bool:
        """Whether it is about data of this kind."""
        return SAME.get(kind, kind) == SAME.get(self.kind, self.kind)

    def data(self, path: Path) -> Path:
        """The data that are meant: in a folder the file that is named, where one is."""
        return path / self.file if self.file and path.is_dir() else path

    def beside(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """The settings that are to be added to what a command says, as it would say them."""
        added = {key: value for key, value in self.settings.items() if key not in said or key == "columns"}
        return _with_paths(added, self._from_here)

    def _from_here(self, path: str) -> str:
        """A path in our folder as seen from here. One that leads out of it is refused, as a folder may come by mail.

        Links in the folder are followed, as everywhere: it is whoever unpacks a folder that makes them.
        """
        _refuse_outside(self.place, path)
        return os.path.normpath(self.place.parent / path)

    @property
    def remark(self) -> str:
        """What was taken from it."""
        said = ", ".join(f"{key}={value}" for key, value in self.settings.items()) or "nothing but the kind"
        return f"{self.place} says how to read it: {said}"


def remembered(path: Path, kind: str = "") -> Remembered | None:
    """What is remembered of a folder, or of a file in one, as data of a kind; None where nothing is.

    Of a file that is its own entry, else that of its folder. Of a folder that is the folder's own entry, else that of
    the one table that is named; where several are, the caller must say which.
    """
    place = (path if path.is_dir() else path.parent) / FILE
    if not path.exists() or not place.is_file():
        return None
    every = _read(place)
    own = "" if path.is_dir() else path.name
    found = next((one for name in (own, "") for one in every if one.file == name), None)
    if found or not path.is_dir():
        return found
    fitting = [one for one in every if not kind or one.fits(kind)]
    if len(fitting) > 1:
        raise Misuse(
            f"{place} says how to read {listed((one.file for one in fitting), by=' and ')}; expected one of them: "
            f"give the file itself, such as {path / fitting[0].file}"
        )
    return fitting[0] if fitting else None


def _read(place: Path) -> list[Remembered]:
    """The entries of a dataset.toml: one, or those in its list of tables."""
    try:
        held = parse_toml(place.read_text("utf-8"))
    except ValueError as fault:
        raise Misuse(f"{place}: got no TOML that can be read ({fault}); mend it, or delete it") from None
    several = held.pop(TABLES, None)
    if several is not None and (held or not isinstance(several, list)):
        raise Misuse(f"{place}: got [[{TABLES}]] beside other keys; expected everything below [[{TABLES}]]")
    return [_entry(place, one) for one in ([held] if several is None else several)]


def _entry(place: Path, held: Any) -> Remembered:
    own: Mapping[str, Any] = held if isinstance(held, Mapping) else {}
    unknown = [key for key in own if key not in ("kind", "file", "columns", "settings")]
    kind, columns, settings = own.get("kind"), own.get("columns", {}), own.get("settings", {})
    if unknown or not isinstance(kind, str) or not isinstance(columns, Mapping) or not isinstance(settings, Mapping):
        got = f"the key {unknown[0]!r}" if unknown else "no kind, or columns or settings that are no tables"
        raise Misuse(f"{place}: got {got}; expected kind, and where needed file, [columns] and [settings]")
    _refuse_outside(place, file := str(own.get("file", "")))
    said = {"columns": told(columns)} if columns else {}
    return Remembered(place, kind, file, {**said, **settings})


def _refuse_outside(place: Path, path: str) -> None:
    folder = place.parent.absolute()
    whole = Path(os.path.normpath(folder / path))
    if path.startswith("~") or not whole.is_relative_to(os.path.normpath(folder)):
        raise Misuse(
            f"{place}: got {path}, which lies outside of its folder; expected what lies in it, as a folder from others "
            "must not have our own files read; to use it all the same, say it in the command, or link it there"
        )


def _with_paths(settings: Mapping[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    """Settings with those that name files changed."""
    own = {key: settings[key] for key in PATHS if settings.get(key) and isinstance(settings[key], str)}
    return {**settings, **{key: ";".join(map(change, value.split(";"))) for key, value in own.items()}}


def told(columns: Mapping[str, str]) -> str:
    """Columns as a setting has them.

    >>> told({"stimulus": "stim", "x": "X (px)"})
    'stimulus=stim,x=X (px)'
    """
    return ",".join(f"{word}={name}" for word, name in columns.items())


def remember(path: Path, kind: str, settings: Mapping[str, Any]) -> tuple[Path, Remembered | None]:
    """Write down how data are to be read, beside them; give the file, and the entry that this one replaces.

    What the file says of other tables stays.
    """
    place = (path if path.is_dir() else path.parent) / FILE
    seen_from = _with_paths(settings, lambda path: _seen_from(place, path))
    new = Remembered(place, SAME.get(kind, kind), "" if path.is_dir() else path.name, seen_from)
    before = _read(place) if place.is_file() else []
    every = [_held(one) for one in (*(old for old in before if old.file != new.file), new)]
    write_whole(place, HEAD + written(every[0] if len(every) == 1 else {TABLES: every}))
    return place, next((old for old in before if old.file == new.file), None)


def _seen_from(place: Path, path: str) -> str:
    """A path as it counts from the folder of a dataset.toml: it was said from here, else from there."""
    found = Path(path).expanduser()
    seen = os.path.relpath(found, place.parent) if found.exists() else path
    _refuse_outside(place, seen)
    return seen


def _held(entry: Remembered) -> dict[str, Any]:
    """An entry as TOML has it."""
    columns = named(entry.settings.get("columns", ""))
    others = {key: value for key, value in entry.settings.items() if key != "columns"}
    held = {"kind": entry.kind, "file": entry.file or None}
    return held | ({"columns": columns} if columns else {}) | ({"settings": others} if others else {})
