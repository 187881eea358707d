"""Barber poles by aspect ratio and orientation, with edges and centres that weaken the illusion."""

from __future__ import annotations

from itertools import product

from beholder.core.sample import Dataset
from beholder.motion.stimuli.barber_pole import BarberPole
from beholder.motion.stimuli.suite import Shown, sampling_of, suite
from beholder.motion.types import Movie, Percept

BREADTHS = (12.0, 4.0, 2.0)  # deg, by a length of 12, ours [memory: 1:1, 2:1, 3:1 are usual]
ORIENTATIONS = (0.0, 45.0, 90.0, 135.0)  # deg; that the page varies them is verified
INDENTS = (0.125, 0.25, 0.5)  # periods, around the verified limit of 1/4
MASKS = (0.5, 0.9)  # shares of the area; up to 0.9 is verified


def barber_poles(full: bool = False, *, profile: str = "") -> Dataset[Movie, Percept]:
    """Barber poles of 12 × 2, 3 and 4°, stripes at 45°; controls: 12 × 12°, and teeth that abolish the illusion.

    `full` has four orientations, drift both ways, mirror images, teeth, masks and soft sides.
    Tags: variant (plain, indented, masked, soft), aspect, indent, masked.
    """
    return suite(
        "barber_poles",
        [_shown(pole) for pole in (_all() if full else _few())],
        sampling_of(profile, full, 168 if full else 160),
        cite="Tlapale2012,Masson2000,Kooi1993",
        about="Stripes in rectangles: people first see them move along their normal, finally along the long axis.",
    )


def _few() -> list[BarberPole]:
    """The three that are judged go down, up and left; fewer would have no interval."""
    plain = [
        BarberPole(breadth=breadth, direction=way) for breadth, way in zip(BREADTHS, (0.0, 270.0, 90.0), strict=True)
    ]
    return [*plain, BarberPole(indent=0.25, direction=270.0), BarberPole(breadth=3.0, direction=180.0)]


def _all() -> list[BarberPole]:
    ways = [orientation + drift for orientation, drift in product(ORIENTATIONS, (0.0, 180.0))]
    plain = [BarberPole(breadth=breadth, direction=way) for breadth, way in product(BREADTHS, ways)]
    mirrored = [BarberPole(breadth=breadth, turn=-1) for breadth in BREADTHS]
    toothed = [BarberPole(indent=indent, turn=turn) for indent, turn in product(INDENTS, (1, -1))]
    masked = [BarberPole(masked=masked, turn=turn) for masked, turn in product(MASKS, (1, -1))]
    return [*plain, *mirrored, *toothed, *masked, BarberPole(soft=1.0), BarberPole(soft=2.0)]


def _shown(pole: BarberPole) -> Shown:
    variant = "indented" if pole.indent else "masked" if pole.masked else "soft" if pole.soft else "plain"
    aspect = f"{pole.length / pole.breadth:g}"
    return Shown(
        pole,
        {"variant": variant, "aspect": aspect, "indent": f"{pole.indent:g}", "masked": f"{pole.masked:g}"}
        | ({"soft": f"{pole.soft:g}"} if pole.soft else {}),
    )
