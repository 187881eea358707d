"""A judge's standing as text, whatever columns the judge gave it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from beholder.reports._numbers import NOTHING, decimals, interval, number, telling

if TYPE_CHECKING:
    from beholder.core.verdict import Verdict

WORDS = {
    "in_best": "undominated (share)",
    "in_best_of_halves": "undominated (halves)",
    "dominated_by": "dominated by",
}
MEANINGS = {  # of columns that do not explain themselves
    "layer": "1 if no model dominates it, 2 if only models of layer 1 do, and so on",
    "in_best": "share of resamples of the units in which no model dominates it",
    "in_best_of_halves": "share of random halves of the units in which no model dominates it",
    "dominated_by": "models that are nowhere worse and somewhere better",
    "mean_rank": "mean of its ranks over everything that was compared, 1 being best",
    "p": "chance of so large a lead of the cluster's first model, were the two equal; a small p begins a cluster",
    "cluster": "models of one cluster are not told apart from its first model",
    "groups": "models that share a letter do not differ significantly",
    "strength": "log-odds of winning against a model of strength 0",
    "beats_best": "chance to beat the best model in one comparison",
    "won": "share of comparisons that it won",
    "items": "how many items were answered",
    "right": "share of answers that were right",
}


class StandingText(NamedTuple):
    """A judge's standing as text, one row per model."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    footnote: str = ""  # what some of the columns mean


def standing_text(verdict: Verdict) -> StandingText:
    """A judge's own table; a number and the columns `lo`, `hi` (or `NAME lo`, `NAME hi`) after it become one."""
    frame = verdict.standing
    names = [column_name(name) for name in frame.columns]
    values = [frame.iloc[:, at].tolist() for at in range(len(names))]
    ends = {"lo", "hi", *(f"{name} {end}" for name in names for end in ("lo", "hi"))}
    shown: dict[str, list[str]] = {}
    for at, name in enumerate(names):
        if names[at + 1 : at + 3] in (["lo", "hi"], [f"{name} lo", f"{name} hi"]):
            shown[name] = _with_interval(*values[at : at + 3])
        elif name not in ends:
            shown[name] = _texts(values[at])
    rows = tuple(zip(map(str, frame.index), *shown.values(), strict=True))
    return StandingText(("model", *map(heading, shown)), rows, _footnote(shown))


def heading(name: str) -> str:
    """A column's name in words; what is no plain word, such as a measure with its criterion, stays as it is.

    >>> heading("dominated_by"), heading("mean_rank"), heading("bad_pixels (all)")
    ('dominated by', 'mean rank', 'bad_pixels (all)')
    """
    return WORDS.get(name) or (name.replace("_", " ") if name.isidentifier() else name)


def _footnote(names: Iterable[str]) -> str:
    return "; ".join(f"{heading(name)}: {MEANINGS[name]}" for name in names if name in MEANINGS)


def _with_interval(values: Sequence[float], lo: Sequence[float], hi: Sequence[float]) -> list[str]:
    digits = telling(values, decimals(values, [b - a for a, b in zip(lo, hi, strict=True)]))
    return [f"{number(v, d)} {interval(a, b, d)}" for v, a, b, d in zip(values, lo, hi, digits, strict=True)]


def column_name(name: Any) -> str:
    """A column's name as text, whether it is one word or several."""
    return " · ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def _texts(values: Sequence[Any]) -> list[str]:
    """One column as text, all numbers with the same digits."""
    floats = [v for v in values if isinstance(v, float)]
    whole = all(v.is_integer() for v in floats if np.isfinite(v))
    digits = telling(floats, 0 if whole else decimals(floats))
    each = iter(digits)
    return [_text(value, next(each) if isinstance(value, float) else 0) for value in values]


def _text(value: Any, digits: int) -> str:
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, float):
        return number(value, digits)
    if isinstance(value, tuple | list | set | frozenset):
        return ", ".join(map(str, value)) or NOTHING
    return NOTHING if value is None or value == "" else str(value)
