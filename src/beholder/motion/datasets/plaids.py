"""Plaids of type I and II, short and long, faint, and with one component stronger than the other."""

from __future__ import annotations

from itertools import product

from beholder.core.sample import Dataset
from beholder.motion.stimuli.plaid import TYPE_I, TYPE_II, Plaid
from beholder.motion.stimuli.suite import Shown, sampling_of, suite
from beholder.motion.types import Movie, Percept

SHORT, LONG = 0.06, 0.24  # s: type II plaids are seen near the vector average, and near the common motion [memory]
FAINT = 0.1  # Michelson, ours
BALANCES = (0.2, 0.8)  # share of the first component, ours
DIRECTIONS = (0.0, 90.0, 180.0, 270.0)


def plaids(full: bool = False, *, profile: str = "") -> Dataset[Movie, Percept]:
    """Plaids at 10 deg/s: type I and II for 60 and 240 ms, type II at a tenth of the contrast, type I unbalanced.

    The vector average of the type II plaid lies 55.6° away from its common motion (intersection of constraints); that
    of the type I plaid coincides with it. `full` has four directions, mirror images, and frames for 100 Hz.
    Tags: variant (type I, type II), duration (short, long), contrast, balance.
    """
    ways = list(product(DIRECTIONS, (1, -1))) if full else [(0.0, 1)]
    return suite(
        "plaids",
        [shown for direction, turn in ways for shown in _each(direction, turn)],
        sampling_of(profile, full, 80),
        cite="YoWilson1992,Stone1990,FerreraWilson1991",
        about="Two gratings in one disc: seen first along the average of their motions, then along the common motion.",
    )


def _each(direction: float, turn: int) -> list[Shown]:
    def shown(normals: tuple[float, float], seconds: float, contrast: float = 1.0, balance: float = 0.5) -> Shown:
        plaid = Plaid(normals, contrast=contrast, balance=balance, direction=direction, turn=turn, diameter=8.0)
        return Shown(plaid, _tags(plaid, seconds), seconds)

    both = [shown(normals, seconds) for normals in (TYPE_I, TYPE_II) for seconds in (SHORT, LONG)]
    return [*both, shown(TYPE_II, LONG, FAINT), *(shown(TYPE_I, LONG, balance=share) for share in BALANCES)]


def _tags(plaid: Plaid, seconds: float) -> dict[str, str]:
    return {
        "variant": "type II" if plaid.normals == TYPE_II else "type I",
        "duration": "short" if seconds == SHORT else "long",
        "contrast": f"{plaid.contrast:g}",
        "balance": f"{plaid.balance:g}",
    }
