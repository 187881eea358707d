"""Two modes of looking: focal fixations, which follow a short saccade, and ambient ones, which follow a long one."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from beholder.attention.gaze.saccades import amplitudes
from beholder.attention.maps.fixation_maps import made_once
from beholder.attention.types import Floats, Lookers, Scanpath
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse

Mode = Literal["focal", "ambient"]
By = Literal["amplitude", "clusters"]

LIMIT = 5.0  # degrees: Pannasch, Schulz & Velichkovsky 2011


class Modes(NamedTuple):
    """The fixations of a group, split in two; the first of a path, or after one left out, follows no known saccade."""

    focal: Lookers
    ambient: Lookers
    limit_px: float  # a fixation is ambient where the saccade before it is longer
    undefined: int


def split_modes(lookers: Lookers, *, by: By = "amplitude", limit: float = LIMIT) -> Modes:
    """Split fixations by the saccade before each: longer than `limit` degrees is ambient, else focal.

    With "clusters" (Follet, Le Meur & Baccino 2011) the limit is found: that of the two classes of amplitudes of the
    whole group with the least sum of squared deviations from their means (2-means, exact). It needs no degrees.
    A map for each is `continuous_map(modes(lookers).focal)`.

    >>> from beholder.attention.types import scanpath
    >>> path = scanpath([0, 1, 9, 8], [0, 0, 0, 0])
    >>> split = split_modes(Lookers({"a": path}, (1, 10)), by="clusters")
    >>> split.focal.paths["a"].x, split.ambient.paths["a"].x, split.undefined
    (array([1., 8.]), array([9.]), 1)
    """
    limit_px = _limit(lookers, by, limit)
    whole = None if lookers.whole is None else lookers.everyone
    parts = [_of_mode(lookers, mode, limit_px) for mode in ("focal", "ambient")]
    if whole is not None:
        wholes = made_once(
            whole, ("modes", limit_px), lambda: [_of_mode(whole, m, limit_px) for m in ("focal", "ambient")]
        )
        parts = [replace(part, whole=of) for part, of in zip(parts, wholes, strict=True)]
    return Modes(parts[0], parts[1], limit_px, int(np.isnan(_all_amplitudes(lookers)).sum()))


def preceding_amplitudes(path: Scanpath) -> Floats:
    """The length of the saccade before each fixation, in px; NaN for the first, and where one before was left out.

    >>> from beholder.attention.types import scanpath
    >>> preceding_amplitudes(scanpath([0, 3], [0, 4]))
    array([nan,  5.])
    """
    return np.concatenate([np.full(min(1, len(path)), np.nan), amplitudes(path)])


def two_means(values: Floats) -> float:
    """The limit that splits numbers into two classes with the least squared deviations from their means.

    Halfway between the greatest of the lower and the least of the upper class; NaN below two different values.

    >>> two_means(np.array([1.0, 2.0, 9.0, 10.0]))
    5.5
    """
    ordered = np.sort(values[np.isfinite(values)])
    n = np.arange(1, len(ordered))
    if len(ordered) < 2 or ordered[0] == ordered[-1]:
        return float("nan")
    sums = np.cumsum(ordered)
    between = sums[:-1] ** 2 / n + (sums[-1] - sums[:-1]) ** 2 / (len(ordered) - n)  # least within is most between
    between[ordered[1:] == ordered[:-1]] = -np.inf  # equal values are not parted
    at = int(np.argmax(between))
    return float((ordered[at] + ordered[at + 1]) / 2)


def _limit(lookers: Lookers, by: By, limit: float) -> float:
    if by not in ("amplitude", "clusters"):
        raise Misuse(f"got by={by!r}; expected 'amplitude' or 'clusters'")
    if by == "amplitude":
        if not np.isfinite(lookers.px_per_deg):
            raise NotApplicable(
                f"a limit of {limit:g} degrees needs px per degree, which are unknown here; split by clusters"
            )
        return limit * lookers.px_per_deg
    everyone = lookers.everyone
    found = made_once(everyone, "two means", lambda: two_means(_all_amplitudes(everyone)))
    if np.isnan(found):
        raise NotApplicable(
            "the saccades have fewer than two different amplitudes, so they cannot be split into two classes"
        )
    return found


def _all_amplitudes(lookers: Lookers) -> Floats:
    return np.concatenate([np.empty(0), *(preceding_amplitudes(path) for path in lookers.paths.values())])


def _of_mode(lookers: Lookers, mode: str, limit_px: float) -> Lookers:
    paths = {
        name: path.at(_in_mode(preceding_amplitudes(path), mode, limit_px)) for name, path in lookers.paths.items()
    }
    return replace(lookers, paths=paths)


def _in_mode(lengths: Floats, mode: str, limit_px: float) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    with np.errstate(invalid="ignore"):
        found: np.ndarray[tuple[int], np.dtype[np.bool_]] = (
            lengths > limit_px if mode == "ambient" else lengths <= limit_px
        )
    return found
