"""From coarse to fine: a solver on every scale of a pair, begun with what the coarser scale found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from beholder.motion.frame_pairs import Field, Fields, Frames
from beholder.vision.filters import Image
from beholder.vision.pyramid import enlarged, halvings

Solver = Callable[[Image, Image, Field], Field]  # (first, second, field so far) → field


def coarse_to_fine(frames: Frames, solve: Solver) -> Fields:
    """The field of each pair, from rest at the coarsest scale; every frame's pyramid is made once."""
    pyramids = [halvings(frame) for frame in frames]
    found = [_descended(first, second, solve) for first, second in pairwise(pyramids)]
    return np.stack(found).astype(np.float32) if found else np.zeros((0, *frames.shape[1:], 2), np.float32)


def _descended(first: Sequence[Image], second: Sequence[Image], solve: Solver) -> Field:
    field = np.zeros((*first[0].shape, 2), np.float32)
    for one, other in zip(first, second, strict=True):
        field = solve(one, other, enlarged(field, one.shape))
    return field
