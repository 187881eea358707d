"""Added motion of the camera: a moving part of the clip, enlarged; at severity 0 the same part rests."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from beholder.video.corruptions.plans import Take
from beholder.video.corruptions.subject import with_subject
from beholder.video.scenes.paths import Similarity
from beholder.video.types import Clip, Poses

JITTER = 0.006  # standard deviation in shares of the width and height per severity: 9.6 px of 320 at the highest
CUT = 2.15  # standard deviations beyond which no jump goes
PAN = 1.2 * 12 / 367  # diagonals/s per severity: 1.2 px a frame at 320 x 180 and 12 frames/s
ZOOM = 0.05  # log of the magnification per second, per severity
ROLL = 3.0  # degrees/s per severity
TRAVEL, MAGNIFIED, TURNED = 0.36, 0.3, 10.0  # widths, log and degrees between which the camera goes to and fro
ROUND = 0.995  # how sharply it turns; 1 would be at once


def jitter(take: Take, severity: int) -> Clip:
    """A camera that is somewhere else in each frame."""
    height, width = take.size
    steps = np.clip(take.rng().standard_normal((len(take.pixels), 2)), -CUT, CUT) * JITTER * severity
    room = 1 / (1 - 2 * CUT * JITTER * 5)
    return moved(take, [Similarity(complex(room), complex(x * width, y * height)) for x, y in steps])


def pan(take: Take, severity: int) -> Clip:
    """The camera pans to and fro over a clip in which something moves with the world."""
    reach = TRAVEL / 2 * take.size[1]
    sign = take.rng("way").choice([-1, 1])
    return _added(
        take, lambda t: Similarity(1, sign * _to_and_fro(PAN * severity * take.diagonal * t, reach) + 0j), 1 + TRAVEL
    )


def zoom(take: Take, severity: int) -> Clip:
    """The camera zooms in and out over the same."""
    reach = MAGNIFIED / 2
    sign = take.rng("way").choice([-1, 1])
    return _added(
        take, lambda t: Similarity(cmath.exp(sign * _to_and_fro(ZOOM * severity * t, reach))), math.exp(reach)
    )


def roll(take: Take, severity: int) -> Clip:
    """The camera rolls to and fro over the same."""
    reach = math.radians(TURNED)
    sign = take.rng("way").choice([-1, 1])
    height, width = take.size
    room = math.cos(reach) + max(height / width, width / height) * math.sin(reach)
    return _added(
        take, lambda t: Similarity(cmath.exp(1j * sign * _to_and_fro(math.radians(ROLL) * severity * t, reach))), room
    )


def _to_and_fro(way: float, reach: float) -> float:
    """A way that goes on as it begins, turns softly before `reach` and comes back.

    >>> round(_to_and_fro(0.1, 1), 1), round(_to_and_fro(2.0, 1), 1)
    (0.1, 0.0)
    """
    return reach * math.asin(ROUND * math.sin(way / reach * math.pi / 2)) / math.asin(ROUND)


def _added(take: Take, motion: Callable[[float], Similarity], room: float) -> Clip:
    """A camera's motion on top of the clip's own, in px about the middle of the frame; it is at rest in mid-clip."""
    shown = with_subject(take, 1.0).pixels
    assert shown is not None
    middle = take.times[-1] / 2
    views = [motion(float(t) - middle) for t in take.times]
    return moved(replace(take, pixels=shown), [Similarity(v.turn * room * 1.01, v.shift) for v in views])


def moved(take: Take, views: list[Similarity]) -> Clip:
    """The clip seen through a camera, frame by frame; `views` are in px about the middle of the frame."""
    height, width = take.size
    middle = complex((width - 1) / 2, (height - 1) / 2)
    centred, back = Similarity(1, -middle), Similarity(1, middle)
    onto = [back.after(view).after(centred) for view in views]
    frames = [
        cv2.warpAffine(f, m.matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT_101)
        for f, m in zip(take.pixels, onto, strict=True)
    ]
    bodies = tuple(_seen(body, onto, take.size) for body in take.clip.poses)
    return replace(take.with_pixels(np.stack(frames)), poses=bodies)


def _seen(body: Poses, onto: list[Similarity], size: tuple[int, int]) -> Poses:
    """A body's keypoints through the same camera; what leaves the frame is not seen."""
    height, width = size
    places = body.points[..., 0] * width - 0.5 + 1j * (body.points[..., 1] * height - 0.5)
    turns, shifts = (np.array([m[n] for m in onto])[:, None] for n in range(2))
    places = turns * places + shifts
    points = np.stack([(places.real + 0.5) / width, (places.imag + 0.5) / height], axis=-1)
    inside = np.asarray(((points >= 0) & (points <= 1)).all(-1))
    return Poses(body.skeleton, np.where(inside[..., None], points, np.nan), np.where(inside, body.confidence, 0.0))
