"""Eye tracking in BIDS → arrays: `…_physio.tsv.gz` and its JSON, and the events and the screen of the same run.

What the tracker itself found, fixations and blinks, is in `…_physioevents.tsv.gz`.
"""

from __future__ import annotations

import csv
import gzip
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.io.bounds import LARGEST, PARSED, check_bytes, check_regular, check_text
from beholder.io.reading import parse_json

Floats = NDArray[np.float64]
END, MARKED = "_physio.tsv.gz", "_physioevents.tsv.gz"
SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}  # in a unit of durations
LONGEST_TEXT = LARGEST // PARSED  # bytes of a table, unpacked
LONGEST = 10.0  # s: no fixation lasts as long; a greater median is in another unit than its file says


class Mark(NamedTuple):
    """What the tracker says of a stretch of time: fixation, saccade, blink …, and whether the eye was shut."""

    kind: str
    start: float  # s, the events' clock
    seconds: float  # NaN where it is not said
    shut: bool


@dataclass(frozen=True, eq=False)
class Recording:
    """One eye's samples, evenly in time from `start` (s, the events' clock); px of the screen, NaN where missing."""

    columns: dict[str, Floats]  # x_coordinate, y_coordinate, and what else there is
    hertz: float
    start: float
    screen: dict[str, Any]  # ScreenResolution (px), ScreenSize and ScreenDistance (m), ScreenOrigin
    events: tuple[dict[str, str], ...]  # onset, duration (s), stim_file …
    marks: tuple[Mark, ...] = ()  # the tracker's own, where there are any


def recordings(root: Path | str, eye: str = "eye1") -> list[Path]:
    """The files of one eye in a data set."""
    found = sorted(Path(root).rglob(f"sub-*{END}"))
    return [file for file in found if entities(file).get("recording", eye) == eye]


def entities(file: Path) -> dict[str, str]:
    """What a file's name says.

    >>> entities(Path("sub-01_task-look_recording-eye1_physio.tsv.gz"))
    {'sub': '01', 'task': 'look', 'recording': 'eye1'}
    """
    pairs = (word.split("-", 1) for word in file.name.split(".")[0].split("_") if "-" in word)
    return dict(pairs)


def read(path: Path | str, root: Path | str) -> Recording:
    """The recording in a file of the data set below `root`."""
    file = Path(path)
    facts = _facts(file, Path(root), "physio")
    _checked(facts, file)
    events = next(iter(_beside(file, "_events.tsv")), None)
    found = Recording(
        _columns(file, facts["Columns"]),
        float(facts["SamplingFrequency"]),
        float(facts.get("StartTime", 0)),
        dict(_facts(file, Path(root), "events").get("StimulusPresentation", {})),
        tuple(_rows(events)) if events else (),
    )
    marked = file.with_name(file.name.removesuffix(END) + MARKED)
    return replace(found, marks=_marks(marked, Path(root), found)) if marked.is_file() else found


def _checked(facts: dict[str, Any], file: Path) -> None:
    missing = [key for key in ("Columns", "SamplingFrequency") if key not in facts]
    if missing:
        raise ValueError(f"{file}: got no {missing[0]} in its JSON; expected {file.name.split('.')[0]}.json with it")
    for name in ("x_coordinate", "y_coordinate"):
        if name not in facts["Columns"]:
            raise ValueError(f"{file}: got the columns {facts['Columns']}; expected {name} among them")
        unit = str(facts.get(name, {}).get("Units", "pixel"))
        if unit not in ("pixel", "pixels", "px"):
            raise ValueError(f"{file}: got {name} in {unit}; expected pixel; convert it")
    system = facts.get("SampleCoordinateSystem", "gaze-on-screen")
    if system != "gaze-on-screen":
        raise ValueError(f"{file}: got coordinates of {system}; expected gaze-on-screen")


def _facts(file: Path, root: Path, suffix: str) -> dict[str, Any]:
    """The JSON of a file with all that it inherits from the folders above, the nearest last."""
    own = entities(file)
    levels = [place for place in reversed([file.parent, *file.parent.parents]) if place.is_relative_to(root)]
    merged: dict[str, Any] = {}
    for place in levels:
        for other in sorted(place.glob(f"*_{suffix}.json"), key=lambda one: len(entities(one))):
            if entities(other).items() <= own.items():
                merged |= _json(other)
    return merged


def _json(file: Path) -> dict[str, Any]:
    check_text(file, LARGEST)
    try:
        return dict(parse_json(file.read_text("utf-8")))
    except (ValueError, TypeError) as fault:
        raise ValueError(f"{file}: got no JSON object ({fault}); expected one") from fault


def _beside(file: Path, end: str) -> list[Path]:
    """Files of the same run in the same folder."""
    own = entities(file)
    return [other for other in sorted(file.parent.glob(f"*{end}")) if entities(other).items() <= own.items()]


def _rows(file: Path) -> list[dict[str, str]]:
    check_text(file, LARGEST)
    with file.open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def _marks(file: Path, root: Path, of: Recording) -> tuple[Mark, ...]:
    """What the tracker marked, in the clock of the events; a row without an onset is left away.

    Onsets are values of the column of the samples that OnsetSource names or, with n/a, rows of them.
    """
    facts = _facts(file, root, "physioevents")
    names = facts.get("Columns", [])
    if "onset" not in names:
        raise ValueError(f"{file}: got the columns {names} in its JSON; expected onset among them")
    every = [dict(zip(names, words, strict=True)) for words in _words(file, names)]
    rows = [row for row in every if np.isfinite(_value(row["onset"]))]
    onsets = np.array([_value(row["onset"]) for row in rows])
    starts = of.start + _row(onsets, of, counted=str(facts.get("OnsetSource", "n/a")), file=file) / of.hertz
    unit = str((facts.get("duration") or {}).get("Units", "s"))
    if unit not in SECONDS:
        raise ValueError(f"{file}: got durations in {unit}; expected one of {', '.join(SECONDS)}")
    found = tuple(
        Mark(_kind(row), start, SECONDS[unit] * _value(row.get("duration", "n/a")), _value(row.get("blink", "0")) == 1)
        for row, start in zip(rows, starts.tolist(), strict=True)
    )
    lasts = [mark.seconds for mark in found if mark.kind == "fixation"]
    if lasts and np.median(lasts) > LONGEST:
        raise ValueError(
            f"{file}: got fixations of {np.median(lasts):g} s; expected seconds; state the Units of duration"
        )
    return found


def _kind(row: dict[str, str]) -> str:
    return row.get("trial_type", "n/a").lower()


def _row(onsets: Floats, of: Recording, *, counted: str, file: Path) -> Floats:
    """Onsets as rows of the samples, the first one 0; before and after them at the same rate."""
    if counted == "n/a":
        return onsets
    if counted not in of.columns:
        raise ValueError(f"{file}: got the OnsetSource {counted}; expected a column of the samples, or n/a")
    clock = of.columns[counted]
    if len(clock) < 2 or not (np.diff(clock) > 0).all():
        raise ValueError(f"{file}: got {counted} that does not grow from sample to sample; expected it to, for onsets")
    beyond = np.minimum(onsets - clock[0], 0) + np.maximum(onsets - clock[-1], 0)
    return np.asarray(np.interp(onsets, clock, np.arange(len(clock))) + beyond / np.median(np.diff(clock)))


def _columns(file: Path, names: list[str]) -> dict[str, Floats]:
    """The numbers of a table without a head; n/a is NaN, and so is a column of words."""
    values = np.array([[_value(word) for word in row] for row in _words(file, names)], np.float64)
    return {name: values.reshape(-1, len(names))[:, at] for at, name in enumerate(names)}


def _words(file: Path, names: list[str]) -> list[list[str]]:
    """The rows of a compressed table without a head."""
    check_regular(file)
    try:
        with gzip.open(file, "rb") as packed:
            text = packed.read(LONGEST_TEXT + 1)
        check_bytes(file, "a table", len(text), LONGEST_TEXT)
        rows = [line.split("\t") for line in text.decode("utf-8").split("\n") if line.strip()]
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as fault:
        raise ValueError(f"{file}: got no compressed table ({fault}); expected a complete .tsv.gz") from fault
    ragged = next((n for n, row in enumerate(rows, 1) if len(row) != len(names)), None)
    if ragged:
        raise ValueError(f"{file}, line {ragged}: got {len(rows[ragged - 1])} values; expected {len(names)}: {names}")
    return rows


def _value(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return np.nan
