"""What the seed's conclusion asks for besides its four classes, in one bed: contrast, plaids, dots, and detection."""

from __future__ import annotations

from dataclasses import replace

from beholder.motion.beds.contrasts import contrasts
from beholder.motion.beds.dots import dots
from beholder.motion.beds.noisy_gratings import noisy_gratings
from beholder.motion.beds.plaids import plaids
from beholder.motion.types import Movie, Percept
from beholder.spine.sample import Bed, join


def beyond(full: bool = False, *, profile: str = "") -> Bed[Movie, Percept]:
    """Contrast series, plaids, dots by coherence and gratings in noise; `full` has all of each at 100 frames/s."""
    parts = [make(full, profile=profile) for make in (contrasts, plaids, dots, noisy_gratings)]
    return replace(
        join(*parts),
        name="beyond",
        about="Contrast, plaids, dots by coherence, gratings in noise: facts on people beyond the seed's four classes.",
    )
