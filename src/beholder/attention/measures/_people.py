"""The map of where people looked, which measures between maps compare with."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Literal, NamedTuple, TypeVar

from beholder.attention.maps.fixation_maps import continuous_map, made, sigma_px
from beholder.attention.measures._fixated import NOBODY, chosen
from beholder.attention.readouts import Surface
from beholder.attention.types import Lookers
from beholder.core.measure import NotApplicable, Result

Of = Literal["everyone", "held"]
T = TypeVar("T")


class Beside(NamedTuple):
    """A model's map beside that of people."""

    model: Surface
    people: Surface
    shared: bool  # the people are the same for all who are held out
    said: str  # how the map of people was made

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives; where the people are everyone it is made once for all who are held out."""
        return self.model.once(key, make, self.people) if self.shared else make()

    def scored(self, value: float, **parts: float) -> Result:
        """A value that says how the map of people was made."""
        return Result(value, parts, reason=self.said)


def beside(found: Surface, lookers: Lookers, of: Of, sigma: float) -> Beside:
    """A model's map beside the smooth map of "everyone" (the field's convention) or of those who were "held" out.

    The map of everyone holds the people who are scored, so what people themselves answer has no score there. A
    density is blurred as the map is. The border is "constant": mass that leaves the picture is lost.
    """
    chosen("of", of, Of)
    if of == "everyone" and found.by:
        raise NotApplicable("people would be compared with a map that they are part of; take of='held'")
    group = lookers.everyone if of == "everyone" else lookers
    if found.shape != tuple(group.shape):
        raise ValueError(f"got a map of {found.shape}; expected {tuple(group.shape)}, the shape of what was looked at")
    if not any(len(path) for path in group.paths.values()):
        raise NotApplicable(NOBODY)
    model, said = found.like_blurred(sigma_px(group, sigma)), _said(group, sigma)
    if of == "held":
        return Beside(model, Surface(continuous_map(group, sigma=sigma)), False, said)
    people = made(group, ("map", sigma), lambda: Surface(continuous_map(group, sigma=sigma)))
    return Beside(model, people, True, said)


def _said(group: Lookers, sigma: float) -> str:
    unknown = ": px per degree are not known, 1 degree is taken as 24" if not math.isfinite(group.px_per_deg) else ""
    return f"people's map blurred by {sigma_px(group, sigma):.4g} px{unknown}; border constant"
