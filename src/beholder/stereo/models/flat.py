"""One disparity everywhere: what is known before the images are seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from beholder.core.sample import Dataset
from beholder.stereo.types import Map, Pair, Truth


def flat(pair: Pair, *, disparity: float | None = None) -> Map:
    """The same disparity in every pixel; half of the pair's range by default.

    >>> flat(Pair(np.zeros((1, 2)), np.zeros((1, 2)), 16))
    array([[8., 8.]], dtype=float32)
    """
    return np.full(pair.shape, pair.max_disparity / 2 if disparity is None else disparity, np.float32)


def mean_disparity(dataset: Dataset[Any, Truth], most: int = 50) -> float:
    """The mean over samples of their mean known disparity, from at most `most` of the dataset, evenly spread.

    The whole dataset is asked, so that a run over a part of it meets the same blind model.
    """
    ids = dataset.all_ids[:: -(-len(dataset.all_ids) // most)]
    return float(np.mean([np.nanmean(dataset.load(id).reference.disparity) for id in ids]))
