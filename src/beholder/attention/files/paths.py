"""Scanpaths in files and at the border: what a model may answer with, what it wrote, and what a run keeps.

A picture's scanpaths are one file. A table (.csv, .txt: commas, tabs or spaces) has the columns x, y and, if it is
known, duration_ms, onset_ms and path (which of several); without a heading the columns are x, y[, duration_ms]. A .json
is a list of rows [x, y(, ms)] or a record of columns, or a list of either, one per scanpath. A .npy is n × 2 or n × 3.
Any other column is refused, for it may be one of these under another name (duration in seconds?), but for numbers of
rows, `index` or without a name.
Points are in px of the picture from its upper left corner.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from beholder.attention.types import Density, Picture, Salience, Scanpath, scanpath
from beholder.io import arrays
from beholder.io.atomic import whole_file
from beholder.io.bounds import LARGEST, check_text

SUFFIXES = (".csv", ".json", ".npy", ".txt")
COLUMNS = ("path", "x", "y", "onset_ms", "duration_ms")
NUMBERED = ("index", "")  # how tables call the column that numbers their rows
MANY = "expected a Scanpath, an array of n x 2 (x, y) or n x 3 (x, y, ms), or a list of these"


@dataclass(frozen=True, eq=False)
class Filed:
    """What a file holds, with its name."""

    held: Any
    file: str


def accept_scanpaths(raw: Any, picture: Picture) -> Scanpath | list[Scanpath]:
    """Accept a model's answer: one scanpath, or a list of them, each a repeat of the model.

    An empty scanpath is accepted. Measures drop and count fixations that are outside the picture or not finite; a path
    with no fixation inside is refused, as are coordinates that run from 0 to 1, and negative durations.
    """
    if isinstance(raw, Filed):
        try:
            return accept_scanpaths(raw.held, picture)
        except (ValueError, TypeError) as fault:
            raise ValueError(f"{raw.file}: {fault}") from fault
    _refuse_map(raw, picture)
    found = [_inspected(path, picture) for path in _paths(raw)]
    if not found:
        raise ValueError(f"got an empty list; {MANY}")
    return found[0] if len(found) == 1 else found


def as_list(answer: Scanpath | list[Scanpath]) -> list[Scanpath]:
    """The scanpaths of an accepted answer."""
    return [answer] if isinstance(answer, Scanpath) else answer


def _refuse_map(raw: Any, picture: Picture) -> None:
    """Refuse a map, and say what makes a scanpath from it."""
    shape = np.shape(raw) if isinstance(raw, np.ndarray) else ()
    if isinstance(raw, (Salience, Density)) or shape[:2] == tuple(picture.shape):
        kind = type(raw).__name__ if not shape else f"map of shape {shape}"
        raise TypeError(
            f"got a {kind}; {MANY}; to turn a map model into scanpaths, use wta_argmax(of=...) or wta_lif(of=...): "
            "--model \"mine=wta_lif(of='dir:maps', on='mit1003:PATH')\""
        )


def _paths(raw: Any) -> list[Scanpath]:
    if isinstance(raw, Scanpath):
        return [raw]
    if isinstance(raw, (list, tuple)) and raw and all(_is_path(one) for one in raw):
        return [path for one in raw for path in _paths(one)]
    if isinstance(raw, (list, tuple, np.ndarray)):
        return [_of_rows(raw)]
    raise TypeError(f"got a {type(raw).__name__}; {MANY}")


def _is_path(one: Any) -> bool:
    """Whether this is a whole scanpath, not a fixation."""
    return isinstance(one, Scanpath) or (isinstance(one, (np.ndarray, list, tuple)) and _depth(one) == 2)


def _depth(one: Any) -> int:
    """1 of a list of numbers, 2 of a list of lists; an empty list is a scanpath without fixations."""
    if isinstance(one, np.ndarray):
        return one.ndim
    return 2 if not one or isinstance(one[0], (list, tuple, np.ndarray)) else 1


def _of_rows(rows: Any) -> Scanpath:
    try:
        table = np.asarray(rows, np.float64)
    except (TypeError, ValueError) as fault:
        raise ValueError(f"got rows that are not a table of numbers ({fault}); {MANY}") from fault
    if not table.size:
        return scanpath([], [])
    if table.ndim != 2 or table.shape[1] not in (2, 3):
        raise ValueError(f"got an array of shape {table.shape}; {MANY}")
    return scanpath(table[:, 0], table[:, 1], duration_ms=table[:, 2] if table.shape[1] == 3 else None)


def _inspected(path: Scanpath, picture: Picture) -> Scanpath:
    if not len(path):
        return path
    height, width = picture.shape
    points = path.points
    known = np.isfinite(points).all(axis=1)
    if not known.any():
        raise ValueError(f"got {len(path)} fixations that are all NaN or infinite; expected x and y in px")
    size = f"the picture of {width} x {height} px"
    within = known & (points >= 0).all(axis=1) & (points < [width, height]).all(axis=1)
    if not within.any():
        x, y = points[known][0]
        raise ValueError(
            f"got {len(path)} fixations, none inside {size} (the first at {x:g}, {y:g}); expected x, y in px from "
            "the upper left corner: are they in degrees, measured from the middle, or for another picture size?"
        )
    inner = points[known]
    if len(inner) > 1 and inner.min() >= 0 and inner.max() <= 1 and ((inner > 0) & (inner < 1)).any():
        raise ValueError(
            f"got {len(path)} fixations between 0 and 1; expected px of {size}: multiply by its width and height"
        )
    if (path.duration_ms < 0).any() or np.isinf(path.duration_ms).any():
        raise ValueError(f"got a duration of {np.nanmin(path.duration_ms):g} ms; expected 0 or more, NaN if unknown")
    return path


def read(path: Path, *, limit: int = LARGEST) -> Filed:
    """The scanpaths in a file, refused beyond `limit` bytes; a fault names it.

    >>> read(Path("walk.png"))
    Traceback (most recent call last):
    ValueError: walk.png: got the suffix '.png'; expected .csv, .json, .npy, .txt
    """
    suffix = path.suffix.lower()
    if suffix not in READERS:
        raise ValueError(f"{path.name}: got the suffix {suffix!r}; expected {', '.join(SUFFIXES)}")
    try:
        return Filed(READERS[suffix](path, limit), path.name)
    except Exception as fault:  # libraries raise what they like over damaged bytes
        text = str(fault)
        raise ValueError(text if path.name in text else f"{path.name}: {text}") from fault


def write(answer: Scanpath | list[Scanpath], path: Path) -> None:
    """Keep an accepted answer as a table: path, x, y, onset_ms, duration_ms; what is not known is left blank."""
    if path.suffix.lower() != ".csv":
        raise ValueError(f"{path.name}: got the suffix {path.suffix!r}; expected .csv")
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(COLUMNS)
    for number, one in enumerate(as_list(answer)):
        columns = (one.x, one.y, one.onset_ms, one.duration_ms)
        table.writerows([number, *map(_text, row)] for row in zip(*columns, strict=True))
    with whole_file(path) as file:
        file.write(out.getvalue().encode())


def _text(value: float) -> str:
    return "" if np.isnan(value) else repr(float(value))


def _array(path: Path, limit: int) -> Any:
    return np.asarray(arrays.load(path, limit=limit))


def _json(path: Path, limit: int) -> Any:
    check_text(path, limit)
    return _of_json(json.loads(path.read_text("utf-8")))


def _of_json(held: Any) -> Any:
    """Rows as they are; records of columns, one or a list of them, as scanpaths."""
    if isinstance(held, Mapping):
        return _split(held)
    if isinstance(held, list) and held and all(isinstance(one, Mapping) for one in held):
        return [path for one in held for path in as_list(_split(one))]
    return held


def _of_columns(columns: Mapping[str, Any]) -> Scanpath:
    lacking = [name for name in ("x", "y") if name not in columns]
    if lacking:
        raise ValueError(f"got {', '.join(map(str, columns)) or 'nothing'}; expected the columns x, y[, duration_ms]")
    unknown = [str(name) for name in columns if name not in (*COLUMNS, *NUMBERED)]
    if unknown:
        raise ValueError(
            f"got the column {', '.join(unknown)}; expected x, y and, if known, duration_ms, onset_ms and path; "
            "rename it if it is one of these (times in ms), or remove it"
        )
    values = {name: np.asarray(columns[name], np.float64) for name in COLUMNS[1:] if columns.get(name) is not None}
    return scanpath(**values)


def _table(path: Path, limit: int) -> Any:
    check_text(path, limit)
    lines = [line for line in path.read_text("utf-8-sig").splitlines() if line.strip()]
    rows = [[word.strip() for word in re.split(r"[,;\t]", line)] if _cut(line) else line.split() for line in lines]
    if not rows:
        return []
    if all(_is_number(word) for word in rows[0]):
        return _numbers(rows, len(rows[0]))
    names, body = [name.lower() for name in rows[0]], rows[1:]
    columns = dict(
        zip(names, zip(*_numbers(body, len(names)), strict=True) if body else ([] for _ in names), strict=True)
    )
    return _split(columns)


def _cut(line: str) -> bool:
    return bool(re.search(r"[,;\t]", line))


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _numbers(rows: Sequence[Sequence[str]], width: int) -> list[list[float]]:
    for number, row in enumerate(rows, 1):
        if len(row) != width or not all(_is_number(word) or not word for word in row):
            raise ValueError(f"got {' '.join(row)!r} as fixation {number}; expected {width} numbers")
    return [[float(word or "nan") for word in row] for row in rows]


def _split(columns: Mapping[str, Any]) -> Scanpath | list[Scanpath]:
    """One scanpath, or one for each value of the column `path`, in the order of their first rows."""
    whole = _of_columns(columns)
    if "path" not in columns:
        return whole
    numbers = np.asarray(columns["path"])
    if numbers.shape != whole.x.shape:
        raise ValueError(f"got {numbers.size} values of path and {len(whole)} of x; expected the same number")
    return [whole.at(numbers == number) for number in dict.fromkeys(numbers.tolist())] or whole


READERS: Mapping[str, Callable[[Path, int], Any]] = {".csv": _table, ".json": _json, ".npy": _array, ".txt": _table}
