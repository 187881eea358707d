"""What the checks on gratings read: responses by size in windows that begin with the response."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from beholder.errors import Misuse
from beholder.motion.courses.series import Floats, Seen, series
from beholder.motion.courses.summation import FLAT
from beholder.motion.references import record
from beholder.motion.types import Trace

Window = tuple[float, float]

LITTLE = 0.25  # of the strongest response: a fall by more is no slight decrease (spec 5.5)
NOISES = 3.0  # standard deviations: what chance may do, as for the decay of an error
TO_SD = 1.4826  # times the median size of a normal deviate


def windows(reference: str = "") -> tuple[Window, ...]:
    """From and to, in seconds after the onset of the response: one window after the other, as `grating.windows` says.

    >>> windows()
    ((0.0, 0.04), (0.04, 0.08), (0.08, 0.12))
    """
    ends = record("grating.windows", reference).levels
    starts = (0.0, *ends[:-1])
    if len(ends) < 2 or any(end <= start for start, end in zip(starts, ends, strict=True)):
        raise Misuse(f"got grating.windows with levels {list(ends)}; expected the ends of two windows or more, growing")
    return tuple(zip(starts, ends, strict=True))


def earliest_onset(those: Sequence[Seen]) -> float:
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
    since = earliest_onset(those)
    return series(those, "diameter", lambda one: travelled(one.trace, since + start, since + end))


def strongest(those: Sequence[Seen], start: float, end: float) -> float:
    """d*: the smallest diameter whose response is within 5 % of the strongest; smaller differences are none."""
    diameters, response = responses(those, start, end)
    return float(diameters[np.flatnonzero(response >= response.max() * (1 - FLAT))[0]])


def share(those: Sequence[Seen], size: float, start: float, end: float) -> float:
    """R(d)/max R of a disc of some size; 0 without any response, NaN without such a disc."""
    diameters, response = responses(those, start, end)
    own = response[diameters == size]
    return float(own[0] / max(response.max(), 1e-300)) if own.size else np.nan


def grows_with_size(those: Sequence[Seen], start: float, end: float) -> bool:
    """Whether the response grows with size at all."""
    _, response = responses(those, start, end)
    return bool(response.max() > (1 + FLAT) * response[0])


def saturates(those: Sequence[Seen], start: float, end: float) -> bool:
    """Whether the response of a window, the early one, grows with size and then stays, or falls a little.

    It grows up to d*, which is not the largest disc, by more than the jitter of speeds may do; and beyond d* no
    response is more than 25 % below the strongest.
    """
    diameters, response = responses(those, start, end)
    at = int(np.searchsorted(diameters, strongest(those, start, end)))
    rises = (np.diff(response[: at + 1]) >= 0).all() and response.max() - response[0] > by_chance(those, start, end)
    stays = at < len(diameters) - 1 and response[at:].min() >= (1 - LITTLE) * response.max()
    return bool(rises and stays and grows_with_size(those, start, end))


def by_chance(those: Sequence[Seen], start: float, end: float) -> float:
    """By how much two responses of a window may differ by the jitter of speeds alone: three standard deviations."""
    seconds, since = those[0].trace.seconds, earliest_onset(those)
    instants = int(((seconds >= since + start - 1e-9) & (seconds <= since + end + 1e-9)).sum())
    return float(NOISES * np.sqrt(2 / max(instants, 1)) * jitter(those) * (end - start))


def jitter(those: Sequence[Seen]) -> float:
    """How much the speeds of some courses vary from instant to instant, in deg/s: a standard deviation.

    From the median size of second differences, so that neither a rise nor a single step counts; 0 for fewer than three
    instants.
    """
    sizes = np.abs(np.concatenate([np.diff(np.hypot(*one.trace.velocity.T), 2) for one in those]))
    sizes = sizes[np.isfinite(sizes)]
    return float(TO_SD * np.median(sizes) / np.sqrt(6)) if sizes.size else 0.0


def suppression(those: Sequence[Seen], start: float, end: float) -> float:
    """1 − R(d_max)/max R: how much the largest disc is suppressed; NaN without any response."""
    _, response = responses(those, start, end)
    return float(1 - response[-1] / response.max()) if response.max() > 0 else np.nan
