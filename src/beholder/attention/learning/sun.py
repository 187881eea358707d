"""The filters of `sun`: independent components of 11 × 11 patches without their mean, and how their answers spread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.attention.learning.components import unmixing
from beholder.attention.learning.generalised_gaussian import fit
from beholder.attention.learning.patches import photographs, sample_patches
from beholder.vision.scales import Image

SIDE = 11  # px of a patch, as published [V]
COUNT = 80_000  # patches, 20,000 a photograph
ROUNDS = 150  # after which the filters turn hardly any more
# The mean colours of four photographs lie in four heaps, which no world has: flatter than Gauss' nothing is.
FLATTEST = 2.0
SEED = 2008


def learn(
    images: Sequence[Image] | None = None, *, side: int = SIDE, count: int = COUNT, seed: int = SEED
) -> dict[str, NDArray[Any]]:
    """`filters` (k, 3 · side²), of unit norm, and `sigma` and `theta` (k,) of their answers to patches without mean."""
    rng = np.random.default_rng(seed)
    bare = examples(images or photographs(), side, count=count, rng=rng)
    filters = unmixing(bare, rng=rng, rounds=ROUNDS)
    short = (filters / np.linalg.norm(filters, axis=1, keepdims=True)).astype(np.float16)
    spread = np.array([fit(answers, most=FLATTEST) for answers in short.astype(np.float32) @ bare.T])
    return {"filters": short, "sigma": spread[:, 0].astype(np.float32), "theta": spread[:, 1].astype(np.float32)}


def examples(images: Sequence[Image], side: int, *, count: int, rng: np.random.Generator) -> Image:
    """Patches, one per row, of images over their standard deviations, each patch without its mean."""
    scaled = [np.asarray(image / image.std(), np.float32) for image in images]
    patches = sample_patches(scaled, side, count=count, rng=rng)
    return np.asarray(patches - patches.mean(axis=1, keepdims=True))
