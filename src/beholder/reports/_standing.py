"""A judge's standing as text, whatever columns the judge gave it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from beholder.reports._numbers import NOTHING, decimals, interval, number

if TYPE_CHECKING:
    from beholder.spine.benchmark import Verdict


class Standing(NamedTuple):
    """A judge's standing as text, a row a model."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def standing(verdict: Verdict) -> Standing:
    """A judge's own table; a number and the columns `lo`, `hi` (or `NAME lo`, `NAME hi`) after it become one."""
    frame = verdict.standing
    names = [label(name) for name in frame.columns]
    values = [frame.iloc[:, at].tolist() for at in range(len(names))]
    shown: dict[str, list[str]] = {}
    for at, name in enumerate(names):
        if names[at + 1 : at + 3] in (["lo", "hi"], [f"{name} lo", f"{name} hi"]):
            shown[name] = _with_interval(*values[at : at + 3])
        elif name not in ("lo", "hi") and not _is_bound(name, names):
            shown[name] = _texts(values[at])
    return Standing(("model", *shown), tuple(zip(map(str, frame.index), *shown.values(), strict=True)))


def _is_bound(name: str, names: Sequence[str]) -> bool:
    return name.endswith((" lo", " hi")) and name[:-3] in names


def _with_interval(values: Sequence[float], lo: Sequence[float], hi: Sequence[float]) -> list[str]:
    digits = decimals(values, [b - a for a, b in zip(lo, hi, strict=True)])
    return [f"{number(v, digits)} {interval(a, b, digits)}" for v, a, b in zip(values, lo, hi, strict=True)]


def label(name: Any) -> str:
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
