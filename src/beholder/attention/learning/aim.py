"""The bases of `aim`: independent components of 21 × 21 patches of scikit-image's photographs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.attention.learning.components import unmixing
from beholder.attention.learning.patches import photographs, sample_patches
from beholder.vision.scales import Image

SIDE, SHARE = 21, 0.95  # px of a patch, and how much of the variance is kept: those of the published bases [V]
COUNT = 80_000  # patches, 20,000 a photograph
SEED = 2009


def learn(
    images: Sequence[Image] | None = None, *, side: int = SIDE, count: int = COUNT, seed: int = SEED
) -> dict[str, NDArray[Any]]:
    """`bases` (k, 3 · side²): rows to project patches on, of unit norm."""
    rng = np.random.default_rng(seed)
    patches = sample_patches(images or photographs(), side, count=count, rng=rng)
    filters = unmixing(patches, rng=rng, share=SHARE)
    return {"bases": (filters / np.linalg.norm(filters, axis=1, keepdims=True)).astype(np.float16)}
