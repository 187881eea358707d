"""How far a disparity map is from the true one, in the pixels whose true disparity is known.

All of them take estimates and true disparities of equal shape, in px. NaN in the truth leaves a pixel out; what NaN
in the estimate costs is the argument `invalid`: "error" judges every pixel, as Middlebury's second table does, which
demands dense maps; "exclude" leaves it out of the denominator, as ETH3D does. `density` says how many were left.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from beholder.spine.measure import NotApplicable, measure
from beholder.spine.misuse import Misuse
from beholder.stereo.types import Map

Invalid = Literal["error", "exclude"]
Floats = NDArray[np.float64]


@measure(better="lower", bounds=(0, 100), cite="Scharstein2002", unit="%")
def bad_pixels(found: Map, true: Map, *, delta: float = 1.0, invalid: Invalid = "error") -> float:
    """Percentage of pixels whose disparity is wrong by more than δ.

    B = 100/N · #{|d_C − d_T| > δ}, strictly greater. A pixel without an estimate is bad with `invalid` "error" and
    left out of N with "exclude"; where none has an estimate, B = 100 (ETH3D's rule). No known pixel: not applicable.

    An error that exceeds δ by no more than the rounding of float32 is not greater: disparities stored in thirds of
    a pixel would else be bad at exactly δ.

    >>> bad_pixels(np.array([5.0, 6, 8, np.nan]), np.array([5.0, 5, 5, 5]))
    50.0
    >>> round(bad_pixels(np.array([5.0, 6, 8, np.nan]), np.array([5.0, 5, 5, 5]), invalid="exclude"), 2)
    33.33
    """
    estimate, truth = _known(found, true)
    judged = ~np.isnan(estimate) if _rule(invalid) == "exclude" else np.ones(truth.shape, np.bool_)
    if not judged.any():
        return 100.0
    rounding = np.finfo(np.float32).eps * (np.abs(estimate) + np.abs(truth))
    good = np.abs(estimate - truth) - delta <= rounding  # False where there is no estimate
    return float(100 * np.mean(~good[judged]))


@measure(better="lower", bounds=(0, np.inf), cite="Scharstein2002", unit="px")
def mae(found: Map, true: Map, *, invalid: Invalid = "exclude") -> float:
    """Mean absolute error, also called average or end-point error.

    Σ|d_C − d_T| / N over the pixels that have an estimate. With `invalid` "error" a map with holes is refused, for
    the error of a hole is no number. No known pixel, or no estimate at all: not applicable.

    >>> mae(np.array([5.0, 6, 8, np.nan]), np.array([5.0, 5, 5, 5])).__round__(4)
    1.3333
    """
    return float(np.mean(_errors(found, true, invalid)))


@measure(better="lower", bounds=(0, np.inf), cite="Scharstein2002", unit="px")
def rms(found: Map, true: Map, *, invalid: Invalid = "exclude") -> float:
    """Root of the mean squared error.

    R = (Σ(d_C − d_T)² / N)^½ over the pixels that have an estimate; holes and empties are treated as in `mae`.

    >>> rms(np.array([5.0, 8, 9]), np.array([5.0, 5, 5])) == (25 / 3) ** 0.5
    True
    """
    return float(np.sqrt(np.mean(_errors(found, true, invalid) ** 2)))


@measure(better="higher", bounds=(0, 1), cite="Geiger2012")
def density(found: Map, true: Map) -> float:
    """Share of the known pixels that have an estimate, right or wrong. No known pixel: not applicable.

    #{d_C given} / N

    >>> density(np.array([5.0, 6, 8, np.nan]), np.array([5.0, 5, 5, 5]))
    0.75
    """
    return float(np.mean(~np.isnan(_known(found, true)[0])))


def _errors(found: Map, true: Map, invalid: Invalid) -> Floats:
    """Absolute errors where there is an estimate."""
    estimate, truth = _known(found, true)
    held = ~np.isnan(estimate)
    if _rule(invalid) == "error" and not held.all():
        raise ValueError(
            f"got {np.count_nonzero(~held)} of {held.size} pixels without an estimate; expected a dense map; "
            "fill it, or take invalid='exclude'"
        )
    if not held.any():
        raise NotApplicable("no pixel here has an estimate")
    return np.abs(estimate - truth)[held]


def _known(found: Map, true: Map) -> tuple[Floats, Floats]:
    """Estimates and truth, as float64, where the truth is known."""
    if np.shape(found) != np.shape(true):
        raise ValueError(f"got estimates of shape {np.shape(found)}; expected {np.shape(true)}, that of the truth")
    known = ~np.isnan(true)
    if not known.any():
        raise NotApplicable("no pixel here has a known disparity")
    return np.asarray(found, np.float64)[known], np.asarray(true, np.float64)[known]


def _rule(invalid: Invalid) -> Invalid:
    if invalid not in ("error", "exclude"):
        raise Misuse(f"got invalid={invalid!r}; expected 'error' or 'exclude'")
    return invalid
