"""Guessing: each pixel gets any disparity of the range."""

from __future__ import annotations

import numpy as np

from beholder.stereo.types import Map, Pair


def random(pair: Pair, *, rng: np.random.Generator) -> Map:
    """Independent disparities, uniform over 0 … max_disparity."""
    return rng.uniform(0, pair.max_disparity, pair.shape).astype(np.float32)
