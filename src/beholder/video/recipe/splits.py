"""Which clips are trained on, which stop the training, and which are held out: whole prompts, never parts of one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.errors import Misuse
from beholder.video.recipe.preferences import Preferences

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

FEWEST = 20  # clips, below which nothing can be learnt and held out
FEWEST_GROUPS = 5
HELD_OUT = 0.25  # of the prompts
STOPS = 0.2  # of the rest, on whose loss training stops


class Split(NamedTuple):
    """Three disjoint sets of places of clips."""

    train: Ints
    stop: Ints  # the validation clips
    test: Ints


def units(preferences: Preferences) -> Ints:
    """What is drawn together: the number of each clip's group, or of itself where there are no groups."""
    if not preferences.grouped:
        return np.arange(len(preferences.items), dtype=np.int64)
    return np.unique(np.array(preferences.groups), return_inverse=True)[1].astype(np.int64)


def check_size(preferences: Preferences) -> None:
    """Refuse too few clips or prompts."""
    many = len(preferences.items)
    if many < FEWEST:
        raise Misuse(f"got comparisons of {many} clips; expected {FEWEST} or more, better some hundreds")
    groups = len(set(preferences.groups))
    if preferences.grouped and groups < FEWEST_GROUPS:
        raise Misuse(
            f"got clips of {groups} groups; expected {FEWEST_GROUPS} or more, since a group is trained on or held out "
            "as a whole; leave the column out if its values are not prompts"
        )


def split(of: Ints, seed: int, *, held_out: float = HELD_OUT) -> Split:
    """Units drawn at random: a quarter is held out, a fifth of the rest stops the training.

    >>> found = split(np.repeat(np.arange(10), 2), seed=1)
    >>> [len(part) for part in found]
    [12, 4, 4]
    """
    every = np.random.default_rng(seed).permutation(int(of.max()) + 1)
    tested = max(1, round(held_out * len(every)))
    stopping = max(1, round(STOPS * (len(every) - tested)))
    parts = (every[tested + stopping :], every[tested : tested + stopping], every[:tested])
    return Split(*(np.flatnonzero(np.isin(of, part)).astype(np.int64) for part in parts))


def apart(preferences: Preferences, test: Ints) -> Bools:
    """Which comparisons touch a clip that is held out: they tell its strength, and are never trained on."""
    return np.asarray(np.isin(preferences.first, test) | np.isin(preferences.second, test))
