"""Which estimates count: a map or a part of it beside the truth, and what a pixel without an estimate costs.

The rule is the argument `invalid` of every error measure. "error" judges each pixel whose truth is known, as
Middlebury's second table does, which demands dense maps. "exclude" leaves a pixel without an estimate out of the
denominator, as ETH3D does. "fill-background" fills the holes of the whole map first, as KITTI does, and then judges
each pixel.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable
from beholder.errors import Misuse
from beholder.stereo.matching.fill import background
from beholder.stereo.types import Map, Mask

Invalid = Literal["error", "exclude", "fill-background"]
Floats = NDArray[np.float64]

RULES = ("error", "exclude", "fill-background")


@dataclass(frozen=True, eq=False)
class Part:
    """The estimates inside a region, as a row, and the whole map behind them: holes are filled before confinement.

    NumPy takes it as the row itself.

    >>> part = Part(np.array([[7, np.nan, 5]], np.float32), np.array([[False, True, True]]))
    >>> np.asarray(part), part.filled
    (array([nan,  5.], dtype=float32), array([5., 5.], dtype=float32))
    """

    whole: Map
    inside: Mask

    @cached_property
    def row(self) -> Map:
        """The estimates as they are."""
        return self.whole[self.inside]

    @cached_property
    def filled(self) -> Map:
        """The estimates after the holes of the whole map were filled from the background."""
        return background(self.whole)[self.inside]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.row, dtype, copy=copy)

    def __len__(self) -> int:
        return len(self.row)


Estimates = Map | Part


class Sides(NamedTuple):
    """Estimates and truth, as float64, in the pixels that are judged; an estimate may still be NaN."""

    estimate: Floats
    truth: Floats


def judged(found: Estimates, true: Map, invalid: Invalid) -> Sides:
    """The pixels that count under a rule; none may be left under "exclude". No known pixel: not applicable.

    >>> judged(np.array([5.0, np.nan, 7]), np.array([5.0, 5, np.nan]), "error")
    Sides(estimate=array([ 5., nan]), truth=array([5., 5.]))
    """
    if invalid not in RULES:
        raise Misuse(f"got invalid={invalid!r}; expected {', '.join(map(repr, RULES[:2]))} or {RULES[2]!r}")
    estimate, truth = known(_filled(found) if invalid == "fill-background" else np.asarray(found), true)
    held = ~np.isnan(estimate) if invalid == "exclude" else np.ones(truth.shape, np.bool_)
    return Sides(estimate[held], truth[held])


def known(found: Estimates, true: Map) -> Sides:
    """Estimates and truth where the truth is known."""
    estimate, truth = np.asarray(found, np.float64), np.asarray(true, np.float64)
    if estimate.shape != truth.shape:
        raise ValueError(f"got estimates of shape {estimate.shape}; expected {truth.shape}, that of the truth")
    here = ~np.isnan(truth)
    if not here.any():
        raise NotApplicable("no pixel here has a known disparity")
    return Sides(estimate[here], truth[here])


def estimated(found: Estimates, true: Map, invalid: Invalid) -> Sides:
    """As `judged`, for measures to which a hole is no number: each pixel has an estimate, and there is at least one.

    Under "error" a map with holes is refused. What "fill-background" could not fill is a map without any estimate.
    """
    estimate, truth = judged(found, true, invalid)
    holes = np.isnan(estimate)
    if not (~holes).any():
        raise NotApplicable("no pixel here has an estimate")
    if holes.any():
        raise ValueError(
            f"got {np.count_nonzero(holes)} of {holes.size} pixels without an estimate; expected a dense map; "
            "fill it, or use invalid='exclude'"
        )
    return Sides(estimate, truth)


def _filled(found: Estimates) -> NDArray[Any]:
    if isinstance(found, Part):
        return found.filled
    values = np.asarray(found)
    if values.ndim == 2:
        return background(values)
    if np.isnan(values).any():
        raise ValueError(
            f"got a part of a map ({values.size} pixels) with holes; expected the whole map, since a hole is filled "
            "from what may lie outside the part; pass the whole map, or a Part of it"
        )
    return values
