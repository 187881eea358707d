"""What becomes of a velocity over time: where it ends, how far it is off, and what an eye would make of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.errors import Misuse
from beholder.motion.types import Percept, Trace

Floats = NDArray[np.float64]

LAST = 0.1  # s: what is perceived in the end is the mean direction of this last stretch (spec 4)
STILL = 0.01  # of the stimulus' speed: a slower mean has no direction (spec 4)


def final_direction(of: Trace, *, window: float = LAST, slowest: float = 0.0) -> float:
    """What is perceived in the end: the circular mean of the directions of the last instants; NaN where none has one.

    Velocities below `slowest` have no direction.

    >>> of = Trace(np.array([0.0, 0.06, 0.15]), np.array([[0, 1], [1, 0.1], [1, -0.1]]), np.ones(3))
    >>> final_direction(of)
    0.0
    """
    late = of.seconds > of.seconds.max(initial=0.0) - window + 1e-9
    moving = np.isfinite(of.direction) & (np.hypot(*of.velocity.T) >= slowest)
    directions = np.radians(of.direction[late & moving])
    x, y = np.cos(directions).sum(), np.sin(directions).sum()
    return float(np.degrees(np.arctan2(y, x))) if np.hypot(x, y) > 1e-9 else np.nan


def wrapped(degrees: Any) -> Any:
    """Angles in (−180, 180].

    >>> wrapped(np.array([190.0, -180.0, 30.0]))
    array([-170.,  180.,   30.])
    """
    return 180 - (180 - degrees) % 360


def errors(of: Trace, percept: Percept) -> Floats:
    """ε(t) = e(t) − ê, wrapped: the direction error of each instant after the onset of motion.

    NaN before it, and where the velocity is less than 1 % of the stimulus' speed: that has no direction.
    """
    fast = np.hypot(*of.velocity.T) >= STILL * percept.speed
    error = wrapped(of.direction - percept.object_direction)
    return np.where(fast & (of.seconds >= 0), error, np.nan)


def plant(of: Trace, *, delay: float = 0.0, tau: float = 0.0) -> Trace:
    """The trace as a simple eye would follow it: de/dt = (v(t − d) − e)/τ_p, at rest before the delay.

    Each step is exact for a velocity that is constant within it; gaps in the trace leave the eye as fast as it was.
    With no delay and τ_p = 0 the trace stays as it is.
    """
    if delay < 0 or tau < 0:
        raise Misuse(f"got delay={delay}, tau={tau}; expected seconds, 0 or more")
    if not (delay or tau):
        return of
    step = float(np.median(np.diff(of.seconds))) if len(of.seconds) > 1 else 0.0
    follow = 1.0 if tau == 0 else -np.expm1(-step / tau)
    eye, path = np.zeros(2), np.empty_like(of.velocity)
    for at, target in enumerate(_delayed(of, delay)):
        eye = eye + follow * (target - eye) if np.isfinite(target).all() else eye
        path[at] = eye
    return Trace(of.seconds, path, np.hypot(*path.T))


def _delayed(of: Trace, delay: float) -> Floats:
    """The velocity some time ago: 0 before there was any."""
    at = np.searchsorted(of.seconds, of.seconds - delay + 1e-9) - 1
    return np.where((at < 0)[:, None], 0.0, of.velocity[np.maximum(at, 0)])
