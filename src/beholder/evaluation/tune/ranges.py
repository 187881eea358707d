"""Ranges of a model's parameters: how a user writes them, and whether the model has such parameters."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from beholder.core.entrant import parameters
from beholder.errors import Misuse
from beholder.registry.spec import refuse_unknown

Number = float | int


@dataclass(frozen=True)
class Range:
    """What a parameter may be: from low to high, evenly or by factors, in whole numbers or not."""

    low: float
    high: float
    log: bool = False
    whole: bool = False

    def at(self, share: float) -> Number:
        """The value at a share of the range, with four digits: what is printed is what was tried.

        >>> Range(0.1, 10, log=True).at(0.5), Range(3, 9, whole=True).at(0.2)
        (1.0, 4)
        """
        value = self.low + (self.high - self.low) * share
        if self.log:
            value = self.low * (self.high / self.low) ** share
        return round(value) if self.whole else float(f"{value:.4g}")

    def share(self, value: float) -> float:
        """Where a value lies: 0 at the low end, 1 at the high one; NaN outside.

        >>> Range(0.1, 10, log=True).share(1.0), Range(0, 4).share(5)
        (0.5, nan)
        """
        if not self.low <= value <= self.high:
            return math.nan
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def __str__(self) -> str:
        ends = (f"{end:.0f}" if self.whole else f"{end!r}" for end in (float(self.low), float(self.high)))
        return "..".join(ends) + (":log" if self.log else "")


def parse_range(text: str) -> tuple[str, Range]:
    """One `key=low..high[:log]` of the command line; bounds without a point mean whole numbers.

    >>> parse_range("weight=0.1..10:log")
    ('weight', Range(low=0.1, high=10.0, log=True, whole=False))
    """
    given = re.fullmatch(r"\s*(\w+)\s*=\s*(\S+?)\.\.([^\s:]+)(:\w+)?\s*", text)
    if given is None or given[4] not in (None, ":log"):
        raise Misuse(f"got the range {text!r}; expected key=low..high or key=low..high:log")
    try:
        low, high = float(given[2]), float(given[3])
    except ValueError:
        raise Misuse(f"got the range {text!r}; expected two numbers around the ..") from None
    found = Range(low, high, bool(given[4]), all(re.fullmatch(r"-?\d+", end) for end in given.groups()[1:3]))
    _check(given[1], found)
    return given[1], found


def _check(key: str, of: Range) -> None:
    if not (math.isfinite(of.low) and math.isfinite(of.high) and of.low < of.high):
        raise Misuse(f"got {key}={of}; expected a low end below the high one, both finite")
    if of.log and of.low <= 0:
        raise Misuse(f"got {key}={of}; expected a low end above 0 for a range by factors")


def fit_ranges(model: Callable[..., Any], over: Mapping[str, Range], what: str) -> dict[str, Range]:
    """The ranges as the model's parameters need them; refused where it has no such parameter, or answers by chance."""
    if not over:
        raise Misuse("got nothing to search over; expected at least one --over key=low..high")
    if "rng" in parameters(model):
        raise Misuse(
            f"{what} is stochastic: a search would pick the luckiest draw; fix its randomness, or tune another model"
        )
    fixed = getattr(model, "keywords", {})
    refuse_unknown(model, over, what, given=1)
    for key in over:
        if key in fixed:
            raise Misuse(f"{what} has {key} fixed in its spec and searched by --over; expected one or the other")
        _refuse_words(key, _default(model, key), what)
    return {key: _typed(_default(model, key), one) for key, one in over.items()}


def _default(model: Callable[..., Any], key: str) -> Any:
    return getattr(inspect.signature(model).parameters.get(key), "default", inspect.Parameter.empty)


def _refuse_words(key: str, default: Any, what: str) -> None:
    number = isinstance(default, (int, float)) and not isinstance(default, bool)
    if not (number or default in (None, inspect.Parameter.empty)):
        raise Misuse(f"{what} has {key}={default!r}, which is not a number; only numbers have ranges")


def _typed(default: Any, one: Range) -> Range:
    return replace(one, whole=one.whole and not isinstance(default, float))


def default_share(model: Callable[..., Any], key: str, one: Range) -> float:
    """Where in a range the model's own default lies; NaN outside, and where it has none."""
    default = _default(model, key)
    return one.share(default) if isinstance(default, (int, float)) else math.nan
