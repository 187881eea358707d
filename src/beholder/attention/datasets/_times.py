"""Times of fixations where files tell only some of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from beholder.attention.types import Floats, Scanpath, scanpath


def known(duration_ms: ArrayLike) -> Floats:
    """Durations without those that cannot be: 0 and less, of which published files have some, are not known.

    >>> known([100, 0, -5])
    array([100.,  nan,  nan])
    """
    values = np.asarray(duration_ms, np.float64)
    return np.where(values > 0, values, np.nan)


def onsets(duration_ms: Floats) -> Floats:
    """Onsets from durations alone: the sum of those before; none is known after one that is not.

    >>> onsets(np.array([100, 200, np.nan, 50]))
    array([  0., 100., 300.,  nan])
    """
    return np.cumsum(np.concatenate([[0.0], duration_ms]))[:-1]


def lasting(x: Floats, y: Floats, *, duration_ms: ArrayLike) -> Scanpath:
    """A path of which places and durations are known."""
    lasted = known(duration_ms)
    return scanpath(x, y, onset_ms=onsets(lasted), duration_ms=lasted)
