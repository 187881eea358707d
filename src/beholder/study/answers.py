"""What a measure under test, or a person, says of an item, and how it meets people's ratings on one dimension."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np

from beholder.core.measure import NotApplicable
from beholder.study.combinations import Combination
from beholder.study.ratings import Item, Judged, Opinion, judged


def accept(raw: Any, item: Item) -> float | Combination | Opinion:
    """A finite number; a combination of several; or, of a person, what they said on each dimension."""
    if isinstance(raw, (Combination, Opinion)):
        return raw
    value = raw.item() if isinstance(raw, np.generic | np.ndarray) and np.size(raw) == 1 else raw
    if not isinstance(value, Real) or (isinstance(value, bool) and not isinstance(raw, bool)):
        raise ValueError(f"got {type(raw).__name__}; expected one number for the item")
    if not math.isfinite(value):
        raise ValueError(f"got {value}; expected a finite number")
    return float(value)


def number(answer: float | Combination | Opinion, item: Item) -> float | Opinion:
    """The number of a measure or a combination; what a person said is confined to a dimension later."""
    return answer.value if isinstance(answer, Combination) else answer


def confine(observed: Any, opinion: Opinion, *, dimension: str = "") -> tuple[Any, Judged]:
    """What was said, and people's ratings, on one dimension; without one, on all together."""
    if isinstance(observed, Opinion):
        own = judged(observed, dimension)
        if not own.values:
            raise NotApplicable(f"this rater did not rate the item on {dimension}")
        observed = own.mean
    return observed, judged(opinion, dimension)


def unrated(opinion: Opinion, *, dimension: str) -> str:
    """Why a dimension has nothing of an item, or nothing."""
    return "" if opinion.ratings.get(dimension) else f"nobody rated it on {dimension}"


def raters(opinion: Opinion) -> tuple[str, ...]:
    """Who rated the item."""
    return opinion.names


def without(opinion: Opinion, who: str) -> Opinion:
    """The ratings of all but one."""
    return opinion.of(lambda name: name != who)


def only(opinion: Opinion, who: str) -> Opinion:
    """The ratings of one."""
    return opinion.of(lambda name: name == who)


def people_say(opinion: Opinion, item: Item) -> Opinion:
    """What these people would answer: their own ratings."""
    return opinion
