"""What happened to a region that is replaced at once: something vanished there, emerged, or jumped."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.readouts.local_candidates import Candidate, Views
from beholder.video.readouts.local_frames import Picture
from beholder.video.readouts.local_search import Region, likeness

UNTOLD = "vanish_or_emerge"
RIM = 9  # px: a thing's outline lies so far within its region, for windows smear it
CLEAR = 0.2  # log ratio of edges from which it is told which of two frames has the thing; right in 97 % of 244 events
ALIKE = 0.6  # correlation: what emerges is what has vanished


def kinds(found: Sequence[Candidate], views: Views) -> list[str]:
    """The kind of each event of one moment: vanish, emerge, jump, or `UNTOLD`."""
    told = [_kind(one.region, views) for one in found]
    jumps = {
        place
        for a, gone in enumerate(found)
        for b, new in enumerate(found)
        if told[a] != "emerge" and told[b] != "vanish" and a != b and _alike(gone.region, new.region, views)
        for place in (a, b)
    }
    return ["jump" if place in jumps else kind for place, kind in enumerate(told)]


def _kind(region: Region, views: Views) -> str:
    """A thing has an outline, and the background that replaces it, or that it covers, has none there."""
    eroded = cv2.erode(np.pad(region.mask.astype(np.uint8), 1), np.ones((2 * RIM + 1, 2 * RIM + 1), np.uint8))
    rim = region.mask & (eroded[1:-1, 1:-1] == 0)
    ratio = float(np.log((_edges(views.old, region)[rim].mean() + 5) / (_edges(views.new, region)[rim].mean() + 5)))
    if abs(ratio) < CLEAR:
        return UNTOLD
    return "vanish" if ratio > 0 else "emerge"


def _edges(picture: Picture, region: Region) -> NDArray[np.float32]:
    """Length of the gradient, levels."""
    grey = cv2.cvtColor(np.ascontiguousarray(picture[region.part][..., :3]), cv2.COLOR_RGB2GRAY)
    length: NDArray[np.float32] = cv2.magnitude(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    return length


def _alike(gone: Region, new: Region, views: Views) -> bool:
    """Whether the old content of one region is found, afterwards, at the place of another."""
    height, width = gone.mask.shape
    rows, columns = new.part
    y, x = (rows.start + rows.stop - height) // 2, (columns.start + columns.stop - width) // 2
    room = 8 + max(abs(height - (rows.stop - rows.start)), abs(width - (columns.stop - columns.start))) // 2
    scene = views.new[max(0, y - room) : y + height + room, max(0, x - room) : x + width + room, :3]
    return float(likeness(views.old[gone.part][..., :3], gone.mask, scene).max()) > ALIKE
