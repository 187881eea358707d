"""What a measure under test, or a person, says of an item, and how it meets people's ratings on one dimension."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from beholder.core.measure import NotApplicable
from beholder.study.combinations import Combination
from beholder.study.ratings import Item, Judged, Opinion, judged, kinds_of


class PerDimension(NamedTuple):
    """An answer that is another one on each dimension; "" is all of them together."""

    by: Mapping[str, Any]


Answer = float | PerDimension | Opinion


def accept(raw: Any, item: Item) -> Answer:
    """A finite number; of a combination or a blind measure, what it says on each dimension; of a person likewise."""
    if isinstance(raw, (PerDimension, Opinion)):
        return raw
    value = raw.item() if isinstance(raw, np.generic | np.ndarray) and np.size(raw) == 1 else raw
    if not isinstance(value, Real):
        raise ValueError(f"got {type(raw).__name__}; expected one number for the item")
    if not math.isfinite(value):
        raise ValueError(f"got {value}; expected a finite number")
    return float(value)


def number(answer: Answer, item: Item) -> Answer:
    """The numbers of a combination, without those of its parts; all else as it is."""
    if not isinstance(answer, PerDimension):
        return answer
    return PerDimension({name: one.value if isinstance(one, Combination) else one for name, one in answer.by.items()})


number.quick = True  # type: ignore[attr-defined]  # telling answers apart, for the cache, would take longer


def confine(observed: Any, opinion: Opinion, *, dimension: str = "") -> tuple[Any, Judged]:
    """What was said, and people's ratings, on one dimension; without one, on all together."""
    if isinstance(observed, PerDimension):
        if dimension not in observed.by:
            raise NotApplicable(f"it gives no value for {dimension or 'all dimensions together'}")
        observed = observed.by[dimension]
    if isinstance(observed, Opinion):
        own = judged(observed, dimension)
        if not own.values:
            raise NotApplicable(f"this rater did not rate the item on {dimension}")
        observed = own.mean
    return observed, judged(opinion, dimension)


def unrated(opinion: Opinion, *, dimension: str) -> str:
    """Why a dimension has nothing of an item, or nothing."""
    return "" if opinion.ratings.get(dimension) else f"nobody rated this item on {dimension}"


def raters(opinion: Opinion) -> tuple[str, ...]:
    """Who rated the item."""
    return opinion.names


def kinds(opinion: Opinion) -> list[str]:
    """The kinds of raters who rated the item, such as expertise=high, that are not all of them."""
    of = {who: kinds_of(opinion.raters.get(who, {})) for who in opinion.names}
    every = dict.fromkeys(kind for own in of.values() for kind in own)
    return [kind for kind in every if not all(kind in own for own in of.values())]


def _is(opinion: Opinion, name: str, who: str) -> bool:
    """Whether a rater is the one that is meant, or of the kind that is."""
    return name == who or who in kinds_of(opinion.raters.get(name, {}))


def without(opinion: Opinion, who: str) -> Opinion:
    """The ratings of all but one rater, or one kind of them."""
    return opinion.of(lambda name: not _is(opinion, name, who))


def only(opinion: Opinion, who: str) -> Opinion:
    """The ratings of one rater, or of one kind of them."""
    return opinion.of(lambda name: _is(opinion, name, who))


def people_say(opinion: Opinion, item: Item) -> Opinion:
    """What these people would answer: their own ratings."""
    return opinion
