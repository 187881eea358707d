"""What a dataset holds, said before anything runs: facts in words, and a picture of its first samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

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
