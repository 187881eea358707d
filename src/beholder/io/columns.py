"""Which column of a table is which: by what its owner says, else by words that are in use."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence

from beholder.errors import Misuse, listed

Words = Mapping[str, Sequence[str]]  # what a column means → what it is called, the best word first, spelt as by `plain`

UNITS = {"ms": 1.0, "s": 1e3, "us": 1e-3, "ns": 1e-6}  # of times, in ms
ENDINGS = {
    "ms": "ms",
    "msec": "ms",
    "s": "s",
    "sec": "s",
    "seconds": "s",
    "us": "us",
    "ns": "ns",
}

MICRO = {ord(sign): "u" for sign in "µμ"}  # the sign, and the Greek letter


def plain(name: str) -> str:
    """A column's name in lower case, with one underscore for whatever is no letter or digit; μ is u.

    >>> plain("Fixation point X (MCSpx)"), plain(" duration [ms]"), plain("Recording timestamp [μs]")
    ('fixation_point_x_mcspx', 'duration_ms', 'recording_timestamp_us')
    """
    ascii_micro = name.strip().lower().translate(MICRO)
    return re.sub(r"[\W_]+", "_", ascii_micro).strip("_")


def named(text: str | Mapping[str, str]) -> dict[str, str]:
    """What the user says that columns mean, from `stimulus=stim,observer=obs` or from a mapping.

    >>> named("stimulus=My image, x=X (px)")
    {'stimulus': 'My image', 'x': 'X (px)'}
    """
    if isinstance(text, Mapping):
        return {str(word): str(name) for word, name in text.items()}
    parts = re.split(r",(?=[^=,]+=)", text) if text.strip() else []  # a column's own name may hold commas
    pairs = [part.partition("=") for part in parts]
    for part, (word, _, name) in zip(parts, pairs, strict=True):
        if not word.strip() or not name.strip():
            raise Misuse(f"got the columns {part!r}; expected MEANING=COLUMN, such as stimulus=stim,observer=obs")
    return {word.strip(): name.strip() for word, _, name in pairs}


def meanings(columns: Sequence[str], words: Words, given: str | Mapping[str, str] = "", *, of: str) -> dict[str, str]:
    """Which column means what: those that are `given`, then those that are called by a known word.

    A column that was given one meaning has no other. `of` names the table in faults.

    >>> meanings(["Stim", "Obs", "X", "time"], {"stimulus": ("image",), "x": (), "observer": ()}, "image=Stim", of="t")
    {'stimulus': 'Stim', 'x': 'X'}
    """
    there = {plain(name): name for name in reversed(columns)}
    said = {_word(word, words): _column(name, columns, there, of) for word, name in named(given).items()}
    refuse_twice(said, of)
    free = {key: name for key, name in there.items() if name not in said.values()}
    order = {word: names if word in names else (word, *names) for word, names in words.items()}
    found = {word: [free[key] for key in keys if key in free] for word, keys in order.items()}
    return {word: said.get(word) or found[word][0] for word in words if word in said or found[word]}


def refuse_twice(said: Mapping[str, str], of: str) -> None:
    """Refuse a column that was given two meanings."""
    for name in said.values():
        words = [word for word, own in said.items() if own == name]
        if len(words) > 1:
            raise Misuse(
                f"{of}: got the column {name.strip()!r} as {' and as '.join(words)}; expected one meaning for a column"
            )


def _word(word: str, words: Words) -> str:
    """The meaning that a user's word stands for: one of ours, or another name of it."""
    key = plain(word)
    found = next((ours for ours, names in words.items() if key == ours or key in names), None)
    if found is None:
        near = difflib.get_close_matches(key, list(words), 1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(words)}"
        raise Misuse(f"got the columns {word}=…, but no column can mean {word!r}{hint}")
    return found


def _column(name: str, columns: Sequence[str], there: Mapping[str, str], of: str) -> str:
    exact = [column for column in columns if column.strip() == name.strip()]
    if not exact and plain(name) not in there:
        near = difflib.get_close_matches(plain(name), list(there), 1)
        hint = f"; did you mean {there[near[0]]!r}?" if near else ""
        raise Misuse(f"{of}: no column called {name!r}; got {listed([one.strip() for one in columns])}{hint}")
    return exact[0] if exact else there[plain(name)]


def unit_of(column: str) -> str:
    """The unit of time that a column's name tells, or nothing.

    >>> unit_of("time_s"), unit_of("Gaze event duration (ms)"), unit_of("start timestamp [ns]"), unit_of("timestamp")
    ('s', 'ms', 'ns', '')
    """
    return ENDINGS.get(plain(column).rpartition("_")[2], "")
