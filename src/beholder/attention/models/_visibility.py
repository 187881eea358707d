"""What of a contrast can be seen: sensitivities over frequency, and masking."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from beholder.attention.types import Floats
from beholder.vision.filters import Image

LUMINANCE = 100.0  # cd/m² to which the eye is adapted: that of an office screen (ours)
PEAK = 250.0  # Daly (1993), like all of the numbers of his formula [M]
SLOPE, KNEE = 0.7, 4.0  # s and b of masking [M]
BELOW, ABOVE = 6 ** (-7 / 3), 6 ** (10 / 3)  # k1 and k2 of masking, from W = 6 and Q = 0.7 [M]
PIECE = 2**15  # numbers at a time: they stay in the processor's cache


def achromatic_sensitivity(frequency: NDArray[np.floating], angle: NDArray[np.floating], *, area: float) -> Floats:
    """Daly's contrast sensitivity at cycles/deg, less along the diagonals, for a picture of `area` deg².

    min(S₁(ρ), S₁(ρ / r)) · 250 with r = 0.856 · (0.11 cos 4θ + 0.89) at 1 m, and, ε = 0.9, l = 100 cd/m²,
    S₁ = ((3.23 (ρ² area)^−0.3)⁵ + 1)^−0.2 · A ε ρ exp(−B ε ρ) √(1 + 0.06 exp(B ε ρ)); A = 0.801 (1 + 0.7 / l)^−0.2,
    B = 0.3 (1 + 100 / l)^0.15. At 0 it is 0.

    >>> at = np.array([0.0, 0.5, 4.0, 16.0])
    >>> achromatic_sensitivity(at, np.zeros(4), area=500.0).round(0)
    array([  0.,  77., 231.,  52.])
    """
    turned = 0.856 * (0.11 * np.cos(4 * angle) + 0.89)
    rates = np.asarray(frequency, np.float64)
    return PEAK * np.minimum(_daly(rates, area), _daly(rates / turned, area))


def _daly(rates: Floats, area: float) -> Floats:
    a, b = 0.801 * (1 + 0.7 / LUMINANCE) ** -0.2, 0.3 * (1 + 100 / LUMINANCE) ** 0.15
    some = np.maximum(rates, 1e-6)
    drive = 0.9 * some
    fallen = np.exp(-b * drive)
    fall = np.sqrt(fallen * (fallen + 0.06))  # the last two factors, which could overflow
    low = (3.23**5 * area**-1.5 / (some * some * some) + 1) ** -0.2
    return np.where(rates > 0, low * a * drive * fall, 0)


def red_green_sensitivity(frequency: NDArray[np.floating]) -> Floats:
    """33 / (1 + (ω / 5.52)^1.72) of Cr1 [M]; the original's small dependence on orientation is left out."""
    return np.asarray(33 / (1 + (frequency / 5.52) ** 1.72))


def blue_yellow_sensitivity(frequency: NDArray[np.floating]) -> Floats:
    """5 / (1 + (ω / 4.12)^1.64) of Cr2 [M]; the original's small dependence on orientation is left out."""
    return np.asarray(5 / (1 + (frequency / 4.12) ** 1.64))


def masked(visible: Image) -> Image:
    """The magnitude of a band over how much it raises its own threshold: (1 + (k₁ (k₂ m)^0.7)⁴)^¼.

    Below threshold, 1, nothing changes; far above it a contrast counts with the power 0.3.

    >>> masked(np.array([0.1, 1.0, -1000.0], np.float32)).round(2)
    array([0.1 , 0.84, 7.94], dtype=float32)
    """
    found = np.abs(np.ascontiguousarray(visible, np.float32))
    flat = found.reshape(-1)
    for start in range(0, flat.size, PIECE):
        size = flat[start : start + PIECE]
        raised = (BELOW ** (1 / SLOPE) * ABOVE * size) ** SLOPE
        raised *= raised
        raised *= raised  # the power 4, KNEE
        raised += 1
        size /= np.sqrt(np.sqrt(raised))
    return found
