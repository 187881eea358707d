"""Films: answers that play in a report, above a timeline of what was found in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Moment(NamedTuple):
    """A stretch of a film in which something was found."""

    row: str  # the line of the timeline on which it stands
    start: float  # seconds
    end: float
    box: tuple[float, float, float, float] | None = None  # left, top, right, bottom as shares of the frame
    text: str = ""  # what was found
    excused: str = ""  # why it does not count, or nothing


class Curve(NamedTuple):
    """A number over the time of a film."""

    seconds: NDArray[np.float64]
    values: NDArray[np.float64]
    low: float  # the range that is drawn
    high: float
    unit: str = ""


@dataclass(frozen=True, eq=False)
class Film:
    """One answer that plays. Frames are asked for once, in turn; about 320 px is large enough for a page."""

    frames: Iterable[tuple[float, NDArray[np.uint8]]]  # the second from which each is shown, and its RGB (H, W, 3)
    seconds: float  # how long it lasts
    rows: Mapping[str, str] = field(default_factory=dict)  # the lines of the timeline from the top: short name → full
    moments: tuple[Moment, ...] = ()
    curves: Mapping[str, Curve] = field(default_factory=dict)  # by name
    note: str = ""  # shown with it, such as its scores
