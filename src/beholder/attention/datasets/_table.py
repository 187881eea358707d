"""Paths from a long table, one row per fixation."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from beholder.attention.datasets import _folder
from beholder.attention.datasets._gaze import Seen
from beholder.attention.datasets._times import known_durations, onsets
from beholder.attention.types import Scanpath, scanpath
from beholder.errors import Misuse
from beholder.io import table as tables

if TYPE_CHECKING:
    import pandas as pd

NEEDED = ("stimulus", "observer", "index", "x", "y")
KNOWN = (*NEEDED, "onset_ms", "duration_ms", "group")
TEXTS = ("stimulus", "observer", "group", "image", "subject")
OTHERS = {"subject": "observer", "image": "stimulus"}  # words of other programs


def read_pictures(path: Path, offset: float) -> tuple[dict[str, Seen], Path, Mapping[str, str]]:
    """Every picture of a table with its file, the table's file, and the observers' groups."""
    file = _file(path)
    rows = _rows(file)
    found = _folder.pictures(file.parent)
    by_name = {Path(id).name: picture for id, picture in found.items()}
    seen = {}
    for name, theirs in rows.groupby("stimulus", sort=True):
        stem = Path(str(name))
        id = (stem.with_suffix("") if stem.suffix.lower() in _folder.PICTURES else stem).as_posix()
        paths = {str(who): _path(trial, offset) for who, trial in theirs.groupby("observer", sort=True)}
        seen[id] = Seen(paths, found.get(id) or by_name.get(Path(id).name))
    groups = {str(row.observer): str(row.group) for row in rows.itertuples()} if "group" in rows else {}
    return seen, file, groups


def _file(path: Path) -> Path:
    """The table: the file itself, or the one in a folder."""
    if path.is_file():
        return path
    found = sorted(file for file in _folder.existing_folder(path, "a table or its folder").iterdir() if _is_table(file))
    if len(found) != 1:
        names = ", ".join(file.name for file in found) or "none"
        raise Misuse(
            f"got {path} with {names} of {', '.join(tables.SUFFIXES)}; expected one table; give the file itself"
        )
    return found[0]


def _is_table(file: Path) -> bool:
    return file.suffix.lower() in tables.SUFFIXES


def _rows(file: Path) -> pd.DataFrame:
    """The rows in order, each fixation of a trial once."""
    read = tables.read(file, TEXTS)
    written = {OTHERS.get(name, name): name for name in (str(column).strip() for column in read)}  # the user's words
    rows = read.rename(columns=lambda name: OTHERS.get(str(name).strip(), str(name).strip()))
    missing = [name for name in NEEDED if name not in rows]
    if missing:
        needed = ", ".join(written.get(name, name) for name in NEEDED)
        raise Misuse(
            f"{file}: got the columns {', '.join(written.values())} without {' and '.join(missing)}; expected {needed} "
            "(index: the order of a trial's fixations), and duration_ms, onset_ms and group where they are known"
        )
    words = [name for name in NEEDED[2:] if rows[name].dtype.kind not in "fiu"]
    if words and len(rows):
        raise Misuse(f"{file}: got text in the column {written[words[0]]}; expected numbers, empty where missing")
    stimulus, observer = written["stimulus"], written["observer"]
    nameless = int(rows[["stimulus", "observer"]].isna().any(axis=1).sum())
    if nameless:
        raise Misuse(f"{file}: got {nameless} rows without {stimulus} or {observer}; expected both in every row")
    twice = rows[rows.duplicated(["stimulus", "observer", "index"])]
    if len(twice):
        first = twice.iloc[0]
        raise Misuse(
            f"{file}: got fixation {first['index']:g} of {observer} {first['observer']} on {first['stimulus']} "
            "twice; expected each once; if somebody looked twice, keep the first time"
        )
    return rows.sort_values(["stimulus", "observer", "index"], kind="stable")


def _path(trial: pd.DataFrame, offset: float) -> Scanpath:
    """One trial; a single row without a place stands for a trial without a fixation."""
    if len(trial) == 1 and trial[["x", "y"]].isna().all(axis=None):
        trial = trial.iloc[:0]
    column = {name: trial[name].to_numpy(np.float64) for name in trial if trial[name].dtype.kind in "fiu"}
    signals = {str(name): values for name, values in column.items() if name not in KNOWN}
    times = {name: column.get(name) for name in ("onset_ms", "duration_ms")}
    if times["duration_ms"] is not None:
        times["duration_ms"] = known_durations(times["duration_ms"])
        times["onset_ms"] = onsets(times["duration_ms"]) if times["onset_ms"] is None else times["onset_ms"]
    return scanpath(column["x"] - offset, column["y"] - offset, **times, **signals)
