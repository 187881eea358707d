"""Bodies that lose their form: bones that pulse, surfaces that wobble; and limbs that are merely fast."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.corruptions.following import camera_path, steadied
from beholder.video.corruptions.pasted import GRAIN, levels
from beholder.video.corruptions.plans import Take
from beholder.video.scenes.figure import Figure, Pulse, drawer
from beholder.video.scenes.paths import Course
from beholder.video.scenes.rendering import onto, seen
from beholder.video.scenes.sprites import Grain
from beholder.video.skeletons import FIGURE
from beholder.video.types import Bytes, Clip

STRETCH = 0.08  # of a bone's length per severity, both ways
PULSE = (0.8, 1.3)  # s
FASTER = 0.3  # per severity
LIMBS = tuple(f"{side}_{part}" for side in ("left", "right") for part in ("upper_arm", "forearm", "thigh", "shin"))
AMPLITUDE = 0.7 / 367  # diagonals per severity: 0.7 px at 320 x 180
ELLIPSE = (0.2, 0.3)  # half axes, shares of the short side
WAVELENGTH = (0.18, 0.31)  # shares of the short side: 32 to 56 px at 180
PERIOD = (0.4, 0.65)  # s: five to eight frames at 12/s


def limb_stretch(take: Take, severity: int) -> Clip:
    """A walking or waving figure over the clip; two of its bones grow and shrink. Its true keypoints come with it."""
    rng = take.rng("pulses")
    bones = [LIMBS[n] for n in rng.permutation(len(LIMBS))[:2]]
    pulses = tuple(
        Pulse(bone, STRETCH * severity, float(rng.uniform(*PULSE)), float(rng.uniform(0, 2 * math.pi)))
        for bone in bones
    )
    return _with_figure(take, replace(_figure(take), pulses=pulses))


def fast_limbs(take: Take, severity: int) -> Clip:
    """The same figure, sound, whose limbs move 1 + 0.3 times the severity as fast."""
    figure, factor = _figure(replace(take, kind="limb_stretch")), 1 + FASTER * severity
    return _with_figure(take, replace(figure, gait=figure.gait * factor, wave=figure.wave * factor))


def _figure(take: Take) -> Figure:
    """Someone who walks on the spot or waves, in the middle of the frame."""
    rng = take.rng("figure")
    short = min(take.size) / take.diagonal
    middle = complex(rng.uniform(-0.15, 0.15), rng.uniform(-0.02, 0.02) * short)
    path = Course(((0.0, middle), (1.0, middle + rng.uniform(-0.02, 0.02))))
    gait, wave = rng.uniform(0.65, 0.85), rng.uniform(0.7, 0.9) * rng.integers(2)
    return Figure(
        float(rng.uniform(0.72, 0.82) * short),
        path,
        facing=int(rng.choice([-1, 1])),
        gait=float(gait),
        stride=19.0,
        wave=float(wave),
        phase=float(rng.uniform(0, 2 * math.pi)),
        seed=int(rng.integers(1 << 30)),
    )


def _with_figure(take: Take, figure: Figure) -> Clip:
    draws = drawer(figure, take.diagonal)
    sway = steadied(camera_path(take.clip))
    frames, places = [], []
    for frame, t in enumerate(take.times):
        view = sway[frame].after(onto(take.size))
        points = figure.keypoints(float(t))
        canvas = take.pixels[frame].astype(np.float32)
        draws(canvas, points, view, Grain(GRAIN, np.random.default_rng([take.seed, frame])))
        frames.append(levels(canvas))
        places.append([view(points[name]) for name in FIGURE.points])
    return replace(take.with_pixels(np.stack(frames)), poses=(seen(np.array(places), take.size),))


def wobble(take: Take, severity: int) -> Clip:
    """Two crossed waves run through an ellipse of the frame, where it is textured."""
    rng = take.rng()
    height, width = take.size
    half = rng.uniform(*ELLIPSE, 2) * min(take.size)
    lengths, periods = rng.uniform(*WAVELENGTH, 2) * min(take.size), rng.uniform(*PERIOD, 2)
    phases = rng.uniform(0, 2 * np.pi, 2)
    near = np.minimum(half + 2, np.array([width, height]) / 2)
    middle = _textured(take.pixels, rng.uniform(near, np.array([width, height]) - near, (8, 2)), half)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    inside = np.maximum(1 - ((x - middle[0]) / half[0]) ** 2 - ((y - middle[1]) / half[1]) ** 2, 0)
    size = np.float32(AMPLITUDE * severity * take.diagonal) * np.sqrt(inside).astype(np.float32)
    frames = []
    for frame, t in zip(take.pixels, take.times, strict=True):
        right = x + size * np.sin(2 * np.pi * (y / lengths[0] - t / periods[0]) + phases[0]).astype(np.float32)
        down = y + size * np.sin(2 * np.pi * (x / lengths[1] - t / periods[1]) + phases[1]).astype(np.float32)
        frames.append(np.where(inside[..., None] > 0, _fetched(frame, right, down), frame))
    return take.with_pixels(np.stack(frames))


def _fetched(frame: Bytes, right: NDArray[np.float32], down: NDArray[np.float32]) -> Bytes:
    found = cv2.remap(frame, right, down, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(found, np.uint8)


def _textured(pixels: Bytes, places: NDArray[np.float64], half: NDArray[np.float64]) -> NDArray[np.float64]:
    """The place whose surroundings have the most contrast in mid-clip: on a bare wall nobody sees a wobble."""
    grey = cv2.cvtColor(pixels[len(pixels) // 2], cv2.COLOR_RGB2GRAY)
    edges = np.abs(cv2.Laplacian(cv2.GaussianBlur(grey, (0, 0), 1.5), cv2.CV_32F))

    def contrast(place: NDArray[np.float64]) -> float:
        (left, top), (right, bottom) = np.maximum(place - half, 0).astype(int), (place + half).astype(int) + 1
        return float(np.minimum(edges[top:bottom, left:right], 12).mean())

    return max(places, key=contrast)
