"""A figure of twelve bones in the plane: it walks, waves and reaches; its keypoints are known at any time."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.scenes.paths import Course, Similarity
from beholder.video.scenes.sprites import Canvas, Grain, Sprite, cut, draw, faded
from beholder.video.scenes.textures import Texture

# Lengths in shares of the figure's height, roughly those of a grown-up.
LENGTHS = {"head": 0.13, "torso": 0.30, "upper_arm": 0.17, "forearm": 0.16, "thigh": 0.24, "shin": 0.23}
WIDTHS = {"head": 0.13, "torso": 0.17, "upper_arm": 0.065, "forearm": 0.055, "thigh": 0.09, "shin": 0.07}
SHOULDER, HIP = 0.035, 0.025  # how far they lie in front of or behind the spine
SWAY = (3.0, 0.45)  # degrees and Hz: nobody stands quite still
SIDES = {"left": -1, "right": 1}  # the right side is the near one


@dataclass(frozen=True)
class Pulse:
    """A fault: a bone that grows and shrinks."""

    bone: str  # such as right_thigh
    size: float  # 0.08: by 8 per cent both ways
    period: float  # s
    phase: float = 0.0

    def at(self, t: float) -> float:
        """How many times its own length the bone has at a time."""
        return 1 + self.size * math.sin(2 * math.pi * t / self.period + self.phase)


@dataclass(frozen=True)
class Figure:
    """Someone seen from the side."""

    height: float  # diagonals
    path: Course  # of the pelvis
    facing: int = 1  # 1 right, -1 left
    gait: float = 0.0  # double steps per second; 0 stands
    stride: float = 21.0  # degrees that a thigh swings to either side
    wave: float = 0.0  # Hz of the right forearm; 0 does not wave
    reach: Course | None = None  # where the right hand goes
    phase: float = 0.0
    seed: int = 0  # of the clothes
    pulses: tuple[Pulse, ...] = ()

    def keypoints(self, t: float) -> dict[str, complex]:
        """Where its points are at a time, in the world."""
        lean = 3.0 * bool(self.gait) + 0.6 * self._swing(t, SWAY[1])
        pelvis = self.path.at(t) + 0.008j * self.height * bool(self.gait) * math.cos(2 * self._phase(t))
        points = {"pelvis": pelvis, "neck": pelvis - self._bone("torso", t, lean)}
        points["head"] = points["neck"] - self._bone("head", t, lean)
        for side, sign in SIDES.items():
            points |= self._leg(side, sign, t, points["pelvis"])
            points |= self._arm(side, sign, t, points["neck"])
        return points

    def _phase(self, t: float) -> float:
        return 2 * math.pi * self.gait * t + self.phase

    def _swing(self, t: float, hertz: float) -> float:
        return SWAY[0] * math.sin(2 * math.pi * hertz * t + self.phase)

    def _bone(self, bone: str, t: float, degrees: float) -> complex:
        """A bone as a step; 0 degrees point down, positive ones forward."""
        length = self._length(bone, t)
        return length * complex(self.facing * math.sin(math.radians(degrees)), math.cos(math.radians(degrees)))

    def _length(self, bone: str, t: float) -> float:
        part = bone.removeprefix("left_").removeprefix("right_")
        return self.height * LENGTHS[part] * math.prod(p.at(t) for p in self.pulses if p.bone == bone)

    def _leg(self, side: str, sign: int, t: float, pelvis: complex) -> dict[str, complex]:
        hip = pelvis + sign * self.facing * HIP * self.height
        thigh = sign * self._swing(t, SWAY[1]) * 0.3
        bend = 4.0
        if self.gait:
            turned = self._phase(t) + (math.pi if sign > 0 else 0)
            thigh = 6 + self.stride * math.sin(turned)
            bend = 5 + 0.65 * self.stride * (1 + math.cos(turned))  # bent most while the leg swings forward
        knee = hip + self._bone(f"{side}_thigh", t, thigh)
        ankle = knee + self._bone(f"{side}_shin", t, thigh - bend)
        return {f"{side}_hip": hip, f"{side}_knee": knee, f"{side}_ankle": ankle}

    def _arm(self, side: str, sign: int, t: float, neck: complex) -> dict[str, complex]:
        shoulder = neck + complex(sign * self.facing * SHOULDER, 0.03) * self.height
        if side == "right" and self.reach is not None:
            elbow, wrist = self._reaching(shoulder, self.reach.at(t), t)
        else:
            upper, lower = self._arm_angles(side, sign, t)
            elbow = shoulder + self._bone(f"{side}_upper_arm", t, upper)
            wrist = elbow + self._bone(f"{side}_forearm", t, lower)
        return {f"{side}_shoulder": shoulder, f"{side}_elbow": elbow, f"{side}_wrist": wrist}

    def _arm_angles(self, side: str, sign: int, t: float) -> tuple[float, float]:
        if side == "right" and self.wave:
            return 115 + self._swing(t, SWAY[1]), 165 + 28 * math.sin(2 * math.pi * self.wave * t + self.phase)
        if self.gait:
            upper = 0.9 * self.stride * math.sin(self._phase(t) + (0 if sign > 0 else math.pi))
            return upper, upper + 18
        upper = sign * 4 + self._swing(t, SWAY[1])
        return upper, upper + 10 + 0.8 * self._swing(t, 1.3 * SWAY[1])

    def _reaching(self, shoulder: complex, place: complex, t: float) -> tuple[complex, complex]:
        """Elbow and wrist of a hand that goes to a place, as far as the arm is long; the elbow hangs down."""
        upper, lower = self._length("right_upper_arm", t), self._length("right_forearm", t)
        span = place - shoulder
        far = min(max(abs(span), 1.02 * abs(upper - lower)), 0.995 * (upper + lower))
        ahead = span / abs(span)
        cosine = (upper**2 + far**2 - lower**2) / (2 * upper * far)
        bent = cmath.exp(1j * math.acos(min(max(cosine, -1), 1)) * self.facing)
        elbow = shoulder + upper * ahead * bent
        return elbow, shoulder + far * ahead


def drawer(figure: Figure, scale: float) -> Callable[..., None]:
    """What draws a figure at `scale` px per diagonal: its clothes are made once.

    It is called as draws(canvas, keypoints, view, grain=None), where `view` leads from the world to the canvas.
    """
    sprites = {name: _limb(figure, part, scale, n) for n, (name, part, _, _) in enumerate(PARTS)}

    def draws(canvas: Canvas, points: dict[str, complex], view: Similarity, grain: Grain | None = None) -> None:
        for name, part, start, end in PARTS:
            length = LENGTHS[part] * figure.height * scale
            matrix = _onto(view(points[start]), view(points[end]), length, abs(view.turn) / scale, sprites[name])
            draw(canvas, sprites[name], matrix, grain=grain)

    return draws


# From back to front: what is drawn, as which part, between which points.
PARTS = (
    ("left_upper_arm", "upper_arm", "left_shoulder", "left_elbow"),
    ("left_forearm", "forearm", "left_elbow", "left_wrist"),
    ("left_thigh", "thigh", "left_hip", "left_knee"),
    ("left_shin", "shin", "left_knee", "left_ankle"),
    ("right_thigh", "thigh", "right_hip", "right_knee"),
    ("right_shin", "shin", "right_knee", "right_ankle"),
    ("torso", "torso", "neck", "pelvis"),
    ("head", "head", "neck", "head"),
    ("right_upper_arm", "upper_arm", "right_shoulder", "right_elbow"),
    ("right_forearm", "forearm", "right_elbow", "right_wrist"),
)
CLOTHES = {"upper_arm": 0, "torso": 0, "thigh": 1, "shin": 1, "forearm": 2, "head": 2}


def _limb(figure: Figure, part: str, scale: float, number: int) -> Sprite:
    """A rod with round ends along x, in px; its colours are a piece of the cloth that belongs there."""
    length, width = (sizes[part] * figure.height * scale for sizes in (LENGTHS, WIDTHS))
    radius = width / 2
    columns, rows = math.ceil(length + width) + 6, math.ceil(width) + 6
    x = np.arange(columns, dtype=np.float32)[None, :] - (columns - 1) / 2
    y = np.arange(rows, dtype=np.float32)[:, None] - (rows - 1) / 2
    # The head is a ball at the end of its bone.
    along = np.hypot(x - length / 2, y) if part == "head" else np.hypot(np.maximum(np.abs(x) - length / 2, 0), y)
    cover = faded(np.asarray(along / radius - 1, np.float32), radius)
    which = CLOTHES[part]
    cloth = Texture("cloth" if which < 2 else "blotch", figure.seed * 3 + which).colours()
    side = max(columns, rows)
    piece = cloth[(37 * number) % 200 :, (53 * number) % 200 :][:260, :260]
    shade = np.float32(0.72 if number < 4 else 1.0)  # the far side is darker
    colours = cv2.resize(piece, (side, side), interpolation=cv2.INTER_AREA)[:rows, :columns] * shade
    return cut(colours, cover)


def _onto(start: complex, end: complex, length: float, zoom: float, sprite: Sprite) -> NDArray[np.float64]:
    """The matrix that lays a rod from one place to another: along it it stretches, across it keeps its width."""
    along = (end - start) / length
    across = 1j * (end - start) / abs(end - start) * zoom
    middle, own = (start + end) / 2, sprite.centred.shift
    shift = middle + along * own.real + across * own.imag
    return np.array([[along.real, across.real, shift.real], [along.imag, across.imag, shift.imag]])
