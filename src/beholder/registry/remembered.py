"""What a folder says of itself: `dataset.toml` beside the data names its kind, its columns and its settings."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from beholder.errors import Misuse, listed
from beholder.io.atomic import write_whole
from beholder.io.columns import named
from beholder.io.toml import written

FILE = "dataset.toml"
TABLES = "tables"  # the key of the list, where a folder holds several
SAME = {"table": "fixations"}  # kinds that have two names
HEAD = """\
# How these data are to be read: written by `beholder check … --save`, read whenever they are used.
# What a command says itself wins over what stands here. Delete this file to start over.
#   kind      the dataset that reads them: `beholder show KIND` explains it
#   file      the table, if the folder holds several
#   columns   what a column means = what it is called here
#   settings  whatever else the dataset is to be told: units, screen, folders …
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
        held = tomllib.loads(place.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
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
    said = {"columns": told(columns)} if columns else {}
    return Remembered(place, kind, str(own.get("file", "")), {**said, **settings})


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
    new = Remembered(place, SAME.get(kind, kind), "" if path.is_dir() else path.name, settings)
    before = _read(place) if place.is_file() else []
    every = [_held(one) for one in (*(old for old in before if old.file != new.file), new)]
    write_whole(place, HEAD + written(every[0] if len(every) == 1 else {TABLES: every}))
    return place, next((old for old in before if old.file == new.file), None)


def _held(entry: Remembered) -> dict[str, Any]:
    """An entry as TOML has it."""
    columns = named(entry.settings.get("columns", ""))
    others = {key: value for key, value in entry.settings.items() if key != "columns"}
    held = {"kind": entry.kind, "file": entry.file or None}
    return held | ({"columns": columns} if columns else {}) | ({"settings": others} if others else {})
