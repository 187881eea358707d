"""Eye tracking in BIDS → arrays: `…_physio.tsv.gz`, its JSON, and the events and the screen of the same run."""

from __future__ import annotations

import csv
import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
END = "_physio.tsv.gz"


@dataclass(frozen=True, eq=False)
class Recording:
    """One eye's samples, evenly in time from `start` (s, the events' clock); px of the screen, NaN where missing."""

    columns: dict[str, Floats]  # x_coordinate, y_coordinate, and what else there is
    hertz: float
    start: float
    screen: dict[str, Any]  # ScreenResolution (px), ScreenSize and ScreenDistance (m), ScreenOrigin
    events: tuple[dict[str, str], ...]  # onset, duration (s), stim_file …


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
    return Recording(
        _columns(file, facts["Columns"]),
        float(facts["SamplingFrequency"]),
        float(facts.get("StartTime", 0)),
        dict(_facts(file, Path(root), "events").get("StimulusPresentation", {})),
        tuple(_rows(events)) if events else (),
    )


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
    try:
        return dict(json.loads(file.read_text("utf-8")))
    except (ValueError, TypeError) as fault:
        raise ValueError(f"{file}: got no JSON object ({fault}); expected one") from fault


def _beside(file: Path, end: str) -> list[Path]:
    """Files of the same run in the same folder."""
    own = entities(file)
    return [other for other in sorted(file.parent.glob(f"*{end}")) if entities(other).items() <= own.items()]


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def _columns(file: Path, names: list[str]) -> dict[str, Floats]:
    """The numbers of a table without a head; n/a is NaN, and so is a column of words."""
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            rows = [line.rstrip("\n").split("\t") for line in lines if line.strip()]
    except (OSError, EOFError, UnicodeDecodeError) as fault:
        raise ValueError(f"{file}: got no compressed table ({fault}); expected a whole {END}") from fault
    ragged = next((n for n, row in enumerate(rows, 1) if len(row) != len(names)), None)
    if ragged:
        raise ValueError(f"{file}, line {ragged}: got {len(rows[ragged - 1])} values; expected {len(names)}: {names}")
    values = np.array([[_value(word) for word in row] for row in rows], np.float64).reshape(-1, len(names))
    return {name: values[:, at] for at, name in enumerate(names)}


def _value(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return np.nan
