"""The weights of `judd_like`: what tells the places that people look at most from those that they look at least."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.attention.learning.classifier import logistic
from beholder.attention.maps.fixation_maps import continuous_map
from beholder.attention.maps.judd_features import LEFT_OUT, NAMES, SIDE, features, weights_without
from beholder.attention.types import Floats, Lookers, Picture
from beholder.core.sample import Dataset, Sample
from beholder.vision.scales import resized

MOST, LEAST = 0.2, 0.7  # the share of a picture that is looked at most, and least [M]
COUNT = 100  # px of each; 10 in the paper, which had twenty times as many pictures (ours)
RIDGE = 1e-2  # with features of variance 1; on held-out pictures all from 1e-4 to 1e-2 have an AUC of 0.865 (ours)
SEED = 2009


def learn(dataset: Dataset[Picture, Lookers], *, count: int = COUNT, seed: int = SEED) -> dict[str, NDArray[Any]]:
    """`mean` and `scale` (n,) of the features, and `weights` (n + 1,), a constant last; those also `without` some."""
    rng = np.random.default_rng(seed)
    rows = np.concatenate([examples(sample, count=count, rng=rng) for sample in dataset])
    labels = np.tile(np.repeat([True, False], count), len(dataset))
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    scale = np.where(spread > 0, spread, 1)
    white = (rows - mean) / scale
    weights = {weights_without(names): _fitted(white, labels, left_out=names) for names in LEFT_OUT}
    return {name: values.astype(np.float32) for name, values in {"mean": mean, "scale": scale, **weights}.items()}


def _fitted(white: Floats, labels: NDArray[np.bool_], *, left_out: tuple[str, ...]) -> Floats:
    """Weights of all features and a constant; those that are left out weigh 0."""
    kept = [name not in left_out for name in NAMES]
    weights = np.zeros(len(NAMES) + 1)
    weights[[*kept, True]] = logistic(white[:, kept], labels, ridge=RIDGE)
    return weights


def examples(sample: Sample[Picture, Lookers], *, count: int, rng: np.random.Generator) -> Floats:
    """Features (2 · count, n) of pixels from the most and then from the least looked-at part of one picture."""
    seen = resized(continuous_map(sample.reference, border="constant"), (SIDE, SIDE)).ravel()
    order = np.argsort(seen, kind="stable")
    most, least = order[-round(MOST * seen.size) :], order[: round(LEAST * seen.size)]
    chosen = np.concatenate([rng.choice(part, count, replace=False) for part in (most, least)])
    return np.asarray(features(sample.stimulus).reshape(-1, len(NAMES))[chosen], np.float64)
