"""The map of where people looked, which measures between maps compare with."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Literal, NamedTuple, TypeVar

from beholder.attention.maps.fixated_pixels import NOBODY, check_choice, doubted
from beholder.attention.maps.fixation_maps import continuous_map, made_once, sigma_px
from beholder.attention.readouts import Surface
from beholder.attention.types import Lookers
from beholder.core.measure import NotApplicable, Result

Of = Literal["everyone", "held"]
T = TypeVar("T")


class MapPair(NamedTuple):
    """A model's map and people's map, to be compared."""

    model: Surface
    people: Surface
    shared: bool  # the people's map is the same whoever is held out
    note: str  # how the map of people was made
    lookers: Lookers

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of `make()`; if the people are everyone, it is computed once for all observers held out."""
        return self.model.once(key, make, self.people) if self.shared else make()

    def scored(self, value: float, **parts: float) -> Result:
        """A result whose reason says how people's map was made, and whether of too few fixations."""
        return doubted(Result(value, parts, reason=self.note), self.lookers)


def pair_maps(found: Surface, lookers: Lookers, of: Of, sigma: float) -> MapPair:
    """Pair a model's map with the smooth map of "everyone" (the field's convention) or of those "held" out.

    The map of everyone holds the people who are scored, so what people themselves answer has no score there. A
    density is blurred as the map is. The border is "constant": mass that leaves the picture is lost.
    """
    check_choice("of", of, Of)
    if of == "everyone" and found.by:
        raise NotApplicable("people would be compared with a map that they are part of; take of='held'")
    group = lookers.everyone if of == "everyone" else lookers
    if found.shape != tuple(group.shape):
        raise ValueError(f"got a map of {found.shape}; expected {tuple(group.shape)}, the shape of what was looked at")
    if not any(len(path) for path in group.paths.values()):
        raise NotApplicable(NOBODY)
    model, note = found.like_blurred(sigma_px(group, sigma)), _note(group, sigma)
    if of == "held":
        return MapPair(model, Surface(continuous_map(group, sigma=sigma)), False, note, lookers)
    people = made_once(group, ("map", sigma), lambda: Surface(continuous_map(group, sigma=sigma)))
    return MapPair(model, people, True, note, lookers)


def _note(group: Lookers, sigma: float) -> str:
    unknown = ": px per degree are not known, 1 degree is taken as 24" if not math.isfinite(group.px_per_deg) else ""
    return f"people's map blurred by {sigma_px(group, sigma):.4g} px{unknown}; border constant"
