"""Cut-outs with soft edges, and how one is drawn into a frame between its pixels."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.scenes.paths import Similarity
from beholder.video.scenes.textures import Colours

Canvas = NDArray[np.float32]  # (h, w, 3), levels
SOFT = 2.0  # px over which an edge fades


class Sprite(NamedTuple):
    """A cut-out: its colours times its cover, and its cover, 0 … 1, in one array (h, w, 4)."""

    layers: NDArray[np.float32]

    @property
    def centred(self) -> Similarity:
        """Moves its middle to 0."""
        height, width = self.layers.shape[:2]
        return Similarity(1, -complex((width - 1) / 2, (height - 1) / 2))


def cut(colours: Colours, cover: NDArray[np.float32]) -> Sprite:
    """A cut-out of some colours."""
    return Sprite(np.dstack([colours * cover[..., None], cover]).astype(np.float32))


def grid(side: int, radius: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """x and y of a square's pixels from its middle, in shares of a radius in px."""
    at = ((np.arange(side) - (side - 1) / 2) / radius).astype(np.float32)
    x, y = np.meshgrid(at, at)
    return x, y


def faded(distance: NDArray[Any], radius: float, soft: float = SOFT) -> NDArray[np.float32]:
    """Cover from the signed distance to an outline, in shares of a radius in px: 1 inside, 0 outside."""
    return np.asarray(np.clip(0.5 - distance * radius / soft, 0, 1), np.float32)


def outline(shape: str, side: int, radius: float) -> NDArray[np.float32]:
    """The cover of a disc, square, triangle or star that fits into a circle."""
    x, y = grid(side, radius)
    if shape == "disc":
        return faded(np.hypot(x, y) - 1, radius)
    if shape == "square":
        return faded(np.maximum(np.abs(x), np.abs(y)) - math.sqrt(0.5), radius)
    if shape == "triangle":
        edges = [x * math.sin(a) - y * math.cos(a) - 0.5 for a in (math.pi, math.pi / 3, -math.pi / 3)]
        return faded(np.maximum.reduce(edges), radius)
    if shape == "star":
        edge = 0.72 + 0.26 * np.cos(5 * np.arctan2(x, -y))
        return faded(0.7 * (np.hypot(x, y) - edge), radius)
    raise ValueError(f"got the shape {shape!r}; expected disc, square, triangle or star")


def shape_sprite(shape: str, colours: Colours, radius: float) -> Sprite:
    """A textured shape of a radius in px; the texture is taken as it is."""
    side = 2 * math.ceil(radius + SOFT) + 2
    return cut(cv2.resize(colours, (side, side), interpolation=cv2.INTER_AREA), outline(shape, side, radius))


def draw(
    canvas: Canvas, sprite: Sprite, matrix: NDArray[np.float64], *, opacity: float = 1.0, grain: Grain | None = None
) -> None:
    """Draw a cut-out onto a canvas; `matrix` (2 x 3) leads from its pixels to the canvas'."""
    height, width = sprite.layers.shape[:2]
    corners = matrix @ np.array([[-1, width, width, -1], [-1, -1, height, height], [1, 1, 1, 1]])
    left, top = np.maximum(np.floor(corners.min(1)).astype(int), 0)
    right, bottom = np.minimum(np.ceil(corners.max(1)).astype(int) + 1, canvas.shape[1::-1])
    if right <= left or bottom <= top or opacity <= 0:
        return
    moved = matrix - np.array([[0, 0, left], [0, 0, top]])
    seen = cv2.warpAffine(sprite.layers, moved, (int(right - left), int(bottom - top)), flags=cv2.INTER_LINEAR)
    cover = seen[..., 3:] * np.float32(opacity)
    ink = seen[..., :3] * np.float32(opacity)
    if grain is not None:
        ink += cover * grain.of(ink.shape)
    part = canvas[top:bottom, left:right]
    part *= 1 - cover
    part += ink


class Grain(NamedTuple):
    """The sensor's noise on what is drawn."""

    spread: float  # levels
    rng: np.random.Generator

    def of(self, shape: tuple[int, ...]) -> NDArray[np.float32]:
        """The noise of as many pixels."""
        return self.rng.standard_normal(shape, np.float32) * np.float32(self.spread)
