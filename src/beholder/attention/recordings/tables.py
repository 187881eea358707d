"""Raw gaze in plain tables: a row per sample, with columns for x, y, and time or a known rate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from beholder.attention.gaze.detection import Gaze
from beholder.attention.recordings.trials import Trial, even_gaze, mark_lost, sampling_rate
from beholder.errors import Misuse
from beholder.io import table

if TYPE_CHECKING:
    import pandas as pd

# What a column may be called, the first that is there counts; others are named by the user.
KNOWN = {
    "x": ("x", "gaze_x", "x_px", "x_coordinate"),
    "y": ("y", "gaze_y", "y_px", "y_coordinate"),
    "time": ("time_ms", "timestamp_ms", "time_s", "time_us", "time", "timestamp"),
    "stimulus": ("stimulus", "image", "picture", "trial"),
    "observer": ("observer", "subject", "participant"),
    "valid": (),
}
TEXTS = ("stimulus", "observer")
UNITS = {"ms": 1.0, "s": 1000.0, "us": 0.001}


def read(file: Path, *, named: Mapping[str, str], unit: str = "", hertz: float = np.nan) -> Iterator[Trial]:
    """The trials of a table; without a column of stimuli or of observers its file's name is the name of both.

    `named` says what columns are called, `unit` what times are in (ms, unless the column's name ends in _s or _us), and
    `hertz` the rate where there is no column of times.
    """
    columns = _columns(file, named)
    rows = table.read(file, [columns[word] for word in TEXTS if word in columns])
    for word in ("x", "y", "time", "valid"):
        if word in columns and rows[columns[word]].dtype.kind not in "fiub":
            raise Misuse(f"{file}: got text in the column {columns[word]}; expected numbers, empty where missing")
    for (stimulus, observer), theirs in _by_trial(rows, columns, file):
        where = f"{file}, {observer} on {stimulus}"
        yield Trial(stimulus, observer, _gaze(theirs, columns, unit=unit, hertz=hertz, where=where))


def _gaze(rows: pd.DataFrame, columns: Mapping[str, str], *, unit: str, hertz: float, where: str) -> Gaze:
    values = {word: rows[columns[word]].to_numpy(np.float64) for word in ("x", "y", "time", "valid") if word in columns}
    x, y = mark_lost(values["x"], values["y"], values.get("valid"))
    if "time" not in values:
        if not np.isfinite(hertz):
            raise Misuse(f"{where}: got no column of times; expected one, or --hertz; name it with --column time=NAME")
        return Gaze(x, y, hertz)
    times = values["time"] * UNITS[unit or _unit(columns["time"])]
    return even_gaze(times, x, y, hertz if np.isfinite(hertz) else sampling_rate(times, where), where)


def _unit(column: str) -> str:
    """The unit that a column's name tells; ms where it tells none.

    >>> _unit("time_s"), _unit("timestamp")
    ('s', 'ms')
    """
    return next((unit for unit in UNITS if column.lower().endswith(f"_{unit}")), "ms")


def _columns(file: Path, named: Mapping[str, str]) -> dict[str, str]:
    """Which column is which, x and y at least."""
    unknown = [word for word in named if word not in KNOWN]
    if unknown:
        raise Misuse(f"got --column {unknown[0]}=…; expected one of {', '.join(KNOWN)}")
    there = {str(name).strip().lower(): str(name) for name in table.read(file).columns}
    found = {}
    for word, names in KNOWN.items():
        if word in named:
            if named[word].strip().lower() not in there:
                raise Misuse(f"{file}: got no column {named[word]!r}; expected one of {', '.join(there.values())}")
            found[word] = there[named[word].strip().lower()]
        elif here := [there[name] for name in names if name in there]:
            found[word] = here[0]
    missing = [word for word in ("x", "y") if word not in found]
    if missing:
        raise Misuse(
            f"{file}: got the columns {', '.join(there.values())}; expected one for {missing[0]}; name it: "
            f"--column {missing[0]}=NAME"
        )
    return found


def _by_trial(
    rows: pd.DataFrame, columns: Mapping[str, str], file: Path
) -> Iterator[tuple[tuple[str, str], pd.DataFrame]]:
    named = {word: rows[columns[word]] if word in columns else file.stem for word in TEXTS}
    keyed = rows.assign(**{f"_{word}": column for word, column in named.items()})
    nameless = int(keyed[["_stimulus", "_observer"]].isna().any(axis=1).sum())
    if nameless:
        raise Misuse(f"{file}: got {nameless} rows without a stimulus or an observer; expected both in every row")
    for key, theirs in keyed.groupby(["_stimulus", "_observer"], sort=False):
        stimulus, observer = key
        yield (str(stimulus), str(observer)), theirs
