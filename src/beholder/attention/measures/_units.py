"""Distances between fixations, and their units."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from beholder.attention.maps.fixated_pixels import check_choice
from beholder.attention.types import Floats, Lookers, Scanpath
from beholder.core.measure import NotApplicable, Result

Unit = Literal["px", "deg", "diagonal"]
PX_PER_DEG = 35.0  # MIT1003's, where a picture's own is not known (scanpath-and-study.md 4.3)


def px_per_unit(unit: Unit, lookers: Lookers) -> float:
    """How many px one unit is: a pixel, a degree, or the diagonal of the picture."""
    check_choice("unit", unit, Unit)
    if unit == "deg" and not math.isfinite(lookers.px_per_deg):
        raise NotApplicable("px per degree are unknown here; use unit='diagonal'")
    return {"px": 1.0, "deg": lookers.px_per_deg, "diagonal": math.hypot(*lookers.shape)}[unit]


def px_per_deg_or_assumed(lookers: Lookers) -> tuple[float, str]:
    """Px per degree, and a note if they are assumed."""
    if math.isfinite(lookers.px_per_deg):
        return lookers.px_per_deg, ""
    return PX_PER_DEG, f"px per degree are unknown: {PX_PER_DEG:g} is assumed (as on MIT1003)"


def with_note(found: Result, note: str) -> Result:
    """A result with one more note in its reason."""
    return found._replace(reason="; ".join(part for part in (found.reason, note) if part))


def distances(a: Floats, b: Floats) -> Floats:
    """The distances between all points of two lists, n × m.

    >>> distances(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0], [0.0, 1.0]]))
    array([[5., 1.]])
    """
    apart = a[:, None] - b[None]
    return np.asarray(np.sqrt((apart * apart).sum(axis=-1)))


def fixation_distances(simulated: Scanpath, human: Scanpath) -> Floats:
    """The distances between all fixations of two scanpaths, in px; not applicable if the model made none."""
    if not len(simulated):
        raise NotApplicable("the model made no fixation inside the picture")
    return distances(simulated.points, human.points)
