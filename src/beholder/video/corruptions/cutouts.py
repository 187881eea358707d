"""Things cut out of other clips: star-shaped, with soft edges."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.scenes.sprites import Sprite, cut, faded, grid
from beholder.video.scenes.textures import PHOTOGRAPHS, Colours, photograph
from beholder.video.types import Bytes

SHARE = (0.3, 0.5)  # of the donor's short side that a thing shows
TRIES = 12  # pieces of which the one with the most contrast is taken: a piece of sky could not be seen to vanish
SOFT = 3.0  # px over which its edge fades


def pictures(donors: Sequence[Bytes]) -> tuple[Bytes, ...]:
    """The donors, or scikit-image's photographs where there are none."""
    return tuple(donors) or tuple(photograph(name) for name in PHOTOGRAPHS)


def cut_out(donors: Sequence[Bytes], radius: float, rng: np.random.Generator) -> Sprite:
    """A thing of about a radius in px."""
    side = 2 * math.ceil(1.25 * radius + SOFT)
    return cut(piece(donors, side, rng), _blob(side, radius, rng))


def tile(donors: Sequence[Bytes], side: float, rng: np.random.Generator) -> Sprite:
    """A textured square with soft edges."""
    across = math.ceil(side + SOFT) + 2
    x, y = grid(across, side / 2)
    return cut(piece(donors, across, rng), faded(np.maximum(np.abs(x), np.abs(y)) - 1, side / 2))


def piece(donors: Sequence[Bytes], side: int, rng: np.random.Generator) -> Colours:
    """A square piece of one of the donors, shrunk or enlarged to a side in px."""
    share = rng.uniform(*SHARE)
    chosen = rng.integers(len(donors), size=2).repeat(TRIES // 2)
    best = max([_part(donors[int(n)], share, rng) for n in chosen], key=_contrast)
    how = cv2.INTER_AREA if len(best) > side else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(best, (side, side), interpolation=how), np.float32)


def _part(donor: Bytes, share: float, rng: np.random.Generator) -> Bytes:
    side = max(4, round(share * min(donor.shape[:2])))
    top, left = (int(rng.integers(size - side)) for size in donor.shape[:2])
    return donor[top : top + side, left : left + side]


def _contrast(part: Bytes) -> float:
    """High where a piece has both different levels and many edges."""
    grey = cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_RGB2GRAY)
    small = cv2.resize(grey, (24, 24), interpolation=cv2.INTER_AREA).astype(np.float32)
    return float(small.std() * (np.abs(np.diff(small, axis=0)).mean() + np.abs(np.diff(small, axis=1)).mean()))


def _blob(side: int, radius: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """The cover of a star-shaped blob: its radius varies with the direction."""
    x, y = grid(side, radius)
    angle = np.arctan2(y, x)
    sizes, phases = rng.uniform(0.03, 0.1, 4), rng.uniform(0, 2 * np.pi, 4)
    edge = 1 + sum(s * np.cos((k + 2) * angle + p) for k, (s, p) in enumerate(zip(sizes, phases, strict=True)))
    return faded(np.asarray(np.hypot(x, y) - edge, np.float32), radius, SOFT)
