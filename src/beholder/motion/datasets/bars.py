"""Translating bars by length, tilt and tiles: how long the aperture problem lasts."""

from __future__ import annotations

from itertools import product

from beholder.core.sample import Dataset
from beholder.motion.stimuli.bar import Bar
from beholder.motion.stimuli.suite import Shown, sampling_of, suite
from beholder.motion.types import Movie, Percept

LENGTHS = (2.5, 5.0, 10.0, 20.0)  # deg: the last from Tlapale et al. (2012), the series ours
DIRECTIONS = (0.0, 90.0, 180.0, 270.0)
ROOM = 192  # px: 20° aslant and 7.2° of path need 24°


def bars(full: bool = False, *, profile: str = "") -> Dataset[Movie, Percept]:
    """Bars that move at 16 deg/s, tilted by 45°: lengths of 5, 10 and 20°, one cut into tiles, and an upright control.

    `full` has lengths from 2.5° up, four directions, both tilts, two and four tiles, upright bars, and 10 deg/s.
    Tags: variant (tilted, tiled, upright), length, tiles, speed.
    """
    return suite(
        "bars",
        [_shown(bar, 0 if full else ROOM) for bar in (_all() if full else _few())],
        sampling_of(profile, full, ROOM if full else 160),
        cite="Tlapale2012,Born2006",
        about="Bars that move at 45° to their normal: long ones are first pursued along the normal, tiled ones less.",
    )


def _few() -> list[Bar]:
    """A series in one direction, up, so that it differs in length alone."""
    tilted = [Bar(length=length, direction=90.0) for length in LENGTHS[1:]]
    return [*tilted, Bar(length=10.0, tiles=2, direction=90.0), Bar(length=10.0, tilt=0.0, direction=90.0)]


def _all() -> list[Bar]:
    ways = [{"direction": direction, "turn": turn} for direction, turn in product(DIRECTIONS, (1, -1))]
    tilted = [Bar(length=length, **way) for length in LENGTHS for way in ways]  # type: ignore[arg-type]
    tiled = [Bar(tiles=tiles, **way) for tiles in (2, 4) for way in ways]  # type: ignore[arg-type]
    upright = [Bar(length=length, tilt=0.0) for length in LENGTHS]
    slow = [Bar(length=length, speed=10.0, turn=turn) for length in LENGTHS for turn in (1, -1)]
    return [*tilted, *tiled, *upright, *slow]


def _shown(bar: Bar, room: int) -> Shown:
    """A bar; the longest in a frame of its own size, where that of the set is too small for it."""
    variant = "upright" if not bar.tilt else "tilted" if bar.tiles == 1 else "tiled"
    return Shown(
        bar,
        {
            "variant": variant,
            "length": f"{bar.length:g}",
            "tiles": str(bar.tiles),
            "speed": f"{bar.speed:g}",
        },
        size=room if bar.length == LENGTHS[-1] else 0,
    )
