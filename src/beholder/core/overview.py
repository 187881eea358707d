"""What a dataset holds, said before anything runs: facts in words, and a picture of its first samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from beholder.core.sample import Dataset, R, S, Sample
from beholder.errors import listed

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Overview:
    """What a domain's `overview(dataset)` (`<domain>/overview.py`) says of a dataset: counts, ranges, units.

    `facts` are lines of a card, in the order in which they are shown; `doubts` are sentences about what may have been
    misread, each with what to do about it; `draw` makes a picture of the first samples, where there is one to show.
    """

    facts: Mapping[str, str]
    doubts: tuple[str, ...] = field(default=())
    draw: Callable[[], Figure] | None = None


def tally(said: Sequence[str]) -> str:
    """What most of some things say, and what the others do.

    >>> tally(["16 px", "16 px", "32 px"]), tally(["16 px", "16 px"]), tally(["a", "b", "c", "d"])
    ('16 px (32 px for 1 of 3)', '16 px', 'a for 1 of 4; others: b, c, d')
    """
    (most, count), *others = Counter(said).most_common()
    if len(others) == 1:
        return f"{most} ({others[0][0]} for {others[0][1]} of {len(said)})"
    return f"{most} for {count} of {len(said)}; others: {listed(word for word, _ in others)}" if others else most


def read_some(dataset: Dataset[S, R], ids: Sequence[str]) -> tuple[list[Sample[S, R]], list[str]]:
    """The samples that can be read, and what is said of the others."""
    found, faults = [], []
    for id in ids:
        try:
            found.append(dataset.load(id))
        except (ValueError, OSError) as fault:
            faults.append(f"{id}: {fault}")
    return found, faults
