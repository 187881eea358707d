"""From a continuous trajectory to fixations: by dispersion, by velocity, and as the released G-Eymol does it.

`beholder.attention.detection` has the velocity threshold (I-VT) and the criterion of MIT1003; here is the dispersion
threshold (I-DT), and what turns trajectories of models into scanpaths.
"""

from __future__ import annotations

import numpy as np

from beholder.attention import detection
from beholder.attention.detection import Gaze, Spans
from beholder.attention.types import Floats, Scanpath, scanpath
from beholder.compiled import compiled
from beholder.spine.misuse import Misuse

RELEASED_PX, RELEASED_MS = 25.0, 50.0  # of the released G-Eymol [V]


def dispersion(gaze: Gaze, *, px_per_deg: float = 34.0, threshold: float = 1.0, shortest_ms: float = 80.0) -> Scanpath:
    """Fixations by the dispersion threshold (I-DT; Salvucci and Goldberg 2000), in degrees.

    From a window of `shortest_ms` on, samples join while (max x − min x) + (max y − min y) ≤ `threshold`; a window that
    is wider loses its first sample. A sample that was not seen ends a window. Runs less than 75 ms and half a degree
    apart are one. A fixation lies at the mean of its samples.
    """
    if not (threshold > 0 and shortest_ms >= 0):
        raise Misuse(f"got threshold={threshold}, shortest_ms={shortest_ms}; expected above 0 deg, and 0 ms or more")
    if not 0 < px_per_deg < np.inf:
        raise Misuse(f"got {px_per_deg} px per degree; expected a number above 0: detectors need it; say px_per_deg=")
    least = max(1, int(np.ceil(shortest_ms * gaze.hertz / 1000)))
    found = _windows(np.asarray(gaze.x, float), np.asarray(gaze.y, float), threshold * px_per_deg, least)
    spans: Spans = [(int(a), int(b)) for a, b in found]
    return detection.found_fixations(gaze, detection.joined_spans(gaze, spans, px_per_deg), np.nanmean)


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


def rests(points: Floats, *, hertz: float, px_per_deg: float, threshold: float = 1.5) -> Scanpath:
    """The fixations of a model's trajectory (t, 2), x and y: where it stays within `threshold` degrees for 80 ms.

    By `dispersion`, because models glide more slowly than eyes jump. A trajectory that never rests has none.
    """
    gaze = Gaze(np.ascontiguousarray(points[:, 0]), np.ascontiguousarray(points[:, 1]), hertz)
    return dispersion(gaze, px_per_deg=px_per_deg, threshold=threshold)


def released(
    points: Floats, times_ms: Floats, *, limit: float = RELEASED_PX, least_ms: float = RELEASED_MS
) -> Scanpath:
    """Fixations as the released G-Eymol finds them: samples within `limit` px of the one where the fixation began.

    A fixation begins with the second of two samples that are near each other, lies where that one does, not at the
    middle, and ends with the last sample near it; one of less than `least_ms` is none, but the last one counts
    however short it is. The limit is in px of the picture, so that results depend on its resolution.

    Deviation: without any fixation the program ends with an IndexError; here the scanpath is empty.

    >>> found = released(np.array([[0, 0], [1, 0], [2, 0], [90, 0]], float), 40.0 * np.arange(4), least_ms=30)
    >>> found.x, found.onset_ms, found.duration_ms
    (array([1.]), array([40.]), array([40.]))
    """
    rows: list[tuple[float, float, float, float]] = []
    anchor, resting = 0, False
    for at in range(1, len(points)):
        near = bool(np.hypot(*(points[at] - points[anchor])) <= limit)
        if near and not resting:
            anchor, resting = at, True
        elif not near:
            lasts = times_ms[at - 1] - times_ms[anchor]
            if resting and lasts >= least_ms:
                rows.append((*points[anchor], times_ms[anchor], lasts))
            anchor, resting = at, False
    if resting:
        rows.append((*points[anchor], times_ms[anchor], times_ms[-1] - times_ms[anchor]))
    x, y, onset, lasts = np.array(rows, float).reshape(-1, 4).T
    return scanpath(x, y, onset_ms=onset, duration_ms=lasts)
