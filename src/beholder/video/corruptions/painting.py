"""Patches of the clip itself that are painted out: nothing is pasted, so nothing gives the event away."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.corruptions.following import camera_path
from beholder.video.corruptions.plans import MOST, Take, between_frames, moments
from beholder.video.types import Bytes, Clip

RADIUS = (0.10, 0.17)  # shares of the short side
TRIES = 24


def painted_out(take: Take, severity: int) -> Clip:
    """One more textured patch per severity is filled from its surroundings, from its moment on (Telea's inpainting)."""
    rng = take.rng()
    path = camera_path(take.clip)
    count = len(take.pixels)
    when = [between_frames(t, take.rate, count) for t in moments(rng, take.seconds)]
    radii = rng.uniform(*RADIUS, MOST) * min(take.size)
    pixels = take.pixels.copy()
    taken: list[complex] = []
    for n in range(MOST):
        start = round(when[n] * take.rate + 0.5)
        place = _patch(take, start, radii[n], taken, rng)
        taken.append(place)
        for frame in range(start, count if n < severity else 0):
            at = path[frame].after(path[start].inverse)(place)
            _paint(pixels[frame], at, radii[n])
    return take.with_pixels(pixels)


def _patch(take: Take, frame: int, radius: float, taken: list[complex], rng: np.random.Generator) -> complex:
    """The most textured of some places that are apart from those already taken."""
    height, width = take.size
    near = radius + 3
    places = rng.uniform(near, np.array([width, height]) - near, (TRIES, 2))
    grey = cv2.cvtColor(take.pixels[frame], cv2.COLOR_RGB2GRAY).astype(np.float32)
    apart = [min([abs(complex(*p) - t) for t in taken], default=np.inf) > 2 * radius for p in places]
    scores = [_contrast(grey, p, radius) * (1 if free else 0.01) for p, free in zip(places, apart, strict=True)]
    return complex(*places[int(np.argmax(scores))])


def _contrast(grey: NDArray[np.float32], place: NDArray[np.float64], radius: float) -> float:
    (left, top), (right, bottom) = (place - radius).astype(int), (place + radius).astype(int) + 1
    return float(grey[max(top, 0) : bottom, max(left, 0) : right].std())


def _paint(frame: Bytes, place: complex, radius: float) -> None:
    """Fill a disc of a frame, in place."""
    room = int(radius) + 8
    left, top = max(int(place.real) - room, 0), max(int(place.imag) - room, 0)
    part = frame[top : max(int(place.imag) + room, 0), left : max(int(place.real) + room, 0)]
    if min(part.shape[:2]) < 8:
        return
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.circle(mask, (round(place.real) - left, round(place.imag) - top), round(radius), 255, -1)
    part[:] = cv2.inpaint(np.ascontiguousarray(part), mask, 3, cv2.INPAINT_TELEA)
