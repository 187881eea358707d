"""EyeLink recordings as text (.asc, made by edf2asc) → samples, fixations and messages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beholder.io.bounds import LARGEST, check_text

Floats = NDArray[np.float64]

_NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?"  # each digit has one place in it: else it is slow


@dataclass(frozen=True, eq=False)
class Recording:
    """One eye's recording; times in ms of the tracker's clock, places in px of the screen, NaN where lost."""

    eye: str  # L or R
    samples: Floats  # (n, 4): time, x, y, pupil
    fixations: Floats  # (m, 5): start, duration, x, y, pupil
    messages: tuple[tuple[float, str], ...]
    ends: tuple[float, ...]  # when recording stopped
    hertz: float  # NaN where the file does not say it
    screen: tuple[int, int] | None  # width, height


def read(path: Path | str, eye: str = "") -> Recording:
    """The recording in a file: of the `eye` L or R, or of the one that was recorded, the right one of two."""
    try:
        check_text(path, LARGEST)
        lines = Path(path).read_text("utf-8", "replace").splitlines()
    except OSError as fault:
        raise ValueError(f"{path}: cannot be read: {fault.strerror}") from fault
    words = [line.split() for line in lines]
    eyes = _eyes(words)
    if not eyes:
        raise ValueError(f"{path}: got no START, SAMPLES or EFIX; expected an EyeLink file made by edf2asc")
    chosen = eye or max(eyes)
    if chosen not in eyes:
        raise ValueError(f"{path}: got the eye {eye!r}; expected {' or '.join(sorted(eyes))}, which was recorded")
    return Recording(
        chosen,
        np.array(list(_samples(words, len(eyes) > 1 and chosen == "R")), np.float64).reshape(-1, 4),
        np.array(list(_fixations(words, chosen)), np.float64).reshape(-1, 5),
        tuple(_messages(lines)),
        tuple(_value(row[1]) for row in words if row[:1] == ["END"] and len(row) > 1),
        _rate(words),
        _screen(lines),
    )


def _eyes(words: list[list[str]]) -> set[str]:
    """The eyes that were recorded."""
    found = {row[1] for row in words if len(row) > 2 and row[0] in ("EFIX", "SFIX")}
    for row in words:
        if row[:1] in (["SAMPLES"], ["START"], ["EVENTS"]):
            found |= {word[0] for word in row[1:] if word in ("LEFT", "RIGHT")}
    return found


def _samples(words: list[list[str]], second: bool) -> Iterator[list[float]]:
    """Time, x, y and pupil of each line that starts with a number; a dot is a missing value."""
    start = 4 if second else 1
    for row in words:
        if row and row[0][0].isdigit() and len(row) >= start + 3 and re.fullmatch(_NUMBER, row[0]):
            yield [float(row[0]), *(_value(word) for word in row[start : start + 3])]


def _value(word: str) -> float:
    return float(word) if re.fullmatch(_NUMBER, word) else np.nan


def _fixations(words: list[list[str]], eye: str) -> Iterator[list[float]]:
    for row in words:
        if row[:2] == ["EFIX", eye] and len(row) >= 8:
            start, _, duration, x, y, pupil = map(_value, row[2:8])
            yield [start, duration, x, y, pupil]


def _messages(lines: list[str]) -> Iterator[tuple[float, str]]:
    for line in lines:
        found = re.match(rf"MSG\s+({_NUMBER})\s+(.*)", line)
        if found:
            yield float(found[1]), found[2].strip()


def _rate(words: list[list[str]]) -> float:
    """Samples a second, as SAMPLES or RECCFG say it."""
    for row in words:
        if row[:1] == ["SAMPLES"] and "RATE" in row[:-1]:
            return _value(row[row.index("RATE") + 1])
        if row[:1] == ["MSG"] and "RECCFG" in row and len(row) > row.index("RECCFG") + 2:
            return _value(row[row.index("RECCFG") + 2])
    return float("nan")


def _screen(lines: list[str]) -> tuple[int, int] | None:
    """Width and height: the file gives the indices of the last pixels."""
    for line in lines:
        found = re.search(
            rf"(?:GAZE_COORDS|DISPLAY_COORDS)\s+({_NUMBER})\s+({_NUMBER})\s+({_NUMBER})\s+({_NUMBER})", line
        )
        if found:
            left, top, right, bottom = map(float, found.groups())
            if np.isfinite([right - left, bottom - top]).all():
                return round(right - left) + 1, round(bottom - top) + 1
    return None
