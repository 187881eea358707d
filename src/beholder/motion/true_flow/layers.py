"""Textured layers that move over one another: two frames, with flow and occlusion in closed form.

A layer is an outline and a texture that both move by one affine map. The flow of a pixel is that of the front layer
there; the pixel is matched if, where it goes, the second frame shows the same layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.errors import Misuse
from beholder.motion.true_flow.types import Mask, Vectors

Floats = NDArray[np.float64]
Shape = tuple[int, int]

FINER = 2  # samples per pixel and axis: edges between layers are drawn that much finer, and averaged


@dataclass(frozen=True, eq=False)
class Layer:
    """A patch with a wavy outline around `centre`, or, with an infinite radius, a ground without one."""

    texture: str  # a photograph of scikit-image
    offset: Floats  # (2,): the place of the texture that lies at the origin, px
    motion: Floats  # (2, 3): where a point x of the first frame goes: M x + t
    centre: Floats  # (2,): x, y in the first frame
    radius: float = np.inf
    waves: tuple[int, float, float] = (3, 0.0, 0.0)  # of the outline: their number, height (share of radius), phase

    def moved(self, points: Floats) -> Floats:
        """Where points of the first frame are in the second."""
        return np.asarray(points @ self.motion[:, :2].T + self.motion[:, 2])

    def origin(self, points: Floats) -> Floats:
        """Where points of the second frame were in the first."""
        return np.asarray((points - self.motion[:, 2]) @ np.linalg.inv(self.motion[:, :2]).T)

    def covers(self, points: Floats) -> Mask:
        """Which points of the first frame lie on it."""
        if np.isinf(self.radius):
            return np.ones(points.shape[:-1], np.bool_)
        away = points - self.centre
        distance = np.hypot(away[..., 0], away[..., 1])
        count, height, phase = self.waves
        found = distance < self.radius * (1 + height)  # no wave goes further
        x, y = away[found].T
        found[found] = distance[found] < self.radius * (1 + height * np.cos(count * np.arctan2(y, x) + phase))
        return np.asarray(found)


def frames(layers: Sequence[Layer], shape: Shape) -> NDArray[np.uint8]:
    """Both frames in colours, (2, H, W, 3); the layers stand from back to front."""
    return np.stack([_drawn(layers, shape, second=second) for second in (False, True)])


def flow(layers: Sequence[Layer], shape: Shape) -> tuple[Vectors, Mask]:
    """The true flow of the first frame, (H, W, 2), and which pixels the second frame shows too."""
    points = grid(shape)
    front = _front(layers, points, second=False)
    found, matched = np.zeros_like(points), np.zeros(shape, np.bool_)
    for at, layer in enumerate(layers):
        here = front == at
        ends = layer.moved(points[here])
        inside = ((ends > -0.5) & (ends < np.array(shape[::-1]) - 0.5)).all(axis=-1)
        found[here] = ends - points[here]
        matched[here] = inside & (_front(layers, ends, second=True) == at)
    return found.astype(np.float32), matched


def grid(shape: Shape, finer: int = 1) -> Floats:
    """x and y of every pixel, (H, W, 2), or of `finer` × `finer` samples in each."""
    rows, columns = ((np.arange(side * finer) + 0.5) / finer - 0.5 for side in shape)
    return np.stack(np.meshgrid(columns, rows), axis=-1)


def _front(layers: Sequence[Layer], points: Floats, *, second: bool) -> NDArray[np.intp]:
    """The number of the layer that a frame shows at each point."""
    found = np.zeros(points.shape[:-1], np.intp)
    for at, layer in enumerate(layers):
        found[layer.covers(layer.origin(points) if second else points)] = at
    return found


def _drawn(layers: Sequence[Layer], shape: Shape, *, second: bool) -> NDArray[np.uint8]:
    points = grid(shape, FINER)
    front = _front(layers, points, second=second)
    fine = np.zeros((*points.shape[:2], 3), np.float32)
    for at, layer in enumerate(layers):
        here = front == at
        fine[here] = _sampled(layer, layer.origin(points[here]) if second else points[here])
    return np.asarray(np.rint(_pooled(fine)), np.uint8)


def _pooled(fine: NDArray[np.float32]) -> NDArray[np.float32]:
    height, width = fine.shape[0] // FINER, fine.shape[1] // FINER
    return np.asarray(fine.reshape(height, FINER, width, FINER, 3).mean(axis=(1, 3)))


def _sampled(layer: Layer, points: Floats) -> NDArray[np.float32]:
    """The texture at points of the layer, (n, 3): cubic between its pixels, mirrored at its border."""
    import cv2

    rows = 30_000  # OpenCV takes no more than 32,767 in one column
    at = (points + layer.offset).astype(np.float32)
    parts = [
        cv2.remap(photograph(layer.texture), some[:, None, :], None, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT_101)
        for some in np.split(at, range(rows, len(at), rows))
        if len(some)
    ]
    return np.concatenate([part.reshape(-1, 3) for part in parts] or [np.zeros((0, 3))]).clip(0, 255).astype(np.float32)


@lru_cache(maxsize=8)
def photograph(name: str) -> NDArray[np.float32]:
    """A photograph of scikit-image's wheel, in colours (H, W, 3)."""
    from skimage import data

    try:
        whole: NDArray[Any] = np.asarray(getattr(data, name)())
    except (OSError, ImportError) as fault:  # scikit-image then wants to fetch it and cannot
        raise Misuse(
            f"got no photograph {name!r} from scikit-image ({fault}); expected it among its data files; install the "
            "wheel of scikit-image 0.24 or later"
        ) from fault
    colours = np.repeat(whole[..., None], 3, axis=2) if whole.ndim == 2 else whole[..., :3]
    return np.ascontiguousarray(colours, np.float32)
