"""How the picture moves as a whole: pan, zoom and roll per second, from the homography of each pair."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np

from beholder.video.evidence import Camera
from beholder.video.readouts.flow import Field, Pair, places
from beholder.video.readouts.footage import Footage
from beholder.video.readouts.segments import agrees
from beholder.video.types import Floats

SPARSE = 4  # px: DIS itself steps by 3 to 4
CLOSE = 1 / 367  # diagonals: 1 px of 320 × 180; changes of speed that differ by less are the same
LIKE = 0.25  # of the camera's change of speed: the same for large ones
FEW = 0.3  # share of the frame: with less trusted flow the picture may have leapt, by more than flow can follow
CLEAR = 0.4  # response of the phase correlation from which it has; cuts give 0
TRUSTED = 0.15  # share of the frame: with less trusted flow, and no leap, nothing is said


def camera(footage: Footage, pairs: Sequence[Pair]) -> Camera:
    """The motion of the camera over each analysed pair, read at the centre of the frame.

    Where flow fails because the whole picture leaps, by more than some 16 px, the leap is found by phase correlation.
    """
    leaps = [_leap(footage, at) if _trusted(one.forward, one.backward) < FEW else None for at, one in enumerate(pairs)]
    known = [one.homography if leap is None else leap for one, leap in zip(pairs, leaps, strict=True)]
    matrices = np.array(known, dtype=np.float64).reshape(-1, 3, 3)
    height, width = footage.facts.analysed
    centre = np.array([(width - 1) / 2, (height - 1) / 2])
    shift, jacobian = at_point(matrices, centre)
    steps = footage.steps
    return Camera(
        times=footage.times[1:],
        steps=steps,
        pan=shift / footage.diagonal / steps[:, None],
        zoom=magnification(jacobian) / steps,
        roll=rotation(jacobian) / steps,
        inliers=np.array([p.inliers for p in pairs], dtype=np.float64),
        homographies=matrices,
        together=_together(pairs, leaps),
    )


def _leap(footage: Footage, at: int) -> Floats | None:
    """By how much the whole picture leaps from one analysed frame to the next, as a homography; None: it does not."""
    first, second = (
        cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY).astype(np.float32) for frame in footage.pixels[at : at + 2]
    )
    window = cv2.createHanningWindow((first.shape[1], first.shape[0]), cv2.CV_32F)
    (right, down), response = cv2.phaseCorrelate(first, second, window)
    return np.array([[1, 0, right], [0, 1, down], [0, 0, 1]]) if response > CLEAR else None


def _together(pairs: Sequence[Pair], leaps: Sequence[Floats | None]) -> Floats:
    """At the first frame of each pair, the share of the frame that changes its speed as the camera does."""
    shares = [
        1.0 if leaps[at] is not None or leaps[at + 1] is not None else in_step(*two)
        for at, two in enumerate(pairwise(pairs))
    ]
    return np.array([1.0, *shares])[: len(pairs)]


def in_step(before: Pair, after: Pair) -> float:
    """The share of the frame between two pairs whose speed changes as the camera's does.

    At x the picture has come by −b(x) and goes on by f(x), so f + b is its change of speed; the same of the
    homographies is the camera's. A shaken camera changes all of it, a shaken subject only itself. NaN where the flow
    cannot be trusted on either side, as over a cut.
    """
    if min(_trusted(after.forward, after.backward), _trusted(before.backward, before.forward)) < TRUSTED:
        return float("nan")
    grid = _grid((after.forward.shape[0], after.forward.shape[1]))
    origin = cv2.perspectiveTransform(grid, np.linalg.inv(before.homography))
    camera = origin + cv2.perspectiveTransform(grid, after.homography) - 2 * grid
    seen = after.forward[::SPARSE, ::SPARSE] + before.backward[::SPARSE, ::SPARSE]
    unit = float(np.hypot(*after.forward.shape[:2])) * CLOSE
    close = np.maximum(unit, LIKE * cv2.magnitude(*cv2.split(camera)))
    return float(np.mean(cv2.magnitude(*cv2.split(seen - camera)) < close))


def _trusted(there: Field, back: Field) -> float:
    """The share of the frame whose flow agrees with its way back."""
    goes = np.ascontiguousarray(there[::SPARSE, ::SPARSE])
    return float(np.mean(agrees(_grid((there.shape[0], there.shape[1])) + goes, goes, back)))


@lru_cache(maxsize=4)
def _grid(shape: tuple[int, int]) -> Field:
    """The (x, y) of every fourth pixel."""
    grid = np.ascontiguousarray(places(shape)[::SPARSE, ::SPARSE])
    grid.flags.writeable = False
    return grid


def at_point(matrices: Floats, point: Floats) -> tuple[Floats, Floats]:
    """Where homographies (n, 3, 3) shift a point to, (n, 2), and their Jacobians there, (n, 2, 2)."""
    moved = matrices @ np.append(point, 1.0)
    scale = moved[:, 2]
    place = moved[:, :2] / scale[:, None]
    jacobian = (matrices[:, :2, :2] - place[:, :, None] * matrices[:, 2, None, :2]) / scale[:, None, None]
    return place - point, jacobian


def magnification(jacobian: Floats) -> Floats:
    """Log of the linear magnification: half the log of the change of area."""
    areas: Floats = np.linalg.det(jacobian)
    return 0.5 * np.log(np.maximum(areas, 1e-6))


def rotation(jacobian: Floats) -> Floats:
    """Degrees counter-clockwise as one sees it; rows count downwards, so a matrix turns the other way."""
    sine, cosine = jacobian[:, 1, 0] - jacobian[:, 0, 1], jacobian[:, 0, 0] + jacobian[:, 1, 1]
    angle: Floats = -np.degrees(np.arctan2(sine, cosine))
    return angle
