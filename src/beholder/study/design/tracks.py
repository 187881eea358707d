"""Gaze for playback: traces of the eye from fixations or samples, and the one way in which all become tracks.

Every track of a study, whoever made it, passes through `track`: the same rate, the same length, the same smoothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from beholder.errors import Misuse
from beholder.study.design.exhibition import Track

Floats = NDArray[np.float64]

FINE = 500.0  # Hz of traces that are made from fixations
BASE, SLOPE = 0.021, 0.0022  # s, s/deg: the main sequence, duration of a saccade = 21 ms + 2.2 ms/deg (Carpenter 1988)
DRIFT, FORGETS = 0.08, 0.15  # deg, s: spread and time constant of the eye's drift while it fixates; ours
SMOOTHING = 0.012  # s: standard deviation of the Gaussian that all tracks are smoothed by; below a frame of 50 Hz
BLINK = 0.4  # s: longer gaps are not bridged, neither between samples nor between fixations
MISSING = 0.25  # share of a trial that may be bridged
SLOWEST, FASTEST = 25.0, 60.0  # Hz of a track


@dataclass(frozen=True, eq=False)
class Trace:
    """Where an eye was, finely in time; NaN where it was not seen."""

    seconds: Floats  # (n,), rising, from 0
    points: Floats  # (n, 2), px of the picture

    @property
    def end(self) -> float:
        """Until when it goes."""
        return float(self.seconds[-1]) if len(self.seconds) else 0.0

    def until(self, seconds: float) -> Trace:
        """Its beginning."""
        held = self.seconds <= seconds
        return Trace(self.seconds[held], self.points[held])

    def reversed(self) -> Trace:
        """The same backwards in time."""
        return Trace(self.end - self.seconds[::-1], self.points[::-1])


def saccade_seconds(degrees: Floats) -> Floats:
    """How long saccades of some amplitudes last, by the main sequence.

    >>> saccade_seconds(np.array([0.0, 10.0]))
    array([0.021, 0.043])
    """
    return np.asarray(BASE + SLOPE * np.asarray(degrees, np.float64))


def timed(points: Floats, duration: Floats, onset: Floats | None, px_per_deg: float) -> tuple[Floats, Floats]:
    """When each saccade after a fixation begins and ends, in seconds since the first fixation began.

    With onsets a saccade ends when the next fixation begins; without them it begins when the fixation is over. It lasts
    as long as the main sequence says, or until the fixation before it is half as long as it was.
    """
    lasts = saccade_seconds(np.hypot(*np.diff(points, axis=0).T) / px_per_deg)
    if onset is None or not np.isfinite(onset).all():
        ends = np.cumsum(duration[:-1] + lasts)
    else:
        ends = np.maximum.accumulate(onset[1:] - onset[0])
    before = np.concatenate([[0.0], ends[:-1]])
    return np.maximum(ends - lasts, before + (ends - before) / 2), ends


def from_fixations(
    points: Floats,
    duration: Floats,
    *,
    rng: np.random.Generator,
    onset: Floats | None = None,
    px_per_deg: float = 35.0,
) -> Trace:
    """A trace from fixations (n, 2) in px: they are joined by synthetic saccades, and the eye drifts a little.

    Saccades last as long as the main sequence says and move by 10 s³ − 15 s⁴ + 6 s⁵ (least jerk). The drift is an
    Ornstein–Uhlenbeck process of 0.08 deg and 0.15 s. Durations and onsets are in seconds.
    """
    if not len(points):
        return Trace(np.empty(0), np.empty((0, 2)))
    starts, ends = timed(points, duration, onset, px_per_deg)
    last = float(ends[-1]) if len(ends) else 0.0
    seconds = np.arange(round((last + float(duration[-1])) * FINE) + 1) / FINE
    at = np.searchsorted(ends, seconds, side="right")  # the fixation that a moment belongs to, or leads away from
    from_, to = points[at], points[np.minimum(at + 1, len(points) - 1)]
    moving = np.minimum(at, max(len(ends) - 1, 0))
    share = np.zeros(len(seconds))
    if len(ends):
        share = np.clip((seconds - starts[moving]) / np.maximum(ends[moving] - starts[moving], 1e-9), 0, 1)
        share[at >= len(ends)] = 0
    smooth = share**3 * (10 - 15 * share + 6 * share**2)
    path = from_ + (to - from_) * smooth[:, None]
    return Trace(seconds, path + drift(len(seconds), rng) * px_per_deg)


def longest_gap(duration: Floats, onset: Floats | None) -> float:
    """The longest time between the end of a fixation and the beginning of the next, in s; 0 where onsets are unknown.

    >>> longest_gap(np.array([0.2, 0.2, 0.1]), np.array([0.0, 0.25, 1.0]))
    0.55
    """
    if onset is None or len(onset) < 2 or not np.isfinite(onset).all():
        return 0.0
    return round(max(0.0, float((onset[1:] - onset[:-1] - duration[:-1]).max())), 6)


def drift(count: int, rng: np.random.Generator, hertz: float = FINE) -> Floats:
    """(count, 2), in degrees: an Ornstein–Uhlenbeck process, begun in its steady state."""
    memory = round(6 * FORGETS * hertz)  # samples, after which nothing is left of what was
    keep = float(np.exp(-1 / (FORGETS * hertz)))
    noise = rng.normal(0, DRIFT * np.sqrt(1 - keep**2), (2, count + memory))
    fades = keep ** np.arange(memory + 1)
    return np.stack([np.convolve(one, fades, mode="valid") for one in noise], axis=1)


def gap_fault(trace: Trace) -> str:
    """Why a recording cannot be shown, or nothing: gaps that are too long, or too many."""
    unseen = ~np.isfinite(trace.points).all(axis=1)
    if unseen.all():
        return "the tracker never saw the eye"
    edges = np.flatnonzero(np.diff(unseen.astype(np.int8), prepend=0, append=0)).reshape(-1, 2)
    step = trace.end / max(len(trace.seconds) - 1, 1)
    longest = float((edges[:, 1] - edges[:, 0]).max() * step) if len(edges) else 0.0
    if longest > BLINK:
        return f"the tracker lost the eye for {longest:.2f} s, longer than a blink"
    return f"the tracker lost the eye for {unseen.mean():.0%} of the time" if unseen.mean() > MISSING else ""


def bridged(trace: Trace) -> Trace:
    """A recording with its blinks bridged by straight lines; at its ends, by what is next to them."""
    seen = np.isfinite(trace.points).all(axis=1)
    filled = [np.interp(trace.seconds, trace.seconds[seen], trace.points[seen, axis]) for axis in (0, 1)]
    return replace(trace, points=np.stack(filled, axis=1))


def track(trace: Trace, shape: tuple[int, int], *, hertz: float, seconds: float) -> Track:
    """A trace as it is played: at `hertz`, for `seconds`, smoothed, as shares of a picture of `shape` (rows, columns).

    What lies outside the picture is moved to its border.

    >>> still = Trace(np.array([0.0, 1.0]), np.array([[50.0, 20.0], [50.0, 20.0]]))
    >>> track(still, (40, 100), hertz=25, seconds=0.08)
    array([[0.  , 0.5 , 0.5 ],
           [0.04, 0.5 , 0.5 ],
           [0.08, 0.5 , 0.5 ]])
    """
    if not SLOWEST <= hertz <= FASTEST:
        raise Misuse(f"got tracks of {hertz:g} Hz; expected {SLOWEST:g} to {FASTEST:g}")
    from scipy.ndimage import gaussian_filter1d

    fine = np.arange(round(seconds * FINE) + 1) / FINE
    dense = np.stack([np.interp(fine, trace.seconds, trace.points[:, axis]) for axis in (0, 1)], axis=1)
    smooth = gaussian_filter1d(dense, SMOOTHING * FINE, axis=0, mode="nearest")
    times = np.arange(round(seconds * hertz) + 1) / hertz
    shown = np.stack([np.interp(times, fine, smooth[:, axis]) / shape[1 - axis] for axis in (0, 1)], axis=1)
    return np.column_stack([times, np.clip(shown, 0, 1)])
