"""The whole suite of Tlapale et al. (2012), by a name of its own."""

from __future__ import annotations

from beholder.core.sample import Dataset
from beholder.motion.datasets.classical import classical
from beholder.motion.types import Movie, Percept


def full(*, profile: str = "") -> Dataset[Movie, Percept]:
    """The whole suite of `classical` at 100 frames/s: `classical(full=true)`."""
    return classical(full=True, profile=profile)
