"""Random-dot kinematograms by coherence: from which share of common motion on its direction is seen."""

from __future__ import annotations

import numpy as np

from beholder.core.sample import Dataset
from beholder.motion.stimuli.dots import Dots, lots
from beholder.motion.stimuli.suite import Shown, sampling_of, suite
from beholder.motion.types import Movie, Percept

FEW = (0.05, 0.1, 0.2, 0.4, 0.8)  # by factors of two, ours
ALL = (0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1.0)  # a usual series [memory]
COUNT = 40  # dots, ours [placeholder]
SECONDS = 0.16  # ours [placeholder]


def dots(full: bool = False, *, profile: str = "", seed: int = 0, each: int = 4) -> Dataset[Movie, Percept]:
    """Dots in a disc of 7°: a share moves left or right, the others in random directions; `each` movies per coherence.

    Every movie has its own dots; half of the movies go right, half left. `full` has seven coherences with 20 movies
    each.
    Tags: coherence.
    """
    rng = np.random.default_rng(seed)
    levels, films = (ALL, 20) if full else (FEW, each)
    return suite(
        "dots",
        [_shown(level, film, rng) for level in levels for film in range(films)],
        sampling_of(profile, full, 72),
        cite="NewsomePare1988,Britten1992",
        about="Random dots, a share of which moves together: the smaller the share needed, the better the pooling.",
    )


def _shown(coherence: float, film: int, rng: np.random.Generator) -> Shown:
    way = 180.0 * (film % 2)
    scene = Dots(lots(COUNT, rng), coherence=coherence, diameter=7.0, direction=way)
    return Shown(scene, {"coherence": f"{coherence:g}"}, SECONDS)
