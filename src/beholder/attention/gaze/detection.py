"""From samples of gaze to fixations: by acceleration, as MIT1003 was made, by velocity and by dispersion.

A detector takes `Gaze` and, by name, px_per_deg, and answers with a `Scanpath`; `DETECTORS` has them by name, so that
scores under two of them can stand side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beholder.attention.types import Floats, Scanpath, scanpath
from beholder.errors import Misuse
from beholder.jit import compiled

Spans = list[tuple[int, int]]  # first sample and the one after the last; of saccades the last one

# Judd's program counts samples of 240 Hz: 4 are smoothed, 3 successive ones begin a saccade, 25 are searched for its
# end, 12 are too short for a fixation. At other rates the same times hold.
RATE = 240.0
TAPS, RUN, SEARCH, SHORT = 4, 3, 25, 12
GAP_MS, GAP_DEG = 75.0, 0.5  # between runs that are one: the defaults of Tobii's filter, from memory


@dataclass(frozen=True, eq=False)
class Gaze:
    """Samples of where one eye looked, in px of the picture, evenly in time; NaN where it was not seen."""

    x: Floats
    y: Floats
    hertz: float
    start_ms: float = 0.0  # of the first sample, since the picture appeared

    def __post_init__(self) -> None:
        if self.x.shape != self.y.shape or self.x.ndim != 1:
            raise ValueError(
                f"got x of {self.x.shape} and y of {self.y.shape}; expected two columns of the same length"
            )
        if not 0 < self.hertz < np.inf:
            raise ValueError(f"got {self.hertz} samples a second; expected a finite number above 0")

    def __len__(self) -> int:
        return len(self.x)


def acceleration(gaze: Gaze, *, px_per_deg: float = 34.0, criterion: float = 6.0) -> Scanpath:
    """Fixations by the acceleration criterion that MIT1003 was made with (Judd et al. 2009), without MATLAB.

    Sample steps, |p(i) − p(i−1)|, are smoothed by a causal mean of 4; a(k) is the difference of the speeds over the
    steps k … k+4 and k+1 … k+5. Three or more successive samples with a > criterion · px_per_deg begin a saccade. It
    ends with the first samples after these that have a < −criterion · px_per_deg, looked for within 25; without them
    it is none, save the only one, if it lasts to the last a. Saccades that begin 12 samples or less after the end of
    another are one with it; one that ends 12 samples or less before the data do lasts to their end. Fixations are
    what lies between: at the median of their samples, as long as these are. Without a saccade there is one.

    Deviation: the published program was read, not run. At other rates than 240 Hz its windows keep their times. Trials
    of which more than half is missing, which it flags, are not left out, as nobody does.
    """
    change = _acceleration(gaze)
    limit = criterion * _check_scale(px_per_deg) * RATE / gaze.hertz  # of a sample of 1/240 s
    saccades = _merged(_saccades(change, limit, gaze), gaze)
    return fixations_from_spans(gaze, _between(saccades, len(gaze)), np.nanmedian)


def velocity(gaze: Gaze, *, px_per_deg: float = 34.0, threshold: float = 30.0, shortest_ms: float = 60.0) -> Scanpath:
    """Fixations by the velocity threshold (I-VT; Salvucci and Goldberg 2000): runs of samples slower than `threshold`.

    Speed is the distance between the neighbours of a sample over their time, in deg/s; a sample beside one that is
    missing is fast. Runs less than 75 ms and half a degree apart are one, as a short blink leaves them. What is shorter
    than `shortest_ms` is none. A fixation lies at the mean of its samples.
    """
    if len(gaze) < TAPS:
        return scanpath([], [])
    far = np.hypot(gaze.x[2:] - gaze.x[:-2], gaze.y[2:] - gaze.y[:-2])
    speed = np.pad(far * gaze.hertz / (2 * _check_scale(px_per_deg)), 1, mode="edge")
    slow = (speed < threshold) & np.isfinite(gaze.x) & np.isfinite(gaze.y)
    least = shortest_ms * gaze.hertz / 1000
    joined = join_spans(gaze, _runs(slow), px_per_deg)
    return fixations_from_spans(gaze, [(a, b) for a, b in joined if b - a >= least], np.nanmean)


def dispersion(gaze: Gaze, *, px_per_deg: float = 34.0, threshold: float = 1.0, shortest_ms: float = 80.0) -> Scanpath:
    """Fixations by the dispersion threshold (I-DT; Salvucci and Goldberg 2000), in degrees.

    From a window of `shortest_ms` on, samples join while (max x − min x) + (max y − min y) ≤ `threshold`; a window that
    is wider loses its first sample. A sample that was not seen ends a window. Runs less than 75 ms and half a degree
    apart are one. A fixation lies at the mean of its samples.
    """
    if not (threshold > 0 and shortest_ms >= 0):
        raise Misuse(f"got threshold={threshold}, shortest_ms={shortest_ms}; expected above 0 deg, and 0 ms or more")
    least = max(1, int(np.ceil(shortest_ms * gaze.hertz / 1000)))
    found = _windows(np.asarray(gaze.x, float), np.asarray(gaze.y, float), threshold * _check_scale(px_per_deg), least)
    spans: Spans = [(int(a), int(b)) for a, b in found]
    return fixations_from_spans(gaze, join_spans(gaze, spans, px_per_deg), np.nanmean)


DETECTORS: Mapping[str, Callable[..., Scanpath]] = {
    "acceleration": acceleration,
    "velocity": velocity,
    "dispersion": dispersion,
}


def detector(name: str) -> Callable[..., Scanpath]:
    """Look up a detector by name."""
    if name not in DETECTORS:
        raise Misuse(f"got the detector {name!r}; expected one of {', '.join(DETECTORS)}")
    return DETECTORS[name]


def _check_scale(px_per_deg: float) -> float:
    if not 0 < px_per_deg < np.inf:
        raise Misuse(
            f"got {px_per_deg} px per degree; expected a number above 0, which detectors need; set px_per_deg="
        )
    return px_per_deg


def _samples(gaze: Gaze, count: int) -> int:
    """How many samples last as long as `count` of them at 240 Hz."""
    return max(1, round(count * gaze.hertz / RATE))


def _acceleration(gaze: Gaze) -> Floats:
    """Change of speed from each sample to the next, px/s; 0 where the window does not fit."""
    if len(gaze) == 0:
        return np.zeros(0)
    taps = _samples(gaze, TAPS)
    steps = np.hypot(np.diff(gaze.x, prepend=gaze.x[:1]), np.diff(gaze.y, prepend=gaze.y[:1]))
    steps[0] = 0
    padded = np.concatenate([np.zeros(taps - 1), steps])
    smooth = np.lib.stride_tricks.sliding_window_view(padded, taps).mean(axis=1)
    change = np.zeros(len(gaze))
    ahead = taps + 1
    if len(gaze) > ahead + 1:
        change[1:-ahead] = (smooth[1 + ahead :] - smooth[1:-ahead]) * gaze.hertz / taps
    return change


def _saccades(change: Floats, limit: float, gaze: Gaze) -> Spans:
    """First and last sample of each saccade."""
    slowing = change < -limit
    ends = np.flatnonzero(slowing[:-1] & ~slowing[1:])
    rising = [(a, b - 1) for a, b in _runs(change > limit) if b - a >= _samples(gaze, RUN)]
    found: Spans = []
    for first, last in rising:
        reach = min(last + _samples(gaze, SEARCH), len(gaze) - 3)  # the program looks one sample ahead of the end
        end = ends[(ends > last) & (ends <= reach)][:1]
        if end.size:
            found.append((first, int(end[0])))
        elif len(rising) == 1 and last == np.flatnonzero(change)[-1]:
            found.append((first, len(gaze) - 1))
    return found


def _merged(saccades: Spans, gaze: Gaze) -> Spans:
    """Saccades without those fixations between them that are too short."""
    short = _samples(gaze, SHORT)
    found: Spans = []
    for first, last in saccades:
        near = bool(found) and first - found[-1][1] <= short
        found.append((found.pop()[0] if near else first, last))
    if found and len(gaze) - 1 - found[-1][1] <= short:
        found[-1] = (found[-1][0], len(gaze) - 1)
    return found


@compiled
def _windows(x: Floats, y: Floats, limit: float, least: int) -> Floats:
    """(n, 2): first sample and the one after the last of every window that is narrow enough."""
    found = np.empty((len(x) // least + 1, 2))
    count, first, after = 0, 0, 0
    while first + least <= len(x):
        left = right = x[first]
        top = low = y[first]
        after = first
        while after < len(x) and not (np.isnan(x[after]) or np.isnan(y[after])):
            left, right = min(left, x[after]), max(right, x[after])
            top, low = min(top, y[after]), max(low, y[after])
            if right - left + low - top > limit:
                break
            after += 1
        if after - first >= least:
            found[count] = first, after
            count += 1
            first = after
        else:
            first += 1
    return found[:count]


def _between(saccades: Spans, length: int) -> Spans:
    """The spans between saccades."""
    starts = [0, *(last + 1 for _, last in saccades)]
    ends = [*(first for first, _ in saccades), length]
    return [(a, b) for a, b in zip(starts, ends, strict=True) if b > a]


def _runs(mask: NDArray[np.bool_]) -> Spans:
    """Where a mask is true for a while.

    >>> _runs(np.array([True, False, True, True]))
    [(0, 1), (2, 4)]
    """
    edges = np.flatnonzero(np.diff(mask.astype(np.int8), prepend=0, append=0))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


def join_spans(gaze: Gaze, spans: Spans, px_per_deg: float) -> Spans:
    """Join spans that are near in time and place."""
    points = np.stack([gaze.x, gaze.y])
    found: Spans = []
    for first, after in spans:
        near = bool(found) and first - found[-1][1] <= GAP_MS * gaze.hertz / 1000
        if near:
            before, after_gap = (np.nanmean(points[:, a:b], axis=1) for a, b in (found[-1], (first, after)))
            near = bool(np.hypot(*(after_gap - before)) <= GAP_DEG * px_per_deg)
        found.append((found.pop()[0] if near else first, after))
    return found


def fixations_from_spans(gaze: Gaze, spans: Spans, place: Callable[..., np.floating]) -> Scanpath:
    """One fixation per span in which the eye was seen."""
    held = [(a, b) for a, b in spans if np.isfinite(gaze.x[a:b] + gaze.y[a:b]).any()]
    return scanpath(
        [place(gaze.x[a:b]) for a, b in held],
        [place(gaze.y[a:b]) for a, b in held],
        onset_ms=[gaze.start_ms + 1000 * a / gaze.hertz for a, _ in held],
        duration_ms=[1000 * (b - a) / gaze.hertz for a, b in held],
    )
