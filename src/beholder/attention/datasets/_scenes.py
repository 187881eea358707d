"""Pictures with known salient places: scikit-image's free photographs, and displays in which one thing is odd.

What is salient in a photograph was marked by hand, once, by whoever wrote this: it is an opinion, not data.
"""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from beholder.attention.people.controls import Shape
from beholder.errors import Misuse

PX_PER_DEG = 16.0  # chosen: the displays are then 24 x 18 degrees
DISPLAY: Shape = (288, 384)
CELL = 48  # px between the things of a display

Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class Blob:
    """A salient place: its centre in shares of width and height, its standard deviation in degrees, its weight."""

    x: float
    y: float
    spread: float
    weight: float


@dataclass(frozen=True)
class Scene:
    """A picture and what is salient in it."""

    kind: str  # photograph, pop-out, featureless
    shape: Shape
    blobs: tuple[Blob, ...] = ()


def _photograph(shape: Shape, *blobs: tuple[float, float, float, float]) -> Scene:
    return Scene("photograph", shape, tuple(Blob(*blob) for blob in blobs))


# Sizes are those of the files with the longer side at 384 px.
SCENES: dict[str, Scene] = {
    "astronaut": _photograph(
        (384, 384),
        (0.44, 0.24, 0.9, 0.55),  # face
        (0.80, 0.30, 1.0, 0.15),  # shuttle
        (0.77, 0.85, 1.0, 0.10),  # helmet
        (0.33, 0.75, 0.7, 0.12),  # badge
        (0.59, 0.70, 0.6, 0.08),  # name
    ),
    "camera": _photograph(
        (384, 384),
        (0.46, 0.22, 0.8, 0.45),  # head
        (0.57, 0.31, 0.7, 0.30),  # camera
        (0.83, 0.30, 0.6, 0.10),  # tower
        (0.45, 0.41, 0.7, 0.15),  # hand
    ),
    "chelsea": _photograph(
        (255, 384),
        (0.38, 0.39, 0.8, 0.40),  # the cat's right eye
        (0.71, 0.455, 0.7, 0.32),  # left eye
        (0.58, 0.81, 0.8, 0.28),  # nose
    ),
    "coffee": _photograph(
        (256, 384),
        (0.49, 0.36, 1.2, 0.50),  # coffee
        (0.61, 0.70, 0.8, 0.30),  # spoon
        (0.38, 0.66, 0.8, 0.20),  # handle
    ),
    "coins": _photograph(
        (303, 384),
        (0.87, 0.145, 0.8, 0.25),
        (0.90, 0.61, 0.9, 0.25),
        (0.55, 0.63, 0.7, 0.20),
        (0.70, 0.39, 0.7, 0.15),
        (0.12, 0.85, 0.8, 0.15),
    ),
    "moon": _photograph(
        (384, 384),
        (0.24, 0.17, 0.8, 0.45),  # bright crater
        (0.50, 0.85, 0.9, 0.25),  # dark ground
        (0.69, 0.22, 0.9, 0.30),  # dark crater
    ),
    "rocket": _photograph(
        (256, 384),
        (0.50, 0.37, 0.7, 0.35),  # tip
        (0.50, 0.63, 0.9, 0.25),  # body
        (0.57, 0.93, 0.6, 0.20),  # lights
        (0.305, 0.925, 0.6, 0.10),
        (0.70, 0.51, 0.7, 0.10),  # tower
    ),
    "grass": Scene("featureless", (384, 384)),
    "noise": Scene("featureless", DISPLAY),
    "odd_colour": Scene("pop-out", DISPLAY, (Blob(0.6875, 0.25, 0.5, 1.0),)),
    "odd_orientation": Scene("pop-out", DISPLAY, (Blob(0.1875, 0.5833, 0.5, 1.0),)),
    "odd_size": Scene("pop-out", DISPLAY, (Blob(0.8125, 0.75, 0.5, 1.0),)),
}


def pixels(name: str, seed: int) -> Pixels:
    """The picture of a scene."""
    scene = SCENES[name]
    if name == "noise":
        rng = np.random.default_rng([seed, crc32(name.encode())])
        return np.clip(rng.normal(128, 25, scene.shape), 0, 255).astype(np.uint8)
    return _display(name, scene, seed) if scene.kind == "pop-out" else _shrunk(name, scene.shape)


def _shrunk(name: str, shape: Shape) -> Pixels:
    """One of scikit-image's photographs."""
    from PIL import Image
    from skimage import data

    try:
        whole = getattr(data, name)()
    except (OSError, ImportError) as fault:  # scikit-image then wants to fetch it and cannot
        raise Misuse(
            f"got no photograph {name!r} from scikit-image ({fault}); expected it among its data files; install the "
            "wheel of scikit-image 0.24 or later"
        ) from fault
    return np.asarray(Image.fromarray(whole).resize(shape[::-1], Image.Resampling.LANCZOS))


def _display(name: str, scene: Scene, seed: int) -> Pixels:
    """Bars on a grid, each a little out of its place; one of them is odd."""
    rng = np.random.default_rng([seed, crc32(name.encode())])
    height, width = scene.shape
    odd = scene.blobs[0]
    cover, red = np.zeros(scene.shape), np.zeros(scene.shape)
    for y in range(CELL // 2, height, CELL):
        for x in range(CELL // 2, width, CELL):
            is_odd = abs(x - odd.x * width) < 1 and abs(y - odd.y * height) < 1
            bar = _bar(scene.shape, np.array([x, y]) + rng.uniform(-4, 4, 2), name if is_odd else "")
            cover = np.maximum(cover, bar)
            red = np.maximum(red, bar) if is_odd and name == "odd_colour" else red
    grey, green, hot = np.array([128, 128, 128]), np.array([70, 170, 70]), np.array([215, 60, 50])
    ink = np.where(red[..., None] > 0, hot, green)
    return np.asarray(np.rint(grey + cover[..., None] * (ink - grey)), np.uint8)


def _bar(shape: Shape, centre: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    """How much of each pixel an upright bar of 24 x 7 px covers; an odd one lies, or is larger."""
    long, thin = (36.0, 12.0) if name == "odd_size" else (24.0, 7.0)
    angle = np.pi / 2 if name == "odd_orientation" else 0.0
    y, x = np.mgrid[: shape[0], : shape[1]] + 0.5
    dx, dy = x - centre[0], y - centre[1]
    across = np.abs(dx * np.cos(angle) + dy * np.sin(angle))
    along = np.abs(dy * np.cos(angle) - dx * np.sin(angle))
    return np.asarray(np.clip(thin / 2 - across + 0.5, 0, 1) * np.clip(long / 2 - along + 0.5, 0, 1))
