"""Manifests: a table beside clips that says what each of them is, in whatever words its maker chose."""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from beholder.errors import listed
from beholder.io.bounds import FLOOR, PARSED, check_text
from beholder.io.columns import meanings
from beholder.registry.remembered import remembered
from beholder.store.digest import state_of
from beholder.video.files.stream import check_rate
from beholder.video.files.suffixes import stem

NAMES = ("manifest.csv", "manifest.tsv", "manifest.json", "manifest.jsonl")  # what a manifest is called beside clips
SUFFIXES = (".csv", ".tsv", ".json", ".jsonl")
LIMIT = PARSED * FLOOR  # 64 MB of text

# What columns mean, and what they are called, the best word first; case, spaces and hyphens do not matter.
WORDS: Mapping[str, tuple[str, ...]] = {
    "name": (
        *("file", "filename", "file_name", "path", "video", "clip", "video_path", "video_id", "videoid", "name"),
        *("stem", "sample", "item", "id", "index", "key"),
    ),
    "text": ("prompt", "text", "caption", "prompt_en", "description", "sentence"),
    "subject": ("subject_noun", "subject", "noun", "object"),
    "rate": ("rate", "fps", "frame_rate", "framerate", "frames_per_second", "hz", "hertz"),
    "size": ("size", "subject_size", "size_class"),
    "camera": ("camera", "camera_motion", "camera_class"),
    "interaction": ("interaction", "scene", "scene_type", "kind"),
}


@dataclass(frozen=True)
class Record:
    """What a manifest says of one clip."""

    name: str  # its path below the manifest, without a suffix
    text: str = ""
    subject: str = ""
    rate: float = math.nan
    size: str = ""
    camera: str = ""
    interaction: str = ""
    more: Mapping[str, str] = field(default_factory=dict)  # further columns

    @property
    def facts(self) -> dict[str, str]:
        """All that it says, as texts."""
        own = {word: getattr(self, word) for word in WORDS if word not in ("name", "rate")}
        rate = {} if math.isnan(self.rate) else {"rate": f"{self.rate:g}"}
        return {**{word: text for word, text in own.items() if text}, **rate, **self.more}


def read(file: Path, columns: str = "") -> list[Record]:
    """The records of a manifest: .csv (commas or semicolons), .tsv, .json or .jsonl; `columns` says what others mean.

    One row is one clip. JSON is a list of records, one record a line, or {clip: record}, {clip: prompt}, {clip: rate}.
    """
    return list(_records(file, _rows_of(file), columns))


def _rows_of(file: Path) -> list[dict[str, Any]]:
    if file.suffix.lower() not in SUFFIXES:
        raise ValueError(f"{file}: got the suffix {file.suffix!r}; expected {', '.join(SUFFIXES)}")
    check_text(file, LIMIT)
    try:
        text = file.read_text("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise ValueError(f"{file}: got no text in UTF-8 ({fault}); save it as UTF-8") from None
    rows = list(_json(file, text) if file.suffix.lower() in (".json", ".jsonl") else _table(file, text))
    if not rows:
        raise ValueError(f"{file}: got no rows; expected one for each clip")
    return rows


def beside(clip: Path) -> Record | None:
    """What a manifest in a clip's folder says of it, where there is one that names it."""
    note = remembered(clip.parent, "clips")  # how `check --save` was told to read it
    told = note.beside({}) if note and note.fits("clips") else {}
    file = Path(told["manifest"]) if "manifest" in told else found(clip.parent)
    if file is None or not file.is_file():
        return None
    records = _read_once(file, state_of(file), told.get("columns", ""))
    return matched([stem(clip)], list(records)).get(stem(clip))


def found(folder: Path) -> Path | None:
    """The manifest in a folder."""
    return next((folder / name for name in NAMES if (folder / name).is_file()), None)


@lru_cache(maxsize=8)
def _read_once(file: Path, state: str, columns: str) -> tuple[Record, ...]:
    return tuple(read(file, columns))


def unnamed(folder: Path, stems: Sequence[str]) -> tuple[Path, str] | None:
    """A table in a folder that names every clip and yet is not called a manifest; and its column that does."""
    tables = [file for file in sorted(folder.iterdir()) if file.suffix.lower() in SUFFIXES and file.is_file()]
    for file in (file for file in tables if file.name not in NAMES):
        try:
            rows = _rows_of(file)
        except ValueError:  # whatever it is, it is no manifest
            continue
        for column in dict.fromkeys(name for row in rows for name in row):
            named = [Record(stem(text)) for row in rows if (text := _text(row.get(column)))]
            if len(matched(stems, named)) == len(stems):
                return file, column
    return None


def matched(stems: Sequence[str], records: Sequence[Record]) -> dict[str, Record]:
    """The record of each stem: by its name, else by the end of its path, else by its number, where that is unique.

    >>> matched(["a/0001", "a/b"], [Record("1"), Record("x/b"), Record("a/b")])["a/0001"].name
    '1'
    """
    whole = {record.name: record for record in records}
    ends, numbers = _unique(records, _end), _unique(records, _number)
    pairs = ((each, whole.get(each) or ends.get(_end(each)) or numbers.get(_number_of(each))) for each in stems)
    return {each: record for each, record in pairs if record is not None}


def _unique(records: Sequence[Record], key: Callable[[str], str]) -> dict[str, Record]:
    """Records by a key that only one of them has."""
    keys = [key(record.name) for record in records]
    count = Counter(keys)
    return {own: record for own, record in zip(keys, records, strict=True) if own and count[own] == 1}


def _end(name: str) -> str:
    return name.rpartition("/")[2]


def _number(name: str) -> str:
    return str(int(name)) if name.isdecimal() else ""


def _number_of(each: str) -> str:
    return _number(_end(each)) or "none"


def _table(file: Path, text: str) -> Iterator[dict[str, Any]]:
    """The rows of a table whose columns are separated by tabs, commas or semicolons."""
    head = text.partition("\n")[0]
    separator = "\t" if file.suffix.lower() == ".tsv" else ";" if head.count(";") > head.count(",") else ","
    try:
        for at, row in enumerate(csv.DictReader(io.StringIO(text, newline=""), delimiter=separator, strict=True), 1):
            if None in row or None in row.values():
                raise ValueError(f"{file}, row {at}: got more or fewer cells than the header has columns; mend the row")
            yield {str(name): cell for name, cell in row.items()}
    except csv.Error as fault:
        raise ValueError(f"{file}: got no table that can be read ({fault}); expected commas and quotes") from None


def _json(file: Path, text: str) -> Iterator[dict[str, Any]]:
    for row in _rows(_parsed(file, text)):
        if not isinstance(row, dict):
            raise ValueError(f"{file}: got {str(row)[:60]!r}; expected a list of records, or {{clip: record}}")
        yield row


def _parsed(file: Path, text: str) -> Any:
    try:
        if file.suffix.lower() == ".jsonl":
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError) as fault:
        raise ValueError(f"{file}: got no JSON that can be read ({fault}); expected a list of records") from None


def _rows(found: Any) -> list[Any]:
    """The rows in a list, in one list within a record, or in {clip: what is said of it}."""
    if not isinstance(found, dict):
        return found if isinstance(found, list) else [found]
    inner = [value for value in found.values() if isinstance(value, list)]
    if len(inner) == 1 and all(isinstance(row, dict) for row in inner[0]):
        return list(inner[0])
    return [{"file": name, **_said(value)} for name, value in found.items()]


def _said(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    return {"rate": value} if isinstance(value, (int, float)) else {"prompt": value}


def _records(file: Path, rows: Sequence[dict[str, Any]], given: str) -> Iterator[Record]:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    meaning = meanings(columns, WORDS, given, of=str(file))
    if "name" not in meaning:
        raise ValueError(
            f"{file}: no column names the clips; got {listed(columns, most=6)}; expected one called file, video or "
            f"id; or say which it is: beholder check {file.parent} --columns file=COLUMN --save"
        )
    for at, row in enumerate(rows, 1):
        said = {word: _text(row.get(column)) for word, column in meaning.items()}
        if not said["name"]:
            raise ValueError(f"{file}, row {at}: got no {meaning['name']}; expected the name of a clip")
        rate = _rate(f"{file}, row {at}", said.pop("rate", ""))
        name = stem(said.pop("name")).removeprefix("./")
        more = {column: _text(row.get(column)) for column in columns if column not in meaning.values()}
        yield Record(name, rate=rate, **said, more={key: text for key, text in more.items() if text})


def _text(cell: Any) -> str:
    if cell is None or isinstance(cell, float):
        return "" if cell is None or math.isnan(cell) else f"{cell:g}"
    return (cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)).strip()


def _rate(where: str, text: str) -> float:
    """A rate as it is written, 24 or 24000/1001; nothing is none."""
    over, _, under = text.partition("/")
    try:
        found = float(over) / float(under or 1) if text else math.nan
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{where}: got the rate {text!r}; expected frames per second, such as 24") from None
    return check_rate(where, found)
