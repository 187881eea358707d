"""Signals recorded with gaze: how the pupil, or any other signal, changes around fixations on a region."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.attention.maps.fixation_maps import pixels
from beholder.attention.types import Floats, Lookers, Scanpath
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse

Mask = NDArray[np.bool_]


class LockedAverage(NamedTuple):
    """A signal around fixations: the mean over observers at each lag, with its standard error."""

    lag: NDArray[np.int64]  # fixations before (−) and after the event
    mean: Floats
    sem: Floats  # NaN below two observers
    n: NDArray[np.int64]  # observers


def fixation_locked_average(
    lookers: Lookers, signal: str, *, region: Mask | None = None, lags: int = 2, baseline: bool = False
) -> LockedAverage:
    """The average of a signal (of `Scanpath.signals`, or `duration_ms`) around fixations, lag by lag.

    Events are the fixations inside `region`, a mask of the picture (such as the highest fifth of a map), or all. Values
    at lags −lags … lags are averaged over the events of an observer, then over observers; NaN, and lags beyond the ends
    of a path, are left out. With `baseline` each event's value at the first lag is subtracted first.

    >>> from beholder.attention.types import scanpath
    >>> path = scanpath([0, 1, 0], [0, 0, 0], pupil=[3.0, 5.0, 4.0])
    >>> right = np.array([[False, True]])
    >>> fixation_locked_average(Lookers({"a": path}, (1, 2)), "pupil", region=right, lags=1).mean
    array([3., 5., 4.])
    """
    if lags < 0:
        raise Misuse(f"got lags={lags}; expected 0 or more fixations around each event")
    shape = (lookers.shape[0], lookers.shape[1])
    if region is not None and region.shape != shape:
        raise ValueError(f"got a region of {region.shape}; expected {shape}, the shape of the picture")
    each = [
        _mean_around(_column(path, signal), _events(path, region, shape), lags, baseline)
        for path in lookers.paths.values()
    ]
    held = np.array([row for row in each if np.isfinite(row).any()])
    if not len(held):
        raise NotApplicable(f"there is no fixation here with a value of {signal}")
    return _summary(held, lags)


def _column(path: Scanpath, signal: str) -> Floats:
    known = {"duration_ms": path.duration_ms, **path.signals}
    if signal not in known:
        raise Misuse(f"got the signal {signal!r}; expected one of {', '.join(known)}")
    return known[signal]


def _events(path: Scanpath, region: Mask | None, shape: tuple[int, int]) -> NDArray[np.intp]:
    return np.arange(len(path)) if region is None else np.flatnonzero(region[pixels(path.points, shape)])


def _mean_around(values: Floats, events: NDArray[np.intp], lags: int, baseline: bool) -> Floats:
    """One observer's mean at each lag; NaN where there is none."""
    padded = np.concatenate([np.full(lags, np.nan), values, np.full(lags, np.nan)])
    table = padded[events[:, None] + np.arange(2 * lags + 1)]
    return _means(table - table[:, :1] if baseline else table)


def _means(table: Floats) -> Floats:
    """The mean of each column, NaN left out; NaN for a column without any number."""
    counts = np.isfinite(table).sum(axis=0)
    sums = np.where(np.isfinite(table), table, 0.0).sum(axis=0)
    return np.asarray(np.where(counts > 0, sums / np.maximum(counts, 1), np.nan))


def _summary(held: Floats, lags: int) -> LockedAverage:
    mean, n = _means(held), np.isfinite(held).sum(axis=0)
    spread = np.where(np.isfinite(held), (held - mean) ** 2, 0.0).sum(axis=0)
    sem = np.where(n > 1, np.sqrt(spread / np.maximum(n - 1, 1) / np.maximum(n, 1)), np.nan)
    return LockedAverage(np.arange(-lags, lags + 1), mean, np.asarray(sem), n)
