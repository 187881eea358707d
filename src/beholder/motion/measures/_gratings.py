"""What the checks on gratings read: responses by size in windows that begin with the response."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from beholder.motion.measures._series import Floats, Seen, series
from beholder.motion.types import Trace

WINDOWS = ((0.0, 0.04), (0.04, 0.08), (0.08, 0.12))  # s after the onset of the response (spec 5.5)
FLAT = 0.05  # of a response: smaller differences over size are none
EQUAL = 1e-3  # of the strongest response: what is nearer to it is as strong


def began(those: Sequence[Seen]) -> float:
    """The onset of the earliest response to discs of one contrast, in seconds from that of motion; 0 without any.

    One for all sizes, as in the experiments: a disc whose response comes later than that has a weaker one.
    """
    earliest = min((one.onset for one in those), default=np.inf)
    return float(earliest) if np.isfinite(earliest) else 0.0


def travelled(of: Trace, start: float, end: float) -> float:
    """∫|v|dt over a window, from the mean speed in it; NaN speeds are none, and a window without an instant is 0."""
    inside = (of.seconds >= start - 1e-9) & (of.seconds <= end + 1e-9)
    speed = np.nan_to_num(np.hypot(*of.velocity[inside].T))
    return float(speed.mean() * (end - start)) if speed.size else 0.0


def responses(those: Sequence[Seen], start: float, end: float) -> tuple[Floats, Floats]:
    """R(d) in a window that counts from the onset of the response: diameters and responses."""
    since = began(those)
    return series(those, "diameter", lambda one: travelled(one.trace, since + start, since + end))


def strongest(those: Sequence[Seen], start: float, end: float) -> float:
    """d*: the smallest diameter whose response is within 0.1 % of the strongest."""
    diameters, response = responses(those, start, end)
    return float(diameters[np.flatnonzero(response >= response.max() * (1 - EQUAL))[0]])


def summed(those: Sequence[Seen], start: float, end: float) -> bool:
    """Whether the response grows with size at all."""
    _, response = responses(those, start, end)
    return bool(response.max() > (1 + FLAT) * response[0])


def saturates(those: Sequence[Seen]) -> bool:
    """Whether the early response grows with size and then stays, or falls a little."""
    diameters, response = responses(those, *WINDOWS[0])
    at = int(np.searchsorted(diameters, strongest(those, *WINDOWS[0])))
    rises = (np.diff(response[: at + 1]) >= 0).all()
    last = response[-1] / response[-2] - 1 if response[-2] > 0 else np.inf
    return bool(rises and summed(those, *WINDOWS[0]) and (at < len(diameters) - 1 or -0.25 <= last <= FLAT))


def suppression(those: Sequence[Seen], start: float, end: float) -> float:
    """1 − R(d_max)/R(d*): how much the largest disc is suppressed; NaN without any response."""
    _, response = responses(those, start, end)
    return float(1 - response[-1] / response.max()) if response.max() > 0 else np.nan
