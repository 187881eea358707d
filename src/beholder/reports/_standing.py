"""A judge's standing as text, whatever columns the judge gave it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from beholder.reports._numbers import NOTHING, decimals, interval, number

if TYPE_CHECKING:
    from beholder.core.verdict import Verdict
    from beholder.store.run_json import MeasureFacts

WORDS = {
    "in_best": "undominated (share)",
    "in_best_of_halves": "undominated (halves)",
    "dominated_by": "dominated by",
}
NATURAL = ("score", "mean")  # columns that are means of the measures' own values
MEANINGS = {  # of columns that do not explain themselves
    "layer": "1 if no model dominates it, 2 if only models of layer 1 do, and so on",
    "in_best": "share of resamples of the units in which no model dominates it",
    "in_best_of_halves": "share of random halves of the units in which no model dominates it",
}


class StandingText(NamedTuple):
    """A judge's standing as text, one row per model."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    footnote: str = ""  # what some of the columns mean


def standing_text(verdict: Verdict, measures: Sequence[MeasureFacts] = ()) -> StandingText:
    """A judge's own table; a number and the columns `lo`, `hi` (or `NAME lo`, `NAME hi`) after it become one.

    An interval of a measure, or of the mean of all, ends where the measure does.
    """
    frame = verdict.standing
    names = [column_name(name) for name in frame.columns]
    values = [frame.iloc[:, at].tolist() for at in range(len(names))]
    ends = {"lo", "hi", *(f"{name} {end}" for name in names for end in ("lo", "hi"))}
    shown: dict[str, list[str]] = {}
    for at, name in enumerate(names):
        if names[at + 1 : at + 3] in (["lo", "hi"], [f"{name} lo", f"{name} hi"]):
            least, most = _bounds(name, measures)
            lo, hi = (np.clip(ends, least, most).tolist() for ends in values[at + 1 : at + 3])
            shown[name] = _with_interval(values[at], lo, hi)
        elif name not in ends:
            shown[name] = _texts(values[at])
    rows = tuple(zip(map(str, frame.index), *shown.values(), strict=True))
    return StandingText(("model", *map(heading, shown)), rows, _footnote(shown))


def _bounds(name: str, measures: Sequence[MeasureFacts]) -> tuple[float, float]:
    """From where to where the values of a column can go, as far as it is known.

    >>> card = {"label": "hit", "bounds": ["0", "1"], "official": True}
    >>> _bounds("hit (all)", [card]), _bounds("score", [card]), _bounds("mean_rank", [card])
    ((0.0, 1.0), (0.0, 1.0), (-inf, inf))
    """
    official = [card for card in measures if card["official"]]
    mine = [card for card in official if name == card["label"] or name.startswith(f"{card['label']} (")]
    known = mine or (official if name in NATURAL else [])
    ends = [tuple(map(float, card["bounds"])) for card in known]
    return (min(lo for lo, _ in ends), max(hi for _, hi in ends)) if ends else (-np.inf, np.inf)


def heading(name: str) -> str:
    """A column's name in words; what is no plain word, such as a measure with its criterion, stays as it is.

    >>> heading("dominated_by"), heading("mean_rank"), heading("bad_pixels (all)")
    ('dominated by', 'mean rank', 'bad_pixels (all)')
    """
    return WORDS.get(name) or (name.replace("_", " ") if name.isidentifier() else name)


def _footnote(names: Iterable[str]) -> str:
    return "; ".join(f"{heading(name)}: {MEANINGS[name]}" for name in names if name in MEANINGS)


def _with_interval(values: Sequence[float], lo: Sequence[float], hi: Sequence[float]) -> list[str]:
    digits = decimals(values, [b - a for a, b in zip(lo, hi, strict=True)])
    return [f"{number(v, digits)} {interval(a, b, digits)}" for v, a, b in zip(values, lo, hi, strict=True)]


def column_name(name: Any) -> str:
    """A column's name as text, whether it is one word or several."""
    return " · ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def _texts(values: Sequence[Any]) -> list[str]:
    """One column as text, all numbers with the same digits."""
    floats = [v for v in values if isinstance(v, float)]
    whole = all(v.is_integer() for v in floats if np.isfinite(v))
    digits = 0 if whole else decimals(floats)
    return [_text(value, digits) for value in values]


def _text(value: Any, digits: int) -> str:
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, float):
        return number(value, digits)
    if isinstance(value, tuple | list | set | frozenset):
        return ", ".join(map(str, value)) or NOTHING
    return NOTHING if value is None or value == "" else str(value)
