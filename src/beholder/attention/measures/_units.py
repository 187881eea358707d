"""In what distances between fixations are measured."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from beholder.attention.measures._fixated import chosen
from beholder.attention.types import Floats, Lookers, Scanpath
from beholder.core.measure import NotApplicable, Result

Unit = Literal["px", "deg", "diagonal"]
PX_PER_DEG = 35.0  # MIT1003's, where a picture's own is not known (scanpath-and-study.md 4.3)


def scale(unit: Unit, lookers: Lookers) -> float:
    """How many px one unit is: a pixel, a degree, or the diagonal of the picture."""
    chosen("unit", unit, Unit)
    if unit == "deg" and not math.isfinite(lookers.px_per_deg):
        raise NotApplicable("px per degree are not known here; take unit='diagonal'")
    return {"px": 1.0, "deg": lookers.px_per_deg, "diagonal": math.hypot(*lookers.shape)}[unit]


def assumed(lookers: Lookers) -> tuple[float, str]:
    """Px per degree, and what is to be said where they are assumed."""
    if math.isfinite(lookers.px_per_deg):
        return lookers.px_per_deg, ""
    return PX_PER_DEG, f"px per degree are not known: {PX_PER_DEG:g} is assumed (MIT1003's)"


def noted(found: Result, said: str) -> Result:
    """A result that says one thing more."""
    return found._replace(reason="; ".join(part for part in (found.reason, said) if part))


def distances(a: Floats, b: Floats) -> Floats:
    """Between all points of two lists, n × m.

    >>> distances(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0], [0.0, 1.0]]))
    array([[5., 1.]])
    """
    apart = a[:, None] - b[None]
    return np.asarray(np.sqrt((apart * apart).sum(axis=-1)))


def between(simulated: Scanpath, human: Scanpath) -> Floats:
    """Between all fixations of two scanpaths, in px; without any of the model's: not applicable."""
    if not len(simulated):
        raise NotApplicable("the model made no fixation inside the picture")
    return distances(simulated.points, human.points)
