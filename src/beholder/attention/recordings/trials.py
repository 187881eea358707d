"""Raw gaze of one person during one stimulus: evenly in time, NaN where the eye was lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from beholder.attention.gaze.detection import Gaze
from beholder.attention.recordings.options import COMMAND, Options
from beholder.attention.types import Floats, Scanpath
from beholder.errors import Misuse

Bools = NDArray[np.bool_]

MOST_STEPS = 50_000_000  # of one trial: 2.8 hours at the highest rate; one wrong time would make it endless
LEAST_HERTZ, MOST_HERTZ = 10.0, 5000.0  # no eye tracker samples less or more often: the times are in another unit
FAR = 30_000.0  # px: EyeLink and others write −32768 or 1e8 for a lost eye; no screen is as wide
SENTINELS = (0.0, -1.0)  # x = y = one of these: the ways in which other trackers write a lost eye


@dataclass(frozen=True, eq=False)
class Trial:
    """What one person's eye did while one stimulus was shown."""

    stimulus: str
    observer: str
    gaze: Gaze
    px_per_deg: float = np.nan  # where the recording says it
    tracked: Scanpath | None = None  # the fixations that the tracker found itself
    screen: tuple[int, int] | None = None  # width and height in px, where the recording says it
    columns: Mapping[str, str] = field(default_factory=dict)  # of a table: meaning → column
    validity: str = ""  # how the tracker says which samples are good, where it does
    doubts: tuple[str, ...] = ()  # what may have been misread


def mark_lost(x: Floats, y: Floats, valid: Bools | None = None) -> tuple[Floats, Floats]:
    """Coordinates with NaN where the eye was lost: no number, a sentinel of a tracker, or not `valid`.

    >>> mark_lost(np.array([5.0, 0.0, -32768.0, 7.0]), np.array([0.0, 0.0, 9.0, 8.0]))
    (array([ 5., nan, nan,  7.]), array([ 0., nan, nan,  8.]))
    """
    seen = np.isfinite(x) & np.isfinite(y) & (np.abs(x) < FAR) & (np.abs(y) < FAR)
    for value in SENTINELS:
        seen &= ~((x == value) & (y == value))
    if valid is not None:
        seen &= valid
    return np.where(seen, x, np.nan), np.where(seen, y, np.nan)


def sampling_rate(time_ms: Floats, where: str, options: Options = COMMAND) -> float:
    """Samples a second, from the mean of steps without a gap; refused where it is none of an eye tracker.

    Times in whole ms make uneven steps (16 or 17 ms at 60 Hz), so that the median would be off.

    >>> sampling_rate(np.array([0.0, 2.0, 4.0, 8.0]), "made.csv")
    500.0
    >>> round(sampling_rate(np.array([0.0, 16.0, 33.0, 50.0]), "made.csv"), 6)
    60.0
    """
    steps = np.diff(time_ms)
    if not len(steps):
        raise Misuse(f"{where}: got {len(time_ms)} samples; expected two or more, to tell the sampling rate")
    _check_increasing(time_ms, where)
    found = 1000.0 / float(steps[steps < 1.5 * np.median(steps)].mean())
    if not LEAST_HERTZ <= found <= MOST_HERTZ:
        raise Misuse(
            f"{where}: got {found:g} samples a second by its times; expected {LEAST_HERTZ:g} to {MOST_HERTZ:g}; if "
            f"the times are not in ms, give {options.unit}"
        )
    return found


def _check_increasing(time_ms: Floats, where: str) -> None:
    steps = np.diff(time_ms, prepend=-np.inf)
    wrong = np.flatnonzero(~((steps > 0) & np.isfinite(time_ms)))  # NaN is not, either
    if len(wrong):
        at = int(wrong[0])
        after = f", after {time_ms[at - 1]:.10g} ms" if at else ""
        raise Misuse(
            f"{where}: got the time {time_ms[at]:.10g} ms at sample {at + 1}{after}; "
            "expected increasing times; remove such rows"
        )


def even_gaze(
    time_ms: Floats,
    x: Floats,
    y: Floats,
    hertz: float,
    where: str = "the recording",
    options: Options = COMMAND,
) -> Gaze:
    """Samples put into even steps of time; a step without a sample is lost, and of two in one step the first counts.

    >>> even_gaze(np.array([100.0, 102.1, 106.0]), np.array([1.0, 2.0, 4.0]), np.zeros(3), 500.0).x
    array([ 1.,  2., nan,  4.])
    """
    _check_increasing(time_ms, where)
    if not hertz > 0 or (time_ms[-1] - time_ms[0]) * hertz / 1000 > MOST_STEPS:
        raise Misuse(
            f"{where}: got {(time_ms[-1] - time_ms[0]) / 1000:g} s at {hertz:g} Hz; expected at most {MOST_STEPS:,} "
            f"samples; if the times are not in ms, give {options.unit}"
        )
    at = np.rint((time_ms - time_ms[0]) * hertz / 1000).astype(np.int64)
    first = np.unique(at, return_index=True)[1]
    found = np.full((2, int(at[-1]) + 1), np.nan)
    found[:, at[first]] = x[first], y[first]
    return Gaze(found[0], found[1], hertz)


def lost(gaze: Gaze) -> Bools:
    """Which samples were lost."""
    return np.asarray(~(np.isfinite(gaze.x) & np.isfinite(gaze.y)))


def gaps_ms(gaze: Gaze) -> Floats:
    """How long each run of lost samples lasts.

    >>> gaps_ms(Gaze(np.array([1, np.nan, np.nan, 2, np.nan]), np.zeros(5), 500.0))
    array([4., 2.])
    """
    edges = np.flatnonzero(np.diff(lost(gaze).astype(np.int8), prepend=0, append=0)).reshape(-1, 2)
    return np.asarray(np.diff(edges, axis=1)[:, 0] * 1000.0 / gaze.hertz)


def widen_gaps(trials: Iterable[Trial], around_ms: float) -> list[Trial]:
    """The same trials without the samples just before and after each gap: a closing lid draws the gaze downwards.

    >>> one = Trial("p", "a", Gaze(np.array([1, 2, np.nan, 4.0, 5]), np.zeros(5), 500.0))
    >>> widen_gaps([one], 2.0)[0].gaze.x
    array([ 1., nan, nan, nan,  5.])
    """
    if not around_ms >= 0:
        raise Misuse(f"got {around_ms} ms around gaps; expected 0 or more")
    return [replace(trial, gaze=_widened(trial.gaze, around_ms)) for trial in trials]


def _widened(gaze: Gaze, around_ms: float) -> Gaze:
    reach = round(around_ms * gaze.hertz / 1000)
    if not reach or not len(gaze):
        return gaze
    gone = np.convolve(lost(gaze), np.ones(2 * reach + 1), "full")[reach : reach + len(gaze)] > 0
    return replace(gaze, x=np.where(gone, np.nan, gaze.x), y=np.where(gone, np.nan, gaze.y))
