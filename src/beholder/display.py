"""Screen: the only place where pixels become degrees, frames become seconds and grey levels become luminance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Screen:
    """A flat screen seen from `distance_cm` on its central axis; pixels are square.

    >>> round(Screen(1024, 768, 40.5, 75).px_per_deg, 1)  # MIT1003
    33.1
    """

    width_px: int
    height_px: int
    width_cm: float
    distance_cm: float
    hertz: float = 60.0
    black: float = 0.0  # cd/m² of grey level 0
    white: float = 100.0  # cd/m² of grey level 1
    gamma: float = 2.2

    def __post_init__(self) -> None:
        for name in ("width_px", "height_px", "width_cm", "distance_cm", "hertz", "gamma"):
            if not 0 < getattr(self, name) < np.inf:
                raise ValueError(f"got {name}={getattr(self, name)}; expected a finite number above 0")
        if not 0 <= self.black < self.white < np.inf:
            raise ValueError(f"got black={self.black}, white={self.white} cd/m²; expected 0 ≤ black < white")

    @property
    def px_per_cm(self) -> float:
        """Pixels per centimetre."""
        return self.width_px / self.width_cm

    @property
    def px_per_deg(self) -> float:
        """Pixels that the first degree right of the centre covers: (res/size) · distance · tan 1°."""
        return float(self.px_per_cm * self.distance_cm * np.tan(np.pi / 180))

    @property
    def centre(self) -> tuple[float, float]:
        """The point (x, y) in front of the eye; pixel i covers [i, i+1)."""
        return self.width_px / 2, self.height_px / 2

    def degrees(self, points: ArrayLike) -> Floats:
        """Visual angles (right, up) of points (x, y) in px: atan2(offset, distance), exact off the centre too.

        >>> Screen(200, 100, 20, 10).degrees([[200, 50]]).round(6)
        array([[45.,  0.]])
        """
        offset = (_pairs(points) - self.centre) / self.px_per_cm * (1, -1) + 0.0  # no −0 straight ahead
        return np.asarray(np.degrees(np.arctan2(offset, self.distance_cm)))

    def pixels(self, angles: ArrayLike) -> Floats:
        """Points (x, y) in px at visual angles (right, up) in degrees: the inverse of `degrees`."""
        offset = np.tan(np.radians(_pairs(angles))) * self.distance_cm * (1, -1)
        return np.asarray(offset * self.px_per_cm + self.centre)

    def seconds(self, frames: ArrayLike) -> Floats:
        """Onset of frame number `frames` (0-based), in seconds."""
        return np.asarray(np.asarray(frames, dtype=float) / self.hertz)

    def frames(self, seconds: ArrayLike) -> NDArray[np.int64]:
        """Number of the frame that is shown at a time: index = floor, with a guard against 0.3 · 10 = 2.9999…"""
        times = np.asarray(seconds, dtype=float)
        if not np.isfinite(times).all():
            raise ValueError("got a time that is not finite; expected seconds; leave out what is not known")
        return np.floor(times * self.hertz + 1e-9).astype(np.int64)

    def luminance(self, grey: ArrayLike) -> Floats:
        """cd/m² of grey levels in [0, 1]: black + (white − black) · grey^γ."""
        levels = np.asarray(grey, dtype=float)
        if levels.size and not (levels.min() >= 0 and levels.max() <= 1):
            raise ValueError(f"got grey levels from {levels.min()} to {levels.max()}; expected 0 to 1")
        return np.asarray(self.black + (self.white - self.black) * levels**self.gamma)


def _pairs(values: ArrayLike) -> Floats:
    """Pairs (right, up) or (x, y) along the last axis: one number alone would silently stand for both."""
    found = np.asarray(values, dtype=float)
    if found.ndim == 0 or found.shape[-1] != 2:
        raise ValueError(f"got an array of shape {found.shape}; expected pairs along the last axis, (…, 2)")
    return found
