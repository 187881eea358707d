"""Gratings of several sizes under noise, and blanks: at which size motion is best told from nothing."""

from __future__ import annotations

from itertools import product

from beholder.core.sample import Dataset
from beholder.motion.stimuli.grating import Grating
from beholder.motion.stimuli.noisy import Noisy
from beholder.motion.stimuli.suite import Shown, sampling_of, suite
from beholder.motion.types import Movie, Percept

DIAMETERS = (1.5, 3.0, 6.0)  # deg, ours; sizes of 0.7 to 5 are usual [memory]
HIGH, LOW = 0.9, 0.15  # Michelson; some 92 % and 3 % were used [memory], of which 3 % would drown in this noise
FREQUENCY, SPEED = 1.0, 4.0  # cycles/deg, deg/s, ours
SIGMA = 0.5  # of the luminance: standard deviation of the noise, ours; with less nothing is missed
SECONDS = 0.12  # ours


def noisy_gratings(full: bool = False, *, profile: str = "", each: int = 4) -> Dataset[Movie, Percept]:
    """Gratings of three diameters at two contrasts, drifting right in noise, and noise alone: `each` movies per
    condition.

    `full` has 12 movies per condition. Tags: diameter, contrast (0 for noise alone).
    """
    films = range(12 if full else each)
    conditions = [*product((LOW, HIGH), DIAMETERS), (0.0, DIAMETERS[-1])]
    return suite(
        "noisy_gratings",
        [_shown(*one, at * len(films) + film) for at, one in enumerate(conditions) for film in films],
        sampling_of(profile, full, 56),
        cite="Tadin2003,GreenSwets1966",
        about="Gratings of several sizes in noise: larger is easier at low contrast, harder at high contrast.",
    )


def _shown(contrast: float, diameter: float, seed: int) -> Shown:
    grating = Grating(diameter=diameter, contrast=contrast, frequency=FREQUENCY, speed=SPEED)
    scene = Noisy(grating, sigma=SIGMA, seed=seed)
    return Shown(scene, {"diameter": f"{diameter:g}", "contrast": f"{contrast:g}"}, SECONDS)
