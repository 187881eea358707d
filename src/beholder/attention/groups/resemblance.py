"""How much alike any two people look, in scanpaths and in maps, and how each one's eye moves."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.attention.gaze.saccades import amplitudes, directions
from beholder.attention.maps.fixation_maps import continuous_map
from beholder.attention.measures.multimatch import multimatch
from beholder.attention.measures.scanmatch import scanmatch
from beholder.attention.people.ceiling import shrink
from beholder.attention.types import Floats, Lookers
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse
from beholder.stats.divergence import counts

SCANPATHS: Mapping[str, Callable[..., Any]] = {"scanmatch": scanmatch, "multimatch": multimatch}
LONGER = 128  # px: maps are made on pictures of at most this side; their blur is many times a pixel
DEGREES, MILLISECONDS = 40.0, 2000.0  # the end of the bins; what is beyond is in the last one
BINS, AROUND = 200, 72  # so fine that the distance of two distributions does not depend on them
HORIZONTAL = 45.0  # degrees from right or left


class Distribution(NamedTuple):
    """One aspect of eye movements, of each observer: shares of bins, and one number that sums it up."""

    shares: Floats  # observers × bins; NaN where an observer has none
    typical: Floats  # per observer
    unit: str
    step: float  # the width of a bin, in the unit of the distance
    circular: bool = False

    def of(self, held: NDArray[np.bool_]) -> Distribution:
        """The same of some observers."""
        return self._replace(shares=self.shares[held], typical=self.typical[held])


def scanpath_similarity(seen: Mapping[str, Lookers], observers: Sequence[str], *, by: str = "scanmatch") -> Floats:
    """Observers × observers: the mean over stimuli that both saw of the similarity of their scanpaths."""
    if by not in SCANPATHS:
        raise Misuse(f"got the scanpath measure {by!r}; expected one of {', '.join(SCANPATHS)}")
    return _over_stimuli([_pairs(lookers, observers, SCANPATHS[by]) for lookers in seen.values()])


def map_similarity(seen: Mapping[str, Lookers], observers: Sequence[str]) -> Floats:
    """The same for maps: Pearson's correlation of two people's fixations, blurred by 1 degree (24 px if unknown)."""
    return _over_stimuli([_correlations(lookers, observers) for lookers in seen.values()])


def _pairs(lookers: Lookers, observers: Sequence[str], measure: Callable[..., Any]) -> Floats:
    found = np.full((len(observers),) * 2, np.nan)
    looked = [(at, who) for at, who in enumerate(observers) if len(lookers.paths.get(who, ()))]
    for n, (i, one) in enumerate(looked):
        for j, other in looked[n + 1 :]:
            try:
                value = measure(lookers.paths[one], lookers.only(other)).value
            except NotApplicable:
                continue
            found[i, j] = found[j, i] = value
    return found


def _correlations(lookers: Lookers, observers: Sequence[str]) -> Floats:
    found = np.full((len(observers),) * 2, np.nan)
    small = shrink(lookers, longer=LONGER)
    at = [n for n, who in enumerate(observers) if len(lookers.paths.get(who, ()))]
    if len(at) < 2:
        return found
    maps = np.stack([continuous_map(small.only(observers[n])).ravel() for n in at])
    with np.errstate(invalid="ignore"):
        found[np.ix_(at, at)] = np.corrcoef(maps)
    found[np.diag_indices(len(found))] = np.nan
    return found


def _over_stimuli(tables: Sequence[Floats]) -> Floats:
    """The mean over stimuli of each pair; a stimulus on which all are alike favours nobody who happened to see it.

    >>> two = [np.array([[np.nan, 0.2], [0.2, np.nan]]), np.array([[np.nan, 0.6], [0.6, np.nan]])]
    >>> _over_stimuli(two)[0, 1].round(9)
    np.float64(0.4)
    """
    every = np.stack(tables)
    known = np.isfinite(every)
    sizes = np.maximum(known.sum(axis=(1, 2)), 1)
    levels = np.where(known, every, 0).sum(axis=(1, 2)) / sizes
    centred = np.where(known, every - levels[:, None, None], 0).sum(axis=0)
    often = known.sum(axis=0)
    level = float(levels[known.any(axis=(1, 2))].mean()) if known.any() else math.nan
    return np.asarray(np.where(often > 0, level + centred / np.maximum(often, 1), np.nan))


def movement_distributions(seen: Mapping[str, Lookers], observers: Sequence[str]) -> dict[str, Distribution]:
    """Saccade amplitudes, directions and fixation durations of each observer, over all stimuli."""
    degrees = all(math.isfinite(lookers.px_per_deg) for lookers in seen.values())
    unit, end = ("deg", DEGREES) if degrees else ("of the diagonal", 1.0)
    lengths, angles, lasts = [], [], []
    for who in observers:
        paths = [(lookers.paths[who], lookers) for lookers in seen.values() if who in lookers.paths]
        scale = [lookers.px_per_deg if degrees else math.hypot(*lookers.shape) for _, lookers in paths]
        lengths.append(_known([amplitudes(path) / px for (path, _), px in zip(paths, scale, strict=True)]))
        angles.append(_known([directions(path) for path, _ in paths]))
        lasts.append(_known([path.duration_ms for path, _ in paths]))
    sideways = [np.abs(np.abs(each) - 90) >= 90 - HORIZONTAL for each in angles]
    turned = [each % 360.0 for each in angles]
    return {
        "saccade amplitude": Distribution(_shares(lengths, end, BINS), _means(lengths), unit, end / BINS),
        "saccade direction": Distribution(
            _shares(turned, 360.0, AROUND), _means(sideways), "horizontal", 360.0 / AROUND, circular=True
        ),
        "fixation duration": Distribution(_shares(lasts, MILLISECONDS, BINS), _means(lasts), "ms", MILLISECONDS / BINS),
    }


def _known(values: Sequence[Floats]) -> Floats:
    every = np.concatenate([np.empty(0), *values])
    return np.asarray(every[np.isfinite(every)], np.float64)


def _means(each: Sequence[NDArray[Any]]) -> Floats:
    return np.array([float(np.mean(values)) if len(values) else math.nan for values in each])


def _shares(each: Sequence[Floats], end: float, bins: int) -> Floats:
    """Of each observer the shares of equal bins from 0; the last holds what lies beyond, too."""
    return np.stack(
        [counts(values, (0.0, end), bins) / len(values) if len(values) else np.full(bins, math.nan) for values in each]
    )
