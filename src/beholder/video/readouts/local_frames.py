"""Frames as local cuts are looked for in them: repeats left out, and the flow between the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np

from beholder.video.readouts.flow import Pair, pair
from beholder.video.readouts.footage import Footage
from beholder.video.types import Bytes, Floats

Picture = Bytes  # (h, w, 4): red, green, blue and the local contrast, in levels
REPEATED = 0.12  # of the usual change: a frame that differs less from the last one repeats it
STILL = 0.15  # levels: so little change is a repeat in any clip,
SOMEWHERE = 4.0  # unless it is gathered in one cell: a small thing moves, or is gone
REST = 0.75  # s: a picture that is shown so long is at rest; a shorter one may only judder


class Scale(NamedTuple):
    """Sizes in px that go with frames of one size, and what is worth a look there."""

    window: int  # content is compared over windows of this side
    cell: int  # light is compared over cells of this side
    sharp: float  # excess mismatch from which a pixel belongs to a region
    visible: float  # levels: less misfit is not seen
    thick: float  # diagonals: the least radius of a region


WHOLE = Scale(11, 16, 0.2, 5.0, 0.012)  # frames as they are analysed
HALF = Scale(7, 8, 0.3, 8.0, 0.025)  # at half the size, for slower changes


@dataclass(frozen=True, eq=False)
class Distinct:
    """The frames of some footage that are not repeats."""

    pixels: Bytes  # of the footage, all
    at: tuple[int, ...]  # which of them are left
    pairs: tuple[Pair, ...]  # flow between these
    times: Floats  # seconds, of these

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""
        return (self.pixels.shape[1], self.pixels.shape[2])

    def colours(self, k: int) -> Bytes:
        """Frame k, slightly blurred against the noise of the sensor."""
        smooth: Bytes = cv2.GaussianBlur(self.pixels[self.at[k]], (0, 0), 0.7)
        return smooth

    def picture(self, k: int) -> Picture:
        """Frame k with its local contrast: the standard deviation within a window, over all channels."""
        smooth, size = self.colours(k), (WHOLE.window, WHOLE.window)
        spread = cv2.sqrBoxFilter(smooth, cv2.CV_32F, size) - cv2.boxFilter(smooth, cv2.CV_32F, size) ** 2
        contrast = np.sqrt(np.maximum(spread @ np.full(3, 1 / 3, np.float32), 0))
        picture: Picture = cv2.merge([smooth, cv2.convertScaleAbs(contrast)])
        return picture


def distinct(footage: Footage, pairs: Sequence[Pair]) -> Distinct:
    """Leave out repeated frames; flow is made anew where it joins frames that are now neighbours."""
    grey = [cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY) for frame in footage.pixels]
    at = fresh(grey, footage.times)
    flows = tuple(pairs[a] if b == a + 1 else pair(grey[a], grey[b]) for a, b in pairwise(at))
    return Distinct(footage.pixels, at, flows, footage.times[list(at)])


def fresh(grey: Sequence[Bytes], times: Floats) -> tuple[int, ...]:
    """The frames that differ from the last one before them that does not repeat another.

    Where the picture rests for long, the last repeat stays, too: then it is known that nothing moved.
    """
    usual = np.percentile([cv2.absdiff(a, b).mean() for a, b in pairwise(grey)], 80)
    least = max(STILL, REPEATED * float(usual))
    kept = [0]
    for k in range(1, len(grey)):
        change = cv2.absdiff(grey[kept[-1]], grey[k])
        new = float(change.mean()) >= least or _anywhere(change) >= SOMEWHERE
        last = k - 1 if new else k
        if times[last] - times[kept[-1]] > REST - 1e-6 and (new or k == len(grey) - 1):
            kept.append(last)
        if new:
            kept.append(k)
    return tuple(kept)


def _anywhere(change: Bytes) -> float:
    """The largest mean change of a cell."""
    height, width = change.shape
    size = (max(1, width // WHOLE.cell), max(1, height // WHOLE.cell))
    return float(cv2.resize(change, size, interpolation=cv2.INTER_AREA).max())
