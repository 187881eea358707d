"""Raw gaze in plain tables: a row per sample, with columns for x, y, and time or a known rate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from beholder.attention.columns import EYES, GAZE, milliseconds, numbers
from beholder.attention.gaze.detection import Gaze
from beholder.attention.recordings.options import COMMAND, Options
from beholder.attention.recordings.trials import Trial, even_gaze, mark_lost, sampling_rate
from beholder.attention.recordings.validity import read_validity
from beholder.errors import Misuse
from beholder.io import table
from beholder.io.columns import meanings

if TYPE_CHECKING:
    import pandas as pd

TEXTS = ("stimulus", "observer")
GOOD = "(good)"  # a column that is made here: no table has such a name


def read(
    file: Path, *, named: Mapping[str, str], unit: str = "", hertz: float = np.nan, options: Options = COMMAND
) -> Iterator[Trial]:
    """The trials of a table; without a column of stimuli or of observers its file's name is the name of both.

    `named` says what columns are called, `unit` what times are in (ms, unless the column's name ends in _s or _us), and
    `hertz` the rate where there is no column of times.
    """
    columns = _columns(file, named, options)
    rows = table.read(file, [columns[word] for word in TEXTS if word in columns])
    validity = read_validity(rows, columns, file, options)
    good = np.ones(len(rows), np.bool_) if validity.good is None else validity.good
    for (stimulus, observer), theirs in _by_trial(rows.assign(**{GOOD: good}), columns, file):
        where = f"{file}, {observer} on {stimulus}"
        gaze = _gaze(theirs, columns, unit=unit, hertz=hertz, where=where, options=options)
        yield Trial(stimulus, observer, gaze, columns=columns, validity=validity.told, doubts=validity.doubts)


def _gaze(
    rows: pd.DataFrame, columns: Mapping[str, str], *, unit: str, hertz: float, where: str, options: Options
) -> Gaze:
    values = {word: numbers(rows, columns[word], where) for word in ("x", "y", "time") if word in columns}
    x, y = mark_lost(values["x"], values["y"], rows[GOOD].to_numpy(np.bool_))
    if "time" not in values:
        if not np.isfinite(hertz):
            raise Misuse(
                f"{where}: got no column of times; expected one; name it: {options.column.format('time')}, or give the "
                f"rate: {options.hertz}"
            )
        return Gaze(x, y, hertz)
    times = milliseconds(values["time"], columns["time"], unit)
    rate = hertz if np.isfinite(hertz) else sampling_rate(times, where, options)
    return even_gaze(times, x, y, rate, where, options)


def _columns(file: Path, named: Mapping[str, str], options: Options) -> dict[str, str]:
    """Which column is which, x and y at least."""
    head = table.head(file)
    found = meanings(head, GAZE, named, of=str(file))
    missing = [word for word in ("x", "y") if word not in found]
    if missing:
        raise Misuse(
            f"{file}: got the columns {', '.join(name.strip() for name in head)}; expected one for {missing[0]}; name "
            f"it: {options.column.format(missing[0])}"
        )
    return {word: name for word, name in found.items() if word not in EYES or "valid" not in found}


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
