"""Scenes become movies: exact anti-aliased shapes on a grid that is turned and mirrored without rounding.

Every scene is written for motion to the right, with its edge normals turned counter-clockwise; the grid's coordinates
(u along the motion, v to its left) do the rest. So a scene that is turned by 90° or mirrored is the turned or mirrored
array, to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from beholder.motion.stimuli.polygons import Point, Stroke, covered, overlaps, rectangle, span
from beholder.motion.stimuli.sampling import Check, Sampling, guard
from beholder.motion.types import Movie, Percept, unit

Floats = NDArray[np.float64]


class Posed(Protocol):
    """A stimulus with all its settings: where it goes, what people make of it, what the guard must ask."""

    @property
    def direction(self) -> float:
        """Where u points: degrees, 0 right, 90 up."""

    @property
    def turn(self) -> int:
        """1, or −1 for the mirror image: v points to the right of u."""

    @property
    def percept(self) -> Percept:
        """What people make of it."""

    def checks(self, sampling: Sampling) -> list[Check]:
        """What the guard must ask."""


class Scene(Posed, Protocol):
    """What can be drawn."""

    def luminance(self, u: Floats, v: Floats, seconds: float, sampling: Sampling) -> Floats:
        """cd/m² at points (u, v) and a time since the onset."""


S = TypeVar("S", bound=Posed)


class Derived(Generic[S]):
    """A scene that is made of another one, and is posed and guarded as that is."""

    scene: S

    @property
    def direction(self) -> float:
        """That of the scene it is made of."""
        return self.scene.direction

    @property
    def turn(self) -> int:
        """That of the scene it is made of."""
        return self.scene.turn

    @property
    def percept(self) -> Percept:
        """That of the scene it is made of."""
        return self.scene.percept

    def checks(self, sampling: Sampling) -> list[Check]:
        """Those of the scene it is made of."""
        return self.scene.checks(sampling)


def movie(scene: Scene, sampling: Sampling) -> Movie:
    """A scene on a grid; refused with a sentence where the grid is too coarse or too small for it."""
    guard(scene.checks(sampling), sampling)
    u, v = coordinates(sampling, scene.direction, scene.turn)
    frames = [_exposure(scene, u, v, time, sampling) for time in sampling.times]
    return Movie(np.stack(frames).astype(np.float32), sampling.hertz, sampling.px_per_deg, sampling.preview)


def coordinates(sampling: Sampling, direction: float = 0.0, turn: int = 1) -> tuple[Floats, Floats]:
    """The centres of all pixels, in degrees along a direction and to its left (to its right for turn −1).

    >>> u, v = coordinates(Sampling(size=2, px_per_deg=1), direction=90)
    >>> u.tolist(), v.tolist()
    ([[0.5, 0.5], [-0.5, -0.5]], [[0.5, -0.5], [0.5, -0.5]])
    """
    centres = (np.arange(sampling.size) - (sampling.size - 1) / 2) / sampling.px_per_deg
    x, y = np.meshgrid(centres, -centres)
    cosine, sine = unit(direction)
    return np.asarray(x * cosine + y * sine), np.asarray(turn * (y * cosine - x * sine))


def reach(scene: Scene, points: Sequence[Point], travel: float = 0.0) -> float:
    """How far some points (u, v) of a scene get from the centre, across or up, while they go half a path either way.

    >>> from beholder.motion.stimuli.grating import Grating
    >>> reach(Grating(direction=90), [(3, 1), (0, -2)], travel=4)
    5.0
    """
    cosine, sine = unit(scene.direction)
    u, v = np.array([(u + way * travel / 2, scene.turn * v) for u, v in points for way in (-1, 1)]).T
    return float(np.abs([u * cosine - v * sine, u * sine + v * cosine]).max())


def _exposure(scene: Scene, u: Floats, v: Floats, time: float, sampling: Sampling) -> Floats:
    instants = ((np.arange(sampling.shutter) + 0.5) / sampling.shutter - 0.5) / sampling.hertz
    moments = np.maximum(time + instants, 0) if time > 0 else np.zeros(1)
    shots = [scene.luminance(u, v, float(moment), sampling) for moment in moments]
    return np.asarray(sum(shots) / len(shots))


def box(distance: Floats, width: float, blur: float) -> Floats:
    """A box of this width around 0, convolved with a Gaussian: Φ((x + w/2)/s) − Φ((x − w/2)/s).

    >>> box(np.array([0.0, 0.5, 9.0]), 1.0, 0.01).round(6).tolist()
    [1.0, 0.5, 0.0]
    """
    return np.asarray(ndtr((distance + width / 2) / blur) - ndtr((distance - width / 2) / blur))


def segment(u: Floats, v: Floats, ends: Stroke, *, width: float, blur: float) -> Floats:
    """Coverage of a stroke between two points, with square ends: a rectangle convolved with a Gaussian, exactly.

    The Gaussian is separable along and across the stroke, so two differences of normal distributions are the integral.
    """
    (x0, y0), (x1, y1) = ends
    length = span(ends)
    tangent = ((x1 - x0) / length, (y1 - y0) / length)
    right, up = u - (x0 + x1) / 2, v - (y0 + y1) / 2
    along, across = right * tangent[0] + up * tangent[1], up * tangent[0] - right * tangent[1]
    return np.asarray(box(along, length, blur) * box(across, width, blur))


def strokes(u: Floats, v: Floats, *, ends: Sequence[Stroke], width: float, blur: float) -> Floats:
    """Coverage of some strokes together: their union convolved with a Gaussian, exactly, however they meet.

    The coverages of all strokes, without what two share, with what three share, and so on. A single rectangle needs
    only normal distributions; the polygons that are shared need Owen's T, but only where they are.

    Deviation: 1 − Π (1 − cᵢ), the usual outline, takes blurred strokes for independent; at a corner of 15° it is wrong
    by up to 0.2.
    """
    found = sum((segment(u, v, each, width=width, blur=blur) for each in ends), np.zeros_like(u))
    for sign, shared in overlaps(tuple(rectangle(each, width) for each in ends)):
        found += sign * covered(u, v, polygon=shared, blur=blur)
    return np.clip(found, 0, 1)  # of the sum's rounding


def disc(u: Floats, v: Floats, *, diameter: float, blur: float) -> Floats:
    """Coverage of a disc with a blurred edge: Φ((R − r)/s). One pixel of blur keeps it sharp and free of stairs."""
    return np.asarray(ndtr((diameter / 2 - np.hypot(u, v)) / blur))


def ramp(inside: Floats, width: float) -> Floats:
    """A raised cosine of a given width: 0 where `inside` (the distance from the edge) is 0, 1 from the width on.

    >>> ramp(np.array([-1.0, 0.5, 2.0]), 1.0).round(6).tolist()
    [0.0, 0.5, 1.0]
    """
    return np.asarray((1 - np.cos(np.pi * np.clip(inside / width, 0, 1))) / 2)


def wave(phase: Floats) -> Floats:
    """A sinusoid at a phase in cycles."""
    return np.asarray(np.cos(2 * np.pi * phase))
