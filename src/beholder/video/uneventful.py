"""Evidence of a clip in which nothing happens: what a measure is tried on, one series changed at a time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from beholder.video.evidence import Camera, Coherence, Deformation, Evidence, Facts, Frames, Motion

NOTHING = np.empty(0)


def uneventful(frames: int = 16, rate: float = 8.0) -> Evidence:
    """A clip of so many frames whose camera rests, whose subject moves slowly, and whose quality is even.

    >>> found = uneventful(frames=4, rate=8.0)
    >>> found.facts.seconds, found.motion.speed.tolist()
    (0.5, [0.1, 0.1, 0.1])
    """
    times = np.arange(frames) / rate
    pairs = max(0, frames - 1)
    even = np.full(frames, 1.0)
    return Evidence(
        Facts(times, frames / rate, "given", (180, 320), (180, 320)),
        Frames(even, 128 * even, np.where(times > 0, 4.0, 0.0), {"detail": -0.2 * even}),
        resting_camera(times),
        Motion(times[1:], np.full(pairs, 0.1), np.full(pairs, 0.05), np.full(pairs, 0.005)),
        (),
        Coherence((), (), 1.0, frames / rate, frames),
        Deformation(NOTHING, NOTHING, NOTHING, NOTHING, 1.0, ()),
    )


def resting_camera(times: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Camera:
    """A camera that does not move while frames are shown at these times."""
    pairs = len(times) - 1
    still, stays = np.zeros(pairs), np.tile(np.eye(3), (pairs, 1, 1))
    return Camera(times[1:], np.diff(times), np.zeros((pairs, 2)), still, still, np.ones(pairs), stays)


def with_quality(found: Evidence, sharpness: ArrayLike) -> Evidence:
    """The same with another series of sharpness."""
    return replace(found, frames=replace(found.frames, sharpness=np.asarray(sharpness, dtype=np.float64)))


def with_change(found: Evidence, difference: ArrayLike) -> Evidence:
    """The same with other differences between successive frames, in levels."""
    return replace(found, frames=replace(found.frames, difference=np.asarray(difference, dtype=np.float64)))


def with_pan(found: Evidence, places: ArrayLike) -> Evidence:
    """The same with a camera that is at these places, (n, 2), in frame diagonals."""
    pan = np.diff(np.asarray(places, dtype=np.float64), axis=0) / found.camera.steps[:, None]
    return replace(found, camera=replace(found.camera, pan=pan))


def with_speed(found: Evidence, speed: ArrayLike) -> Evidence:
    """The same with a subject that moves so fast over each pair of frames, in diagonals per second."""
    speed = np.broadcast_to(np.asarray(speed, dtype=np.float64), found.motion.times.shape)
    return replace(found, motion=replace(found.motion, speed=speed))
