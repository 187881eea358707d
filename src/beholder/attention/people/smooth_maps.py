"""The smooth map of where people looked, of all of them or of each half: made once, for whichever measure asks."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from beholder.attention.maps.fixation_maps import before_confined, continuous_map, made_once, sigma_px
from beholder.attention.readouts import Surface
from beholder.attention.types import Lookers
from beholder.vision.blur import Border


class Blur(NamedTuple):
    """How people's map is blurred."""

    degrees: float
    px: float
    border: Border


def blur_of(group: Lookers, degrees: float = 1.0, border: Border = "reflect") -> Blur:
    """A blur of so many degrees on the picture that a group looked at."""
    return Blur(degrees, sigma_px(group, degrees), border)


def smooth_map(group: Lookers, blur: Blur) -> Surface:
    """The map of all fixations of a group."""
    return made_once(
        group, ("map", blur), lambda: Surface(continuous_map(group, sigma=blur.degrees, border=blur.border))
    )


def who_looked(group: Lookers) -> list[str]:
    """Who fixated the picture at all, by name, whatever a criterion has left of it."""
    return sorted(name for name, path in before_confined(group).paths.items() if len(path))


def halves(group: Lookers) -> tuple[Lookers, Lookers]:
    """Every other one of those who looked, by name, and the others: each a group of its own."""
    return made_once(group, "halves", lambda: (half_of(group, 0), half_of(group, 1)))


def half_of(group: Lookers, at: int) -> Lookers:
    """The first half (0) or the second (1)."""
    return replace(group, paths={name: group.paths[name] for name in who_looked(group)[at::2]}, whole=None)
