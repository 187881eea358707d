"""Parts of a frame in which errors of flow are counted apart: by occlusion, by object, and by the true speed."""

from __future__ import annotations

from functools import lru_cache, partial
from math import inf
from typing import Any

import numpy as np

from beholder.core.benchmark import Criterion
from beholder.core.measure import NotApplicable
from beholder.motion.true_flow.types import Mask, TrueFlow, Vectors, truth_of

# The classes of Sintel's table (Butler et al., 2012), px per frame; that the lower bound belongs to a class is ours.
SPEEDS = {"s0-10": (0.0, 10.0), "s10-40": (10.0, 40.0), "s40+": (40.0, inf)}
REGIONS = ("matched", "unmatched", "bg", "fg")


def part(name: str) -> Criterion:
    """The criterion that confines a measure to `all` known pixels, to a class of SPEEDS, or to a region of the truth.

    >>> truth = TrueFlow(np.array([[[3, 4], [30, 40], [np.nan, 0]]], np.float32))
    >>> found, true = part("s40+").select(np.zeros((1, 3, 2), np.float32), truth)
    >>> found.tolist(), true.tolist()
    ([[0.0, 0.0]], [[30.0, 40.0]])
    """
    return Criterion(name, partial(confined, name=name), partial(absent, name=name))


def confined(found: Vectors, reference: Any, *, name: str) -> tuple[Vectors, Vectors]:
    """Estimated and true vectors in one part, where the truth is known."""
    truth = truth_of(reference)
    if found.shape != truth.flow.shape:
        raise ValueError(f"got vectors of shape {found.shape}; expected {truth.flow.shape}, that of the truth")
    inside = within(truth, name)
    if not inside.any():
        raise NotApplicable(f"no known vector lies in {name!r} here")
    return found[inside], truth.flow[inside]


@lru_cache(maxsize=16)  # all measures of an answer ask for the same parts
def within(truth: TrueFlow, name: str) -> Mask:
    """The known pixels of a part; none where the truth does not tell it."""
    if name in SPEEDS:
        low, high = SPEEDS[name]
        return np.asarray((truth.speed >= low) & (truth.speed < high))  # False for NaN
    everywhere = np.ones(truth.flow.shape[:-1], np.bool_)
    nowhere = ~everywhere
    return truth.known & (everywhere if name == "all" else truth.regions.get(name, nowhere))


def absent(reference: Any, *, name: str) -> str:
    """Why a sample has nothing in a part, or nothing: then it has no row there, rather than an empty one."""
    if name == "all" or within(truth_of(reference), name).any():
        return ""
    return f"no known vector lies in {name!r} here"
