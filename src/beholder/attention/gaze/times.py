"""Times of fixations, where files hold only some of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from beholder.attention.types import Floats, Scanpath, scanpath


def known_durations(duration_ms: ArrayLike) -> Floats:
    """Durations, with NaN for those of 0 or less, which some published files have.

    >>> known_durations([100, 0, -5])
    array([100.,  nan,  nan])
    """
    values = np.asarray(duration_ms, np.float64)
    return np.where(values > 0, values, np.nan)


def onsets(duration_ms: Floats) -> Floats:
    """Onsets from durations alone: the sum of those before; NaN after an unknown one.

    >>> onsets(np.array([100, 200, np.nan, 50]))
    array([  0., 100., 300.,  nan])
    """
    return np.cumsum(np.concatenate([[0.0], duration_ms]))[:-1]


def timed_path(x: Floats, y: Floats, *, duration_ms: ArrayLike) -> Scanpath:
    """A scanpath from places and durations; onsets are sums of durations."""
    lasted = known_durations(duration_ms)
    return scanpath(x, y, onset_ms=onsets(lasted), duration_ms=lasted)
