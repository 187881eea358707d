"""What moves against the background: segments of one pair of frames, followed as whole objects from pair to pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.evidence import Track
from beholder.video.readouts.flow import CLOSE, Field, Pair, places
from beholder.video.types import Floats

Labels = NDArray[np.int32]
Mask = NDArray[np.bool_]

COARSE = 2  # px: flow is read at every second pixel; DIS itself steps by 3 to 4
LEAST = 0.35 / 367  # diagonals: less residual motion is the noise of flow; 0.35 px of 320 × 180
USUAL = 1 / 12  # s between analysed frames
SMALLEST = 0.0015  # share of the frame: a disc of 6 px radius in 320 × 180
OVERLAP = 0.3  # of the smaller of two segments: as much must be shared by the same object
PATIENCE = 0.25  # s: an object that pauses for so long is still the same
BORDER = 4  # px: flow so near to the border is a guess
SEEN = 0.05  # share of the frame: with less trusted flow (a cut, chaos) nothing can be said to move on its own
BRIEFEST = 2  # pairs: what moves in one pair alone is a glitch of flow


class Moving(NamedTuple):
    """The segments of one pair, on the coarse grid of its first frame."""

    labels: Labels  # 0: background
    residual: Field  # px: motion that the camera does not explain
    trusted: Mask  # flow that agrees with its way back and stays in the frame


def moving(pair: Pair, diagonal: float, step: float = USUAL) -> Moving:
    """Segments whose motion differs from the camera's by more than noise: max(0.35 px, median + 3 MAD).

    Over a longer `step` (seconds) the 0.35 px grow with it, so that what moves at 8 frames/s moves at 12, too. What the
    camera carries out of the frame has no flow to be trusted, and cannot be told to move on its own.
    """
    coarse = np.ascontiguousarray(pair.forward[::COARSE, ::COARSE])
    size = (pair.forward.shape[1], pair.forward.shape[0])
    grid = _grid((coarse.shape[0], coarse.shape[1]))
    carried: Field = cv2.perspectiveTransform(grid, pair.homography)
    residual: Field = grid + coarse - carried
    length = cv2.magnitude(*cv2.split(residual))
    trusted = agrees(grid + coarse, coarse, pair.backward)
    known = length[trusted]
    if known.size < SEEN * length.size:
        return Moving(np.zeros(length.shape, np.int32), residual, trusted)
    middle = float(np.median(known))
    spread = 1.4826 * float(np.median(np.abs(known - middle)))
    least = LEAST * diagonal * max(1.0, step / USUAL)
    mask = (length > max(least, middle + 3 * spread)) & _inside(carried, size, BORDER)
    return Moving(_components(mask), residual, trusted)


@lru_cache(maxsize=4)
def _grid(shape: tuple[int, int]) -> Field:
    """The (x, y), in px of the frame, of every place of the coarse grid."""
    grid = COARSE * places(shape)
    grid.flags.writeable = False
    return grid


def agrees(moved: Field, coarse: Field, backward: Field) -> Mask:
    """Where going forth and back ends within a px of the start, without leaving the frame."""
    back = cv2.remap(backward, moved, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    gap = np.abs(coarse + back)
    size = (backward.shape[1], backward.shape[0])
    agrees: Mask = _inside(moved, size, 0) & (gap[..., 0] < CLOSE) & (gap[..., 1] < CLOSE)
    return agrees


def _inside(points: Field, size: tuple[int, int], margin: float) -> Mask:
    """Which points lie in a frame of this width and height, so many px from its border."""
    x, y = points[..., 0], points[..., 1]
    width, height = size
    inside: Mask = (x >= margin) & (y >= margin) & (x <= width - 1 - margin) & (y <= height - 1 - margin)
    return inside


def _components(mask: Mask) -> Labels:
    """Connected parts of a mask, specks and slits removed."""
    whole = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    whole = cv2.morphologyEx(whole, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(whole, connectivity=8)
    large = stats[:, cv2.CC_STAT_AREA] >= SMALLEST * mask.size
    large[0] = False
    names = np.cumsum(large) * large
    found: Labels = names[labels].astype(np.int32)
    return found


@dataclass
class Follower:
    """Gives the segments of successive pairs lasting names: the same object, the same name."""

    known: Labels | None = None  # by name, where each object is expected in the next frame
    seen: dict[int, float] = field(default_factory=dict)  # when it last moved
    count: int = 0

    def name(self, labels: Labels, seconds: float) -> Labels:
        """The labels of one pair, renamed: by the object they overlap most where it was expected."""
        known = np.zeros_like(labels) if self.known is None else self.known
        names = np.zeros(int(labels.max()) + 1, np.int32)
        for label, name in _matched(labels, known).items():
            names[label] = name
        for label in (np.flatnonzero(names[1:] == 0) + 1).tolist():
            self.count += 1
            names[label] = self.count
        self.seen.update(dict.fromkeys(names[1:].tolist(), seconds))
        return names[labels]

    def expect(self, named: Labels, pair: Pair, seconds: float) -> None:
        """Move all objects with the flow to the next frame; those that have not moved for long are forgotten."""
        kept = named
        if self.known is not None:
            lately = np.zeros(self.count + 1, bool)
            lately[[n for n, last in self.seen.items() if seconds - last <= PATIENCE]] = True
            kept = np.where((named == 0) & lately[self.known], self.known, named)
        self.known = _carried(kept, pair.backward)


def _matched(labels: Labels, known: Labels) -> dict[int, int]:
    """Which label is which known object: the largest overlaps first, each at most once."""
    both = (labels > 0) & (known > 0)
    if not both.any():
        return {}
    width = int(known.max()) + 1
    shared = np.bincount(labels[both].astype(np.int64) * width + known[both], minlength=0)
    sizes, sizes_known = np.bincount(labels.ravel()), np.bincount(known.ravel())
    found: dict[int, int] = {}
    for code in np.argsort(-shared, kind="stable"):
        label, name = divmod(int(code), width)
        if shared[code] == 0:
            break
        if shared[code] < OVERLAP * min(sizes[label], sizes_known[name]) or label in found or name in found.values():
            continue
        found[label] = name
    return found


def followed(field: Field, pair: Pair) -> Field:
    """A coarse field of the second frame, brought back to where its pixels were in the first."""
    at = (_grid((field.shape[0], field.shape[1])) + pair.forward[::COARSE, ::COARSE]) / COARSE
    found: Field = cv2.remap(field, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return found


def _carried(labels: Labels, backward: Field) -> Labels:
    """Labels of the first frame, found in the second by where its pixels came from."""
    came = (_grid(labels.shape) + backward[::COARSE, ::COARSE]) / COARSE
    found: Labels = cv2.remap(
        labels.astype(np.float32), came, None, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.int32)
    return found


def tracks(named: Sequence[Labels], times: Floats) -> tuple[Track, ...]:
    """The objects that move in at least two pairs: when, where, how large. `times` are those of each first frame."""
    rows: dict[int, list[tuple[float, ...]]] = {}
    for labels, seconds in zip(named, times, strict=True):
        for name, row in _outlines(labels).items():
            rows.setdefault(name, []).append((seconds, *row))
    least = min(BRIEFEST, len(named))
    lasting = [np.array(found) for found in rows.values() if len(found) >= least]
    return tuple(Track(found[:, 0], found[:, 1:5], found[:, 5]) for found in lasting)


def lasting(named: Sequence[Labels]) -> NDArray[np.bool_]:
    """By name: whether an object moves in at least two pairs, or in all there are."""
    most = max((int(labels.max()) for labels in named), default=0)
    counts = np.zeros(most + 1, int)
    for labels in named:
        counts[np.unique(labels)] += 1
    counts[0] = 0
    long: NDArray[np.bool_] = counts >= min(BRIEFEST, max(1, len(named)))
    return long


def _outlines(labels: Labels) -> dict[int, tuple[float, ...]]:
    """By name: left, top, right, bottom as shares of the frame, and area."""
    height, width = labels.shape
    found: dict[int, tuple[float, ...]] = {}
    for name in np.unique(labels[labels > 0]).tolist():
        x, y, w, h = cv2.boundingRect((labels == name).astype(np.uint8))
        area = float(np.mean(labels == name))
        found[name] = (x / width, y / height, (x + w) / width, (y + h) / height, area)
    return found
