"""From a model's continuous trajectory to fixations: by dispersion, and as the released G-Eymol does it."""

from __future__ import annotations

import numpy as np

from beholder.attention.gaze.detection import Gaze, dispersion
from beholder.attention.types import Floats, Scanpath, scanpath

RELEASED_PX, RELEASED_MS = 25.0, 50.0  # of the released G-Eymol [V]


def dispersion_fixations(points: Floats, *, hertz: float, px_per_deg: float, threshold: float = 1.5) -> Scanpath:
    """The fixations of a model's trajectory (t, 2), x and y: where it stays within `threshold` degrees for 80 ms.

    They are found by `dispersion`, because models glide where eyes jump. A trajectory that never rests has none.
    """
    gaze = Gaze(np.ascontiguousarray(points[:, 0]), np.ascontiguousarray(points[:, 1]), hertz)
    return dispersion(gaze, px_per_deg=px_per_deg, threshold=threshold)


def geymol_fixations(
    points: Floats, times_ms: Floats, *, limit: float = RELEASED_PX, least_ms: float = RELEASED_MS
) -> Scanpath:
    """Fixations as the released G-Eymol finds them: samples within `limit` px of the one where the fixation began.

    A fixation begins with the second of two samples that are near each other, lies where that one does, not at the
    middle, and ends with the last sample near it; one of less than `least_ms` is none, but the last one counts
    however short it is. The limit is in px of the picture, so that results depend on its resolution.

    Deviation: without any fixation the program ends with an IndexError; here the scanpath is empty.

    >>> found = geymol_fixations(np.array([[0, 0], [1, 0], [2, 0], [90, 0]], float), 40.0 * np.arange(4), least_ms=30)
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
