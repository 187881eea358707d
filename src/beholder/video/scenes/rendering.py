"""Scripts → clips with their true keypoints. Drawn at twice the size and averaged, so that nothing flickers."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.scenes.figure import Figure, drawer
from beholder.video.scenes.paths import Similarity
from beholder.video.scenes.script import Script, Shape
from beholder.video.scenes.sprites import Canvas, Sprite, draw, shape_sprite
from beholder.video.skeletons import FIGURE
from beholder.video.types import Bytes, Clip, Floats, Poses

FINE = 2  # drawn so many times larger
SPAN = 1.0  # diagonals that the background's texture spans before it is mirrored


def render(script: Script, *, rate: float, seconds: float, size: tuple[int, int]) -> Clip:
    """A scene at `rate` frames/s, `size` = height and width; keypoints are shares of the frame, NaN outside of it."""
    count = round(rate * seconds)
    if count < 1 or min(size) < 8:
        raise ValueError(f"got {count} frames of {size}; expected one or more, of at least 8 x 8 px")
    paint = _painter(script, size)
    times = np.arange(count) / rate
    pixels = np.stack([_noisy(paint(float(t)), script, n) for n, t in enumerate(times)])
    return Clip(pixels, rate=rate, poses=tuple(poses(script, figure, times, size) for figure in script.figures))


def onto(size: tuple[int, int], fine: float = 1.0) -> Similarity:
    """From diagonals about the middle of the frame to px."""
    height, width = size[0] * fine, size[1] * fine
    return Similarity(complex(math.hypot(height, width)), complex((width - 1) / 2, (height - 1) / 2))


def poses(script: Script, figure: Figure, times: Floats, size: tuple[int, int]) -> Poses:
    """The true keypoints of a figure at some times."""
    places = []
    for t in map(float, times):
        points = figure.keypoints(t)
        view = onto(size).after(script.camera.view(t))
        places.append([view(points[name]) for name in FIGURE.points])
    return seen(np.array(places), size)


def seen(places: NDArray[np.complex128], size: tuple[int, int]) -> Poses:
    """Keypoints (T, K) in px as poses: those outside the frame are not seen."""
    height, width = size
    points = np.stack([(places.real + 0.5) / width, (places.imag + 0.5) / height], axis=-1)
    inside = np.asarray(((points >= 0) & (points <= 1)).all(-1))
    return Poses(FIGURE, np.where(inside[..., None], points, np.nan), inside.astype(np.float64))


def _painter(script: Script, size: tuple[int, int]) -> Callable[[float], Canvas]:
    """What paints the scene at a time, in px of the clip."""
    fine = onto(size, FINE)
    scale = abs(fine.turn)
    background = script.background.colours(max(16, round(SPAN * scale))).round().astype(np.uint8)
    sprites = [_shape_sprite(shape, scale) for shape in script.shapes]
    bodies = [drawer(figure, scale) for figure in script.figures]

    def paint(t: float) -> Canvas:
        view = fine.after(script.camera.view(t))
        canvas = _ground(background, view, scale, size)
        for _, draws in sorted(_layers(t, view), key=lambda layer: layer[0]):
            draws(canvas)
        return np.asarray(cv2.resize(canvas, size[::-1], interpolation=cv2.INTER_AREA))

    def _layers(t: float, view: Similarity) -> list[tuple[float, Callable[[Canvas], None]]]:
        things: list[tuple[float, Callable[[Canvas], None]]] = []
        for shape, sprite in zip(script.shapes, sprites, strict=True):
            depth = 0.0 if not hasattr(shape.path, "depth") else shape.path.depth(t)
            place = Similarity(np.exp(1j * math.radians(shape.spin * t)) / scale, script.place(shape, t))
            matrix = view.after(place).after(sprite.centred).matrix
            things.append((shape.level + depth, partial(draw, sprite=sprite, matrix=matrix)))
        for figure, body in zip(script.figures, bodies, strict=True):
            things.append((0.5, partial(body, points=figure.keypoints(t), view=view)))
        return things

    return paint


def _shape_sprite(shape: Shape, scale: float) -> Sprite:
    return shape_sprite(shape.outline, shape.texture.colours(), shape.size * scale / 2)


def _ground(background: Bytes, view: Similarity, scale: float, size: tuple[int, int]) -> Canvas:
    """The background as the camera sees it; its texture goes on mirrored."""
    side = len(background)
    texture = Similarity(complex(SPAN / side), complex(-SPAN / 2, -SPAN / 2))
    matrix = view.after(texture).matrix
    whole = cv2.warpAffine(
        background, matrix, (FINE * size[1], FINE * size[0]), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
    )
    return np.asarray(whole, np.float32)


def _noisy(canvas: Canvas, script: Script, frame: int) -> Bytes:
    noise = np.random.default_rng([script.seed, frame]).standard_normal(canvas.shape, np.float32)
    return np.clip(np.rint(canvas + np.float32(script.grain) * noise), 0, 255).astype(np.uint8)
