"""What a folder says of itself: `dataset.toml` beside the data names its kind, its columns and its settings."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from beholder.errors import Misuse
from beholder.io.atomic import write_whole
from beholder.io.columns import named
from beholder.io.toml import written

FILE = "dataset.toml"
SAME = {"table": "fixations"}  # kinds that have two names
HEAD = """\
# How these data are to be read: written by `beholder check … --save`, read whenever they are used.
# What a command says itself wins over what stands here. Delete this file to start over.
#   kind      the dataset that reads them: `beholder show KIND` explains it
#   file      the table, if the folder holds several
#   columns   what a column means = what it is called here
#   settings  whatever else the dataset is to be told: units, screen, folders …

"""


@dataclass(frozen=True)
class Remembered:
    """What stands in a dataset.toml."""

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


def remembered(path: Path) -> Remembered | None:
    """What is remembered of a folder, or of a file in one; None where nothing is, or only of another file."""
    place = (path if path.is_dir() else path.parent) / FILE
    if not path.exists() or not place.is_file():
        return None
    found = _read(place)
    return None if found.file and path.is_file() and path.name != found.file else found


def _read(place: Path) -> Remembered:
    try:
        held = tomllib.loads(place.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise Misuse(f"{place}: got no TOML that can be read ({fault}); mend it, or delete it") from None
    unknown = [key for key in held if key not in ("kind", "file", "columns", "settings")]
    kind, columns, settings = held.get("kind"), held.get("columns", {}), held.get("settings", {})
    if unknown or not isinstance(kind, str) or not isinstance(columns, Mapping) or not isinstance(settings, Mapping):
        got = f"the key {unknown[0]!r}" if unknown else "no kind, or columns or settings that are no tables"
        raise Misuse(f"{place}: got {got}; expected kind, and where needed file, [columns] and [settings]")
    own = {"columns": told(columns)} if columns else {}
    return Remembered(place, kind, str(held.get("file", "")), {**own, **settings})


def told(columns: Mapping[str, str]) -> str:
    """Columns as a setting has them.

    >>> told({"stimulus": "stim", "x": "X (px)"})
    'stimulus=stim,x=X (px)'
    """
    return ",".join(f"{word}={name}" for word, name in columns.items())


def remember(path: Path, kind: str, settings: Mapping[str, Any]) -> Path:
    """Write down how data are to be read, beside them; give the file."""
    place = (path if path.is_dir() else path.parent) / FILE
    columns = named(settings.get("columns", ""))
    others = {key: value for key, value in settings.items() if key != "columns"}
    held = {"kind": SAME.get(kind, kind), "file": path.name if path.is_file() else None}
    held |= ({"columns": columns} if columns else {}) | ({"settings": others} if others else {})
    write_whole(place, HEAD + written(held))
    return place
