"""How long each picture of a clip stays: repeated frames, and the cadence that a clip has anyway."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.video.evidence import Evidence
from beholder.video.types import Floats

SAME = 0.12  # of the usual difference: less, and the frame is the one before
USUAL = 80  # percentile of differences that is usual; the median is 0 once half of the frames are repeated
AROUND = 1.5  # s before and after from which the usual difference is taken, so that a rest is not a repeat
FEWEST = 5  # frames from which one can say what is usual
COPY = 0.02  # levels: two frames that differ by less are copies, in any footage with noise
STILL = 0.1  # levels: where differences hardly exceed that, repeats cannot be told from rest
OFTEN = 0.05  # share of the holds: the cadence is the hold that fewer than these undercut
SUDDEN = 0.5  # of the usual difference, before a hold or after it: motion that slows down before and gathers speed
# after comes to rest; motion that is interrupted does not


class Holds(NamedTuple):
    """The pictures of a clip: when each comes, how long it stays, how long it would stay in an even cadence."""

    starts: Floats
    lengths: Floats  # seconds
    cadence: float  # seconds
    sudden: NDArray[np.bool_]  # whether it interrupts motion

    @property
    def excess(self) -> Floats:
        """Seconds that each picture stays longer than it should."""
        over = (self.lengths > 1.25 * self.cadence) & self.sudden
        return np.where(over, self.lengths - self.cadence, 0.0)


def repeated(found: Evidence) -> NDArray[np.bool_]:
    """Which frames are the frame before once more.

    A repeat differs by less than 0.12 of the 80th percentile of differences around it; or by nothing at all,
    in a clip where frames do differ.
    """
    change = found.frames.difference
    same: NDArray[np.bool_] = change < SAME * _expected(found)
    same |= (change < COPY) & (usual_change(found) > STILL)
    same[0] = False
    return same


def _expected(found: Evidence) -> Floats:
    """How much each frame would differ from the one before if it were no repeat."""
    around = _around(found.frames.difference, found.facts.times)
    usual: Floats = np.where(np.isfinite(around), around, usual_change(found))
    return usual * _contrast(found.frames.sharpness)


def usual_change(found: Evidence) -> float:
    """The 80th percentile of differences between successive frames, in levels."""
    change = found.frames.difference[1:]
    return float(np.percentile(change, USUAL)) if change.size else 0.0


def _contrast(sharpness: Floats) -> Floats:
    """Fine contrast of each frame against the usual, at most 1: blurred frames differ less without being the same."""
    gain: Floats = np.minimum(1.0, np.exp((sharpness - np.median(sharpness)) / 2))  # Q is a log of squares
    return gain


def _around(change: Floats, times: Floats) -> Floats:
    """The usual difference before or after each frame, whichever is less: a subject may have come to rest."""
    at = np.arange(len(times))
    first = np.maximum(1, np.searchsorted(times, times - AROUND))
    last = np.searchsorted(times, times + AROUND, side="right")
    before = [_usual(change[lo:hi]) for lo, hi in zip(first, at + 1, strict=True)]
    after = [_usual(change[lo:hi]) for lo, hi in zip(np.maximum(1, at), last, strict=True)]
    return np.minimum(before, after)


def _usual(change: Floats) -> float:
    """Infinite, which is to say unknown, where there are too few frames."""
    return float(np.percentile(change, USUAL)) if len(change) >= FEWEST else np.inf


def holds(found: Evidence) -> Holds:
    """The pictures of a clip and how long they stay.

    The cadence is the 5 % quantile of the holds: one frame in most clips, two where a maker has shown every frame
    twice, which is a slower clip and not a stuttering one. The first and the last picture may be cut short.
    """
    times = found.facts.times
    new = np.flatnonzero(~repeated(found))
    lengths = np.diff(times[new], append=times[0] + found.facts.seconds)
    inner = lengths[1:-1] if lengths.size > 2 else lengths
    return Holds(times[new], lengths, float(np.quantile(inner, OFTEN, method="lower")), _sudden(found, new))


def _sudden(found: Evidence, new: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which pictures come, or go, in full motion."""
    change, expected = found.frames.difference[new], _expected(found)[new]
    after = np.append(change[1:], 0.0)
    sudden: NDArray[np.bool_] = np.maximum(change, after) >= SUDDEN * expected
    return sudden
