"""Gratings in discs of many sizes and contrasts: over how much of the field motion is summed."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from beholder.core.sample import Dataset
from beholder.motion.stimuli.grating import Grating
from beholder.motion.stimuli.suite import Shown, sampling_of, suite
from beholder.motion.types import Movie, Percept

DIAMETERS = (2.5, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0)  # deg, ours [placeholder]
DIRECTIONS = (0.0, 90.0, 180.0, 270.0)
CONTRASTS = (0.7, 0.35, 0.1, 0.05)  # Michelson, beside 1; ours [placeholder]
LEGACY_SECONDS = 21 / 16  # 22 frames on the web page of Tlapale et al. [verified]


def gratings(full: bool = False, *, profile: str = "") -> Dataset[Movie, Percept]:
    """Gratings of 0.27 cycles/deg at 37 deg/s in discs of 2.5 to 15°; `full`: up to 40°, 4 directions, 5 contrasts.

    At the 16 frames/s of Tlapale et al. (2012) (`profile` = legacy16) they alias: 0.624 cycles per frame.
    Tags: diameter, contrast, aliased.
    """
    sampling = sampling_of(profile, full, 350 if full else 160)  # px: 350 on their web page [verified]
    if profile == "legacy16":
        sampling = replace(sampling, seconds=LEGACY_SECONDS)
    return suite(
        "gratings",
        [_shown(grating) for grating in (_all() if full else _few())],
        sampling,
        cite="Tlapale2012,Barthelemy2006",
        about="Drifting gratings in discs: ocular following grows with the disc, saturates and falls off a little.",
    )


def _few() -> list[Grating]:
    """Each disc goes another way: no constant answer fits more than one, and their responses are speeds alone."""
    return [Grating(diameter=diameter, direction=way) for diameter, way in zip(DIAMETERS, DIRECTIONS, strict=False)]


def _all() -> list[Grating]:
    strong = [Grating(diameter=diameter, direction=way) for diameter, way in product(DIAMETERS, DIRECTIONS)]
    weak = [Grating(diameter=diameter, contrast=contrast) for contrast, diameter in product(CONTRASTS, DIAMETERS)]
    return [*strong, *weak]


def _shown(grating: Grating) -> Shown:
    return Shown(grating, {"diameter": f"{grating.diameter:g}", "contrast": f"{grating.contrast:g}"})
