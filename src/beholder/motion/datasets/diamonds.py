"""Translating diamonds in four directions and two turns, with the controls in which no bias is seen."""

from __future__ import annotations

from itertools import product

import numpy as np

from beholder.core.sample import Dataset
from beholder.motion.stimuli.diamond import Diamond, texture
from beholder.motion.stimuli.suite import Shown, sampling_of, suite
from beholder.motion.types import Movie, Percept

DIRECTIONS = (0.0, 90.0, 180.0, 270.0)
FEW = tuple(zip(DIRECTIONS, (1, -1, 1, -1), strict=True))  # directions and turns of the small set
CONTRASTS = (0.5, 0.25, 0.1, 0.05)  # Weber, beside 1; ours


def diamonds(full: bool = False, *, profile: str = "", seed: int = 0) -> Dataset[Movie, Percept]:
    """Diamonds of type II, whose vector average is 44° off, and controls.

    In the small set, diamonds that move right or left turn ccw, those that move up or down cw, so that no constant
    answer fits more than a quarter of them; with one control each of type I, textured and faint. `full` has the four
    directions and two turns of Tlapale et al. (2012), both controls in all directions, and a contrast series.
    Tags: variant (type II, type I, textured), contrast.
    """
    rng = np.random.default_rng(seed)
    return suite(
        "diamonds",
        [_shown(diamond) for diamond in (_all(rng) if full else _few(rng))],
        sampling_of(profile, full, 168 if full else 160),
        cite="Tlapale2012,MassonStone2002,Wallace2005",
        about="Diamonds whose edges all point to one side of their motion: pursuit starts towards the edges' average.",
    )


def _few(rng: np.random.Generator) -> list[Diamond]:
    typical = [Diamond(direction=direction, turn=turn) for direction, turn in FEW]
    controls = [Diamond(tilt=0.0, direction=180.0), Diamond(fill=texture(rng), direction=270.0)]
    return [*typical, *controls, Diamond(contrast=0.1)]


def _all(rng: np.random.Generator) -> list[Diamond]:
    pattern = texture(rng)
    ways = list(product(DIRECTIONS, (1, -1)))
    typical = [Diamond(direction=direction, turn=turn) for direction, turn in ways]
    simple = [Diamond(tilt=0.0, direction=direction) for direction in DIRECTIONS]
    textured = [Diamond(fill=pattern, direction=direction, turn=turn) for direction, turn in ways]
    faint = [Diamond(contrast=contrast, turn=turn) for contrast, turn in product(CONTRASTS, (1, -1))]
    return [*typical, *simple, *textured, *faint]


def _shown(diamond: Diamond) -> Shown:
    variant = "textured" if diamond.fill is not None else "type II" if diamond.tilt else "type I"
    return Shown(diamond, {"variant": variant, "contrast": f"{diamond.contrast:g}"})
