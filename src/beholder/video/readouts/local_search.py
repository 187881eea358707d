"""Looking for a piece of one frame in another: masked normalised cross-correlation."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.types import Bytes

Mask = NDArray[np.bool_]
FLAT = 2.0  # levels: a piece of less contrast looks like anything; it is not searched
REACH = 0.10  # of the long side: how far a piece is searched for
NEAR = 2  # px: found no further off, it has stayed in place
RIM = 5  # px around a region that are searched with it


class Region(NamedTuple):
    """Some pixels of a frame."""

    left: int  # px, of the mask
    top: int
    mask: Mask

    @property
    def part(self) -> tuple[slice, slice]:
        """Where in a frame the mask lies."""
        height, width = self.mask.shape
        return slice(self.top, self.top + height), slice(self.left, self.left + width)

    def grown(self, shape: tuple[int, int], rim: int = RIM) -> Region:
        """The region with a rim around it, within the frame."""
        wide = cv2.copyMakeBorder(self.mask.astype(np.uint8), rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=0)
        wide = cv2.dilate(wide, np.ones((2 * rim + 1, 2 * rim + 1), np.uint8))
        x, y = self.left - rim, self.top - rim
        left, top = max(0, x), max(0, y)
        cut = wide[top - y : shape[0] - y, left - x : shape[1] - x]
        return Region(left, top, cut > 0)


def likeness(piece: Bytes, mask: Mask, scene: Bytes) -> NDArray[np.float32]:
    """Correlation of the pixels in the mask with every place of a scene, colours about their own means: −1 … 1.

    A flat piece, or a scene smaller than it: 0.
    """
    rows, columns = scene.shape[0] - piece.shape[0] + 1, scene.shape[1] - piece.shape[1] + 1
    if rows < 1 or columns < 1 or not mask.any() or float(piece[mask].std(axis=0).mean()) < FLAT:
        return np.zeros((max(rows, 1), max(columns, 1)), np.float32)
    weights = np.repeat(mask[..., None].astype(np.float32), piece.shape[2], axis=2)
    found = cv2.matchTemplate(scene.astype(np.float32), piece.astype(np.float32), cv2.TM_CCOEFF_NORMED, mask=weights)
    return np.asarray(np.clip(np.nan_to_num(found, posinf=0, neginf=0), -1, 1))


def still_there(region: Region, here: Bytes, there: Bytes) -> float:
    """How well a region of one frame is found in place in another."""
    grown = region.grown((here.shape[0], here.shape[1]))
    scene = _around(there, grown, NEAR)
    return float(likeness(here[grown.part][..., :3], grown.mask, scene).max())


def nearby(region: Region, here: Bytes, there: Bytes) -> float:
    """How well a region of one frame is found within reach in another; at half the size, for speed."""
    grown = region.grown((here.shape[0], here.shape[1]))
    scene = _around(there, grown, round(REACH * max(here.shape[:2])))
    piece, mask = here[grown.part][..., :3], grown.mask.astype(np.uint8)
    return float(likeness(_half(piece), _half(mask) > 0, _half(scene)).max())


def _around(frame: Bytes, region: Region, reach: int) -> Bytes:
    rows, columns = region.part
    part = np.s_[max(0, rows.start - reach) : rows.stop + reach, max(0, columns.start - reach) : columns.stop + reach]
    return frame[part][..., :3]


def _half(image: Bytes) -> Bytes:
    height, width = image.shape[:2]
    size = (max(1, width // 2), max(1, height // 2))
    small: Bytes = cv2.resize(np.ascontiguousarray(image), size, interpolation=cv2.INTER_AREA)
    return small
