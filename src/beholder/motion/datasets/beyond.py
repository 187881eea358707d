"""Beyond the four classes of Tlapale et al. 2012, in one dataset: contrast, plaids, dots, and detection."""

from __future__ import annotations

from dataclasses import replace

from beholder.core.sample import Dataset, join
from beholder.motion.datasets.contrasts import contrasts
from beholder.motion.datasets.dots import dots
from beholder.motion.datasets.noisy_gratings import noisy_gratings
from beholder.motion.datasets.plaids import plaids
from beholder.motion.types import Movie, Percept


def beyond(full: bool = False, *, profile: str = "") -> Dataset[Movie, Percept]:
    """Contrast series, plaids, dots at several coherences, and gratings in noise; `full` is each whole, at 100
    frames/s."""
    parts = [make(full, profile=profile) for make in (contrasts, plaids, dots, noisy_gratings)]
    return replace(
        join(*parts),
        name="beyond",
        about="Contrast, plaids, coherence of dots, gratings in noise: facts beyond the four classical classes.",
    )
