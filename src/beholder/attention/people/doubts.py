"""What may have been misread of where people looked: how far their fixations reach, and what that makes doubtful."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from beholder.attention.gaze.placing import Placing
from beholder.attention.people.controls import Shape
from beholder.attention.types import Floats, Scanpath
from beholder.core.sample import Dataset
from beholder.errors import Misuse

SCREENS = (  # sizes in use, the smallest first
    *((800, 600), (1024, 768), (1280, 720), (1280, 1024), (1366, 768), (1440, 900), (1600, 900), (1600, 1200)),
    *((1680, 1050), (1920, 1080), (1920, 1200), (2560, 1440), (3840, 2160)),
)
MANY = 0.1  # share of fixations outside their pictures above which the coordinates are doubted
SHORT, LONG = 10.0, 10_000.0  # ms: no median fixation is as short or as long


@dataclass(frozen=True, eq=False)
class Reach:
    """All fixations on pictures of known size, as they were read: places, the sizes of their pictures, durations."""

    x: Floats = field(default_factory=lambda: np.empty(0))
    y: Floats = field(default_factory=lambda: np.empty(0))
    width: Floats = field(default_factory=lambda: np.empty(0))
    height: Floats = field(default_factory=lambda: np.empty(0))
    duration_ms: Floats = field(default_factory=lambda: np.empty(0))

    @property
    def outside(self) -> float:
        """The share that lies outside its picture."""
        inside = (self.x >= 0) & (self.x < self.width) & (self.y >= 0) & (self.y < self.height)
        return float(1 - inside.mean()) if len(self.x) else 0.0


def of_models(dataset: Dataset[Any, Any]) -> bool:
    """Whether models stand in a dataset where people stand in others."""
    return bool(getattr(getattr(dataset.load, "card", None), "who", "people") == "models")


def without_place(dataset: Dataset[Any, Any], ids: Iterable[str]) -> int:
    """How many fixations have no x or no y, where the loader knows what was read."""
    raw: Mapping[str, Mapping[str, Scanpath]] = getattr(dataset.load, "raw", {})
    paths = [path for id in ids for path in raw.get(id, {}).values()]
    return sum(int((~np.isfinite(path.points)).any(axis=1).sum()) for path in paths)


def of_people(dataset: Dataset[Any, Any]) -> Dataset[Any, Any]:
    """The dataset, if people looked there; scanpaths of models are refused, as they would be taken for people."""
    if of_models(dataset):
        own = dataset.spec.rpartition("|")[2].replace("scanpaths", "table", 1) or "table:FILE"
        raise Misuse(
            f"got {dataset.name} as a dataset, but it holds scanpaths of models, not of people; give recordings of "
            f'people as the dataset, and this table as models: --dataset PEOPLE --model "{own}"'
        )
    return dataset


def reach_of(seen: Mapping[str, tuple[Mapping[str, Scanpath], Shape | None]]) -> Reach:
    """How far everybody's fixations reach, without those that have no place."""
    parts = [
        np.stack([path.x, path.y, np.full(len(path), shape[1]), np.full(len(path), shape[0]), path.duration_ms])
        for paths, shape in seen.values()
        if shape is not None
        for path in paths.values()
    ]
    every = np.concatenate([np.empty((5, 0)), *parts], axis=1)
    return Reach(*every[:, np.isfinite(every[:2]).all(axis=0)])


def doubts(reach: Reach, placing: Placing | None = None) -> tuple[str, ...]:
    """Sentences about what may have been misread, each with what to do about it."""
    found = [_places(reach, placing or Placing()), _durations(reach)]
    return tuple(sentence for sentence in found if sentence)


def all_shares(reach: Reach) -> bool:
    """Whether all places lie between 0 and 1, as shares of a picture do."""
    inside = [(axis >= 0).all() and (axis <= 1).all() and len(np.unique(axis)) > 1 for axis in (reach.x, reach.y)]
    return len(reach.x) > 1 and all(inside) and bool(reach.width.min() > 2)


def _places(reach: Reach, placing: Placing) -> str:
    if not len(reach.x):
        return ""
    if sentence := _counted_from_one(reach, placing):
        return sentence
    if reach.outside <= MANY:
        return ""
    share = f"{100 * reach.outside:.0f} % of the fixations lie outside their pictures"
    if placing.on_screen:
        return (
            f"{share}, if the screen is {placing.screen} and the picture stood as "
            f"placement={placing.placement or 'centre'} says: check both, and left and top "
            f"if it was a second monitor{_second(reach, placing)}"
        )
    low = np.percentile(reach.x, 1), np.percentile(reach.y, 1)
    if low[0] < 0 and low[1] < 0:
        return (
            f"{share}: x runs from {reach.x.min():.0f} to {reach.x.max():.0f}, y from {reach.y.min():.0f} to "
            f"{reach.y.max():.0f}; these look as if counted from the middle; give origin=centre (y upwards) or "
            "origin=centre_down"
        )
    axis, most, size, side = (
        ("x", reach.x.max(), reach.width.max(), "wide")
        if (reach.x >= reach.width).mean() >= (reach.y >= reach.height).mean()
        else ("y", reach.y.max(), reach.height.max(), "high")
    )
    return (
        f"{axis} reaches {most:.0f}, but pictures are {size:.0f} px {side}, and {share}: these look like coordinates "
        f"of the screen; give {_screen(reach)}, and placement=fit if pictures were enlarged to fit it"
    )


def _screen(reach: Reach) -> str:
    """The size of screen that fixations suggest, which lie mostly in its middle, and on which of two monitors."""
    (far, width, height), (off, wide, high) = _nearest(reach, 0.5), _nearest(reach, 1.5)
    if off < far and np.percentile(reach.x, 1) >= wide:
        return f"screen={wide}x{high} and, as x begins at {reach.x.min():.0f}, left={wide} for a second monitor"
    return f"its size, such as screen={width}x{height}, in the middle of which most of them would lie"


def _nearest(reach: Reach, across: float) -> tuple[float, int, int]:
    """The screen with its middle nearest to that of all fixations, if that is `across` widths from the left.

    How far off it is comes first, then width and height.
    """
    x, y = float(np.median(reach.x)), float(np.median(reach.y))
    return min((float(np.hypot(across * width - x, height / 2 - y)), width, height) for width, height in SCREENS)


def _second(reach: Reach, placing: Placing) -> str:
    """Where everything lies one screen to the right: a second monitor."""
    width = placing.size[0] if placing.size else 0
    return f" (left={width} looks right)" if width and np.median(reach.x) > width / 2 + reach.width.min() / 2 else ""


def _counted_from_one(reach: Reach, placing: Placing) -> str:
    """Whether some fixation lies in a last pixel that is there only if pixels are counted from 1."""
    last = (reach.x == reach.width).any() or (reach.y == reach.height).any()
    beyond = (reach.x > reach.width).any() or (reach.y > reach.height).any()
    if placing.offset or not last or beyond or reach.x.min() < 1 or reach.y.min() < 1:
        return ""
    return (
        f"the smallest x is {reach.x.min():g}, the smallest y {reach.y.min():g}, and the largest equal the pictures' "
        "width or height: pixels seem to be counted from 1; give offset=0.5"
    )


def _durations(reach: Reach) -> str:
    known = reach.duration_ms[np.isfinite(reach.duration_ms)]
    if not len(known) or SHORT <= np.median(known) <= LONG:
        return ""
    low, high = known.min(), known.max()
    if np.median(known) > LONG:
        return f"durations lie between {low:g} and {high:g} ms: these look like microseconds; give time=us (or time=ns)"
    return f"durations lie between {low:g} and {high:g} ms: these look like seconds; give time=s"
