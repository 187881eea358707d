"""How far a disparity map is from the true one, in the pixels whose true disparity is known.

All of them take estimates and true disparities of equal shape, in px. NaN in the truth leaves a pixel out; what NaN
in the estimate costs is the argument `invalid` (see `beholder.stereo.estimates`), and `density` says how many have one.
"""

from __future__ import annotations

import numpy as np

from beholder.core.measure import measure
from beholder.errors import Misuse
from beholder.stereo.estimates import Estimates, Floats, Invalid, Sides, estimated, judged, known
from beholder.stereo.types import Map, Mask


@measure(better="lower", bounds=(0, 100), cite="Scharstein2002", unit="%")
def bad_pixels(found: Estimates, true: Map, *, delta: float = 1.0, invalid: Invalid = "error") -> float:
    """Percentage of pixels whose disparity is wrong by more than δ.

    B = 100/N · #{|d_C − d_T| > δ}, strictly greater. A pixel without an estimate is bad with `invalid` = "error" and
    left out of N with "exclude"; if no pixel has an estimate, B = 100 (ETH3D's rule). No pixel with known truth: not
    applicable.

    An error that exceeds δ by no more than float32 rounding is not greater; otherwise disparities stored in thirds of a
    pixel would be bad at exactly δ.

    >>> bad_pixels(np.array([5.0, 6, 8, np.nan]), np.array([5.0, 5, 5, 5]))
    50.0
    >>> round(bad_pixels(np.array([5.0, 6, 8, np.nan]), np.array([5.0, 5, 5, 5]), invalid="exclude"), 2)
    33.33
    """
    sides = judged(found, true, invalid)
    return percentage(~within(sides, delta))


@measure(better="lower", bounds=(0, np.inf), cite="Scharstein2002", unit="px")
def mae(found: Estimates, true: Map, *, invalid: Invalid = "exclude") -> float:
    """Mean absolute error, also called average or end-point error.

    Σ|d_C − d_T| / N over the pixels that have an estimate. With `invalid` = "error" a map with holes is refused,
    because a hole has no error. No known pixel, or no estimate at all: not applicable.

    >>> mae(np.array([5.0, 6, 8, np.nan]), np.array([5.0, 5, 5, 5])).__round__(4)
    1.3333
    """
    return float(np.mean(errors(found, true, invalid)))


@measure(better="lower", bounds=(0, np.inf), cite="Scharstein2002", unit="px")
def rms(found: Estimates, true: Map, *, invalid: Invalid = "exclude") -> float:
    """Root of the mean squared error.

    R = (Σ(d_C − d_T)² / N)^½ over the pixels that have an estimate; holes and empties are treated as in `mae`.

    >>> rms(np.array([5.0, 8, 9]), np.array([5.0, 5, 5])) == (25 / 3) ** 0.5
    True
    """
    return float(np.sqrt(np.mean(errors(found, true, invalid) ** 2)))


@measure(better="lower", bounds=(0, np.inf), cite="Schops2017", unit="px")
def quantile(found: Estimates, true: Map, *, q: float = 0.9, invalid: Invalid = "exclude") -> float:
    """The error not exceeded by a share q of the pixels: A50, A90, A95 and A99 of Middlebury and ETH3D.

    A_q = e_(⌊n·q⌋), the element ⌊n·q⌋, counted from 0, of the n sorted errors |d_C − d_T|; there is no interpolation,
    and ties need no rule. 0 ≤ q < 1. Holes and empties are treated as in `mae`.

    >>> quantile(np.array([5.0, 6, 8, 9]), np.array([5.0, 5, 5, 5]), q=0.5)
    3.0
    """
    if not 0 <= q < 1:
        raise Misuse(f"got q={q}; expected 0 or more and less than 1, such as 0.9")
    ordered = np.sort(errors(found, true, invalid))
    return float(ordered[int(len(ordered) * q)])


@measure(better="higher", bounds=(0, 1), cite="Geiger2012")
def density(found: Estimates, true: Map) -> float:
    """Share of the known pixels that have an estimate, right or wrong. No known pixel: not applicable.

    #{d_C given} / N

    >>> density(np.array([5.0, 6, 8, np.nan]), np.array([5.0, 5, 5, 5]))
    0.75
    """
    return float(np.mean(~np.isnan(known(found, true).estimate)))


def errors(found: Estimates, true: Map, invalid: Invalid) -> Floats:
    """Absolute errors of the pixels that count, none of which may be a hole."""
    estimate, truth = estimated(found, true, invalid)
    return np.abs(estimate - truth)


def within(sides: Sides, delta: Floats | float) -> Mask:
    """Where the error is at most δ, or exceeds it by no more than the rounding of float32; never in a hole."""
    rounding = np.finfo(np.float32).eps * (np.abs(sides.estimate) + np.abs(sides.truth))
    near: Mask = np.abs(sides.estimate - sides.truth) - delta <= rounding
    return near


def percentage(bad: Mask) -> float:
    """Per cent of the judged pixels that are bad; all, where nothing was estimated and hence nothing judged."""
    return 100.0 * float(np.mean(bad)) if bad.size else 100.0
