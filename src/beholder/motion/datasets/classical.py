"""The four classes of Tlapale et al. (2012) in one dataset: bars, diamonds, gratings and barber poles."""

from __future__ import annotations

from dataclasses import replace

from beholder.core.sample import Dataset, join
from beholder.motion.datasets.barber_poles import barber_poles
from beholder.motion.datasets.bars import bars
from beholder.motion.datasets.diamonds import diamonds
from beholder.motion.datasets.gratings import gratings
from beholder.motion.types import Movie, Percept


def classical(full: bool = False, *, profile: str = "") -> Dataset[Movie, Percept]:
    """Twenty-one movies of 22 frame pairs, 160 px wide, at 50 frames/s; `full` is the whole suite at 100 frames/s.

    `profile` = legacy16 has the frame rate of the authors' web page, 16 frames/s; stimuli too fast for it are tagged
    aliased.
    """
    parts = [make(full, profile=profile) for make in (bars, diamonds, gratings, barber_poles)]
    return replace(
        join(*parts),
        name="classical",
        about="Bars, diamonds, gratings and barber poles: line drawings and gratings whose edges mislead at first.",
    )
