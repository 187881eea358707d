"""Regions of a frame that are replaced at once, and what tells a fault from a harmless change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.evidence import Box
from beholder.video.readouts.flow import places
from beholder.video.readouts.local_frames import WHOLE, Picture, Scale
from beholder.video.readouts.local_mismatch import Change, Map, fetch
from beholder.video.readouts.local_search import Mask, Region, nearby, still_there

APART = 1.5  # px: flow whose way back ends further off is torn

Part = tuple[slice, slice]


class Moment(NamedTuple):
    """One change between two frames, with those before and after it where there are any."""

    start: float  # seconds, of the first frame
    end: float  # of the second
    before: Change | None
    here: Change
    after: Change | None
    pause: float = 1.0  # how much longer it lasts than the longer of its neighbours

    @property
    def around(self) -> tuple[Change, ...]:
        """The changes before and after."""
        return tuple(change for change in (self.before, self.after) if change)

    @property
    def unrest(self) -> float:
        """The larger share of the frame that is replaced just before or just after."""
        return max((change.share for change in self.around), default=0.0)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A region that is replaced at once. Means are over the region; r is a mismatch; found means a correlation."""

    region: Region
    box: Box
    start: float  # seconds, of the frame before
    end: float  # of the frame after
    radius: float  # of the largest disc in it, diagonals
    ragged: float  # its area, of that disc's
    area: float  # share of the frame
    margin: float  # between its box and the border of the frame, diagonals
    before: float  # r of the change before; where there is none, that of the change after
    after: float  # r of the change after, likewise
    misfit: float  # levels
    contrast: float  # levels: the larger of old and new
    torn: float  # share of it where flow and its way back disagree
    motion: float  # against the background, just before or after, diagonals per pair of frames
    inliers: float  # share of the flow that the camera's motion explains
    unrest: float  # share of the frame that is replaced just before or after
    sided: bool  # whether it stands at the beginning or the end of a clip
    stays: float = 0.0  # how well the old content is found in place afterwards; 0 until `sought`
    goes: float = 0.0  # the same nearby
    comes: float = 0.0  # how well the new content is found nearby before
    history: float = 1.0  # how well the old content is found one frame earlier, and the new one later: their mean
    unmixed: float = 0.0  # how far the frames in between are not a mixture of old and new; of slow changes only


class Maps(NamedTuple):
    """What is known of each pixel of a moment, on its first frame."""

    excess: Map  # S
    before: Map  # r
    after: Map


def maps(moment: Moment) -> Maps:
    """S = min(r_f, r_b) − max(r before, r after): how much worse a change is explained than its neighbours."""
    here = moment.here
    before = moment.before.come if moment.before else None
    after = fetch(moment.after.lost, here.camera) if moment.after else None
    none = np.zeros_like(here.both)
    known = [one for one in (before, after) if one is not None] or [none]
    first, last = known[0], known[-1]
    return Maps(here.both - np.maximum(first, last), first, last)


def candidates(moment: Moment, seen: Maps, scale: Scale = WHOLE) -> Iterator[Candidate]:
    """All regions of a moment that are thick enough."""
    found = ((seen.excess > scale.sharp) & (moment.here.misfit > scale.visible)).astype(np.uint8)
    if not found.any():
        return
    opened = cv2.morphologyEx(found, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    for region, radius in thick(closed, scale.thick * float(np.hypot(*closed.shape))):
        yield _candidate(moment, seen, region, radius)


def thick(binary: NDArray[np.uint8], least: float) -> Iterator[tuple[Region, float]]:
    """The components of a binary map that hold a disc of at least some radius, with the radius of the largest."""
    padded = cv2.copyMakeBorder(binary, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    depth = cv2.distanceTransform(padded, cv2.DIST_L2, 3)[1:-1, 1:-1]
    if depth.max() < least:
        return
    _, labels, stats, _ = cv2.connectedComponentsWithStats(binary)
    for label, (left, top, width, height, area) in enumerate(stats[1:], 1):
        if area > least**2:
            part = np.s_[top : top + height, left : left + width]
            mask = labels[part] == label
            radius = float(depth[part][mask].max())
            if radius >= least:
                yield Region(int(left), int(top), mask), radius


def _candidate(moment: Moment, seen: Maps, region: Region, radius: float) -> Candidate:
    here, part, mask = moment.here, region.part, region.mask
    rows, columns = here.lost.shape
    diagonal = float(np.hypot(rows, columns))
    left, top, right, bottom = region.left, region.top, part[1].stop, part[0].stop
    return Candidate(
        region=region,
        box=(left / columns, top / rows, right / columns, bottom / rows),
        start=moment.start,
        end=moment.end,
        radius=radius / diagonal,
        ragged=float(mask.sum()) / (np.pi * radius**2),
        area=float(mask.sum()) / (rows * columns),
        margin=min(left, top, columns - right, rows - bottom) / diagonal,
        before=float(seen.before[part][mask].mean()),
        after=float(seen.after[part][mask].mean()),
        misfit=float(here.misfit[part][mask].mean()),
        contrast=max(_contrast(here.first, part, mask), _contrast(here.second, part, mask)),
        torn=_torn(here, part, mask),
        motion=max((_speed(change, part, mask) for change in moment.around), default=0.0) / diagonal,
        inliers=here.pair.inliers,
        unrest=moment.unrest,
        sided=len(moment.around) < 2,
    )


def _contrast(picture: Picture, part: Part, mask: Mask) -> float:
    return float(picture[part][mask][:, 3].mean())


def _speed(change: Change, part: Part, mask: Mask) -> float:
    """Mean speed against the background, px per pair of frames."""
    own = (change.pair.forward[part] - change.drift[part])[mask]
    return float(np.hypot(own[:, 0], own[:, 1]).mean())


def _torn(change: Change, part: Part, mask: Mask) -> float:
    """Share of a region whose flow does not lead back."""
    forward = change.pair.forward[part]
    offset = np.array([part[1].start, part[0].start], np.float32)
    way = places((forward.shape[0], forward.shape[1])) + offset + forward
    back = cv2.remap(change.pair.backward, way, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return float((np.abs(forward + back).max(axis=2) > APART)[mask].mean())


class Views(NamedTuple):
    """The frames around a moment, brought to its first frame by the camera's motion."""

    old: Picture
    new: Picture
    earlier: Picture | None
    later: Picture | None

    @classmethod
    def of(cls, moment: Moment) -> Views:
        """Those of a moment."""
        here, before, after = moment.here, moment.before, moment.after
        return cls(
            here.first,
            brought(here.second, here.pair.homography),
            brought(before.first, before.pair.back) if before else None,
            brought(after.second, after.pair.homography @ here.pair.homography) if after else None,
        )


def brought(picture: Picture, matrix: NDArray[np.float64]) -> Picture:
    """A later or earlier picture as it is seen from another place of the camera."""
    size = (picture.shape[1], picture.shape[0])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    found: Picture = cv2.warpPerspective(picture, matrix, size, flags=how, borderMode=cv2.BORDER_REPLICATE)
    return found


def sought(candidate: Candidate, views: Views) -> Candidate:
    """The candidate after its old and its new content were looked for in the frames around."""
    region = candidate.region
    stays = still_there(region, views.old, views.new)
    past = nearby(region, views.old, views.earlier) if views.earlier is not None else None
    future = nearby(region, views.new, views.later) if views.later is not None else None
    known = [one for one in (past, future) if one is not None]
    return replace(
        candidate,
        stays=stays,
        goes=max(stays, nearby(region, views.old, views.new)),
        comes=max(stays, nearby(region, views.new, views.old)),
        history=float(np.mean(known)) if known else 0.0,
    )
