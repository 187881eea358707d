"""Paths from a long table, one row per fixation, whatever its columns are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from beholder.attention.columns import FIXATED, FIXATIONS, milliseconds, numbers, told_by_names
from beholder.attention.gaze.placing import Placing
from beholder.attention.gaze.times import known_durations, onsets
from beholder.attention.people.controls import Shape
from beholder.attention.types import Scanpath, scanpath
from beholder.errors import Misuse, listed
from beholder.io import table as tables
from beholder.io.columns import Words, meanings, plain
from beholder.io.image import PICTURES

if TYPE_CHECKING:
    import pandas as pd

TEXTS = ("stimulus", "observer", "group", "model", "repeat")
MODEL, WALKER = "(model)", "(model and repeat)"  # columns that are made here: no table has such names
REPEAT = " #"  # between a model and the number of its repeat
FIRST = (".csv", ".tsv", ".parquet")  # of several files in a folder these are tables before .txt and .json may be


@dataclass(frozen=True)
class Wanted:
    """How a table is to be read."""

    columns: str | Mapping[str, str] = ""  # MEANING=COLUMN, …
    time: str = ""  # the unit of times; nothing: as columns' names say, else ms
    pictures: str = ""  # their folder; nothing: that of the table
    placing: Placing = field(default_factory=Placing)
    words: Words = field(default_factory=lambda: FIXATIONS)


@dataclass(frozen=True, eq=False)
class Rows:
    """A table of fixations, and which of its columns means what."""

    file: Path
    table: pd.DataFrame
    columns: Mapping[str, str]  # meaning → column
    placing: Placing  # with what names of columns tell of it
    remarks: tuple[str, ...] = ()


def table_file(path: Path) -> Path:
    """The table: the file itself, or the one in a folder."""
    if path.is_file():
        return path
    if not path.is_dir():
        raise Misuse(f"got {path}, which is not a folder; expected a table or its folder")
    inside = sorted(path.iterdir())
    every = [file for file in inside if file.suffix.lower() in tables.SUFFIXES and not file.name.startswith(".")]
    found = [file for file in every if file.suffix.lower() in FIRST] or every
    if len(found) != 1:
        names = ", ".join(file.name for file in found) or "none"
        raise Misuse(
            f"got {path} with {names} of {', '.join(tables.SUFFIXES)}; expected one table; give the file itself"
        )
    return found[0]


def read_rows(path: Path, wanted: Wanted) -> Rows:
    """The rows of a table in order, each fixation of a trial once."""
    file = table_file(path)
    head = tables.head(file)
    columns = meanings(head, wanted.words, wanted.columns, of=str(file))
    _require(file, head, columns, wanted.words)
    read = tables.read(file, [columns[word] for word in TEXTS if word in columns])
    if "model" in wanted.words:
        read, columns = _with_walkers(read, columns, file)
    kept, remarks = _fixations_only(read, columns)
    for word in ("x", "y", "index", "onset", "duration"):
        if word in columns and len(kept):
            numbers(kept, columns[word], file)
    _refuse_nameless(kept, columns, file)
    told: dict[str, Any] = dict(told_by_names(columns))
    unsaid = {name: word for name, word in told.items() if not getattr(wanted.placing, name)}
    placing = replace(wanted.placing, **unsaid)
    form = read.attrs.get("form")
    said = (*([f"{file.name} is read with {form}"] if form else ()), *_renamed(columns), *remarks)
    return _in_order(Rows(file, kept, columns, placing, said))


def _require(file: Path, head: Sequence[str], columns: Mapping[str, str], words: Words) -> None:
    lacking = [word for word in ("stimulus", "observer", "x", "y") if word in words and word not in columns]
    if lacking:
        known = ", ".join(f"{word}={name.strip()}" for word, name in columns.items())
        raise Misuse(
            f"{file}: got the columns {listed([name.strip() for name in head], most=20)}; which of them is "
            f"{' and which '.join(lacking)}? Say it: --columns {','.join(f'{word}=COLUMN' for word in lacking)}"
            f"{f' (understood: {known})' if known else ''}"
        )


def _renamed(columns: Mapping[str, str]) -> tuple[str, ...]:
    """A remark on columns that are known by other names than ours; times have their unit in their names."""
    ours = {f"{word}{end}" for word in columns for end in ("", "_ms")} | {plain(MODEL), plain(WALKER)}
    other = [f"{name.strip()} as {word}" for word, name in columns.items() if plain(name) not in ours]
    return (f"columns recognised by other names: {', '.join(other)}",) if other else ()


def _with_walkers(rows: pd.DataFrame, columns: Mapping[str, str], file: Path) -> tuple[pd.DataFrame, dict[str, str]]:
    """Rows of models' scanpaths with a column of who made each: the model, and which of its repeats."""
    models = rows[columns["model"]] if "model" in columns else file.stem
    rows = rows.assign(**{WALKER: models}, **({} if "model" in columns else {MODEL: models}))
    if "repeat" in columns:
        rows[WALKER] = rows[WALKER].astype(str) + REPEAT + rows[columns["repeat"]].astype(str)
    return rows, {"model": MODEL, **columns, "observer": WALKER}


def _fixations_only(rows: pd.DataFrame, columns: Mapping[str, str]) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Rows that are fixations, where a column says what a row is; exports of samples repeat each fixation's row."""
    if "event" not in columns:
        return rows, ()
    kinds = rows[columns["event"]].astype(str).str.strip().str.casefold()
    if not kinds.isin(FIXATED).any():
        return rows, ()
    kept = rows[kinds.isin(FIXATED)]
    same = [columns[word] for word in ("stimulus", "observer", "index", "x", "y", "duration") if word in columns]
    kept = kept.dropna(subset=[columns["stimulus"], columns["observer"]]).drop_duplicates(same)
    away = len(rows) - len(kept)
    return kept, (
        f"{away:,} rows are no fixation by {columns['event']}, or repeat one, and are left out",
    ) if away else ()


def _refuse_nameless(rows: pd.DataFrame, columns: Mapping[str, str], file: Path) -> None:
    stimulus, observer = columns["stimulus"], columns["observer"]
    nameless = int(rows[[stimulus, observer]].isna().any(axis=1).sum())
    if nameless:
        raise Misuse(f"{file}: got {nameless} rows without {stimulus} or {observer}; expected both in every row")


def _in_order(rows: Rows) -> Rows:
    """The same rows, those of a trial by index, else by onset, else as they stand."""
    columns = rows.columns
    trial = [columns["stimulus"], columns["observer"]]
    if "index" not in columns:
        by = [columns["onset"]] if "onset" in columns else []
        way = f"ordered by {columns['onset']}" if by else "taken in the order of their rows"
        said = f"no column of {rows.file.name} numbers the fixations of a trial; they are {way}"
        return replace(rows, table=rows.table.sort_values([*trial, *by], kind="stable"), remarks=(*rows.remarks, said))
    number = columns["index"]
    twice = rows.table[rows.table.duplicated([*trial, number])]
    if len(twice):
        first = twice.iloc[0]
        raise Misuse(
            f"{rows.file}: got fixation {first[number]:g} of {trial[1]} {first[trial[1]]} on {first[trial[0]]} "
            f"twice; expected each once; if somebody looked twice, keep the first time; or {trial[1]} is not the "
            "column of observers: say which is (--columns observer=COLUMN)"
        )
    return replace(rows, table=rows.table.sort_values([*trial, number], kind="stable"))


def path_of(trial: pd.DataFrame, rows: Rows, shape: Shape | None, time: str = "") -> Scanpath:
    """One trial; a single row without a place stands for a trial without a fixation."""
    places = [rows.columns["x"], rows.columns["y"]]
    if len(trial) == 1 and trial[places].isna().all(axis=None):
        trial = trial.iloc[:0]
    x, y = (numbers(trial, column, rows.file) for column in places)
    if shape is not None:
        x, y = rows.placing.on_picture(x, y, shape)
    times = {
        word: milliseconds(numbers(trial, rows.columns[word], rows.file), rows.columns[word], time)
        for word in ("onset", "duration")
        if word in rows.columns
    }
    lasts = known_durations(times["duration"]) if "duration" in times else None
    begins = times.get("onset")
    if lasts is not None and begins is None:
        begins = onsets(lasts)
    used = {*rows.columns.values()}
    signals = {
        str(name): trial[name].to_numpy(np.float64)
        for name in trial
        if name not in used and trial[name].dtype.kind in "fiu"
    }
    return scanpath(
        x, y, onset_ms=begins, duration_ms=lasts, **{_word(name): values for name, values in signals.items()}
    )


def _word(name: str) -> str:
    """A signal's name: no column may be called as an argument of ours is."""
    return name.strip() if name.strip() not in ("x", "y", "onset_ms", "duration_ms") else f"{name.strip()}_"


def picture_name(name: str) -> str:
    """A picture's name as tables have it, without its suffix, and without folders that lead elsewhere.

    >>> picture_name(" Cats/Tom.JPG"), picture_name("C:\\\\lab\\\\tom.png"), picture_name("tom.2")
    ('Cats/Tom', 'tom', 'tom.2')
    """
    said = Path(name.strip().replace("\\", "/"))
    own = said.with_suffix("") if said.suffix.lower() in PICTURES else said
    return own.name if own.is_absolute() or ".." in own.parts or ":" in own.parts[0] else own.as_posix()


def read_models(file: Path, wanted: Wanted, shapes: Mapping[str, Shape]) -> dict[str, dict[str, list[Scanpath]]]:
    """Scanpaths of models from one table: by model, by picture, one for each repeat, in px of the picture.

    `shapes` are the pictures that are asked for, by id; others are left out.
    """
    rows = read_rows(file, wanted)
    known = {Path(id).name.casefold(): id for id in shapes}
    found: dict[str, dict[str, list[Scanpath]]] = {}
    columns = [rows.columns["model"], rows.columns["stimulus"], rows.columns["observer"]]
    for (model, name, _), trial in rows.table.groupby(columns, sort=True):
        own = picture_name(str(name))
        id = own if own in shapes else known.get(Path(own).name.casefold(), "")
        if id:
            path = path_of(trial, rows, shapes[id], wanted.time)
            found.setdefault(str(model), {}).setdefault(id, []).append(path)
    return found
